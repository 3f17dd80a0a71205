import type { ModelName } from '../../database/db.js';
import { listScopes } from '../client-scopes/operations.js';
import { listClients } from '../clients/operations.js';
import type { Allowing, TargetKind } from '../core/allow.js';
import type { Listing } from '../core/operation.js';
import { listGroups } from '../groups/operations.js';
import { listProviders } from '../identity-providers/operations.js';
import * as realms from '../realms/operations.js';
import { listRoles } from '../roles/operations.js';
import { listUsers } from '../users/list.js';
import { columnTests, lineTests, type Tests } from './match.js';

// biome-ignore lint/suspicious/noExplicitAny: the rows of a listing do not matter to its permission and visibility
type AnyListing = Pick<Listing<any, any, any>, 'visible'>;

/** Rows that require the same permission, with the fields that it makes visible. */
export interface Source {
  /** the operation that lists the rows, with its permission and visibility */
  listing: Allowing & AnyListing;
  /** kind of the target of the listing, where its permission depends on that */
  kind?: TargetKind;
  /** the column with the ID of the client whose fine-grained permissions can show its rows */
  client?: string;
  /** filter for these rows of the model */
  where?: object;
  /** fields that are searched, the name first */
  fields: readonly string[];
  tests: (text: string) => Tests;
}

/** A kind of objects that are searched for. */
interface Kind {
  model: ModelName;
  /** the column with the ID of the realm */
  realm: 'realmId' | 'id';
  /** the field that the objects are known by */
  name: string;
  sources: readonly Source[];
}

const lines = (text: string): Tests => lineTests(text);

const source = (listing: Source['listing'], fields: readonly string[], more: Partial<Source> = {}): Source => ({
  listing,
  fields,
  tests: lines,
  ...more,
});

const byColumns = (listing: Source['listing'], fields: readonly string[]): Source =>
  source(listing, fields, { tests: (text) => columnTests(text, fields) });

const roleFields = ['name', 'description'];

/** The kinds of objects that are searched for, in the order in which equal matches come. */
export const kinds = {
  USER: {
    model: 'User',
    realm: 'realmId',
    name: 'username',
    sources: [
      source(listUsers, ['username', 'email', 'firstName', 'lastName'], {
        tests: (text) => lineTests(text, { isFramed: true }),
      }),
    ],
  },
  GROUP: { model: 'Group', realm: 'realmId', name: 'name', sources: [source(listGroups, ['name'])] },
  ROLE: {
    model: 'Role',
    realm: 'realmId',
    name: 'name',
    sources: [
      source(listRoles, roleFields, { kind: 'realm role', where: { clientId: null } }),
      source(listRoles, roleFields, { kind: 'client role', client: 'clientId', where: { clientId: { not: null } } }),
    ],
  },
  CLIENT: { model: 'Client', realm: 'realmId', name: 'clientId', sources: [source(listClients, ['clientId', 'name'])] },
  CLIENT_SCOPE: { model: 'ClientScope', realm: 'realmId', name: 'name', sources: [byColumns(listScopes, ['name'])] },
  IDENTITY_PROVIDER: {
    model: 'IdentityProvider',
    realm: 'realmId',
    name: 'alias',
    sources: [byColumns(listProviders, ['alias', 'displayName'])],
  },
  REALM: {
    model: 'Realm',
    realm: 'id',
    name: 'name',
    sources: [byColumns(realms.name, ['name']), byColumns(realms.settings, ['displayName'])],
  },
} as const satisfies Record<string, Kind>;

export type SearchType = keyof typeof kinds;

/** The kinds by their names, with the type that all of them have. */
export const kindOf = (type: SearchType): Kind => kinds[type];

/** The names of the kinds, in their order. */
export const searchTypes = Object.keys(kinds) as SearchType[];
