import type DataLoader from 'dataloader';
import { get as getScope } from '../../services/client-scopes/operations.js';
import { permissionFor } from '../../services/core/allow.js';
import { type Context, loader } from '../../services/core/context.js';
import { textsOf } from '../../services/core/json.js';
import { batchLoader } from '../../services/core/pace.js';
import { ClientScope } from '../client-scopes/client-scopes.js';
import { Client } from '../clients/clients.js';
import { builder } from '../core/builder.js';
import { permitById } from '../core/permits.js';
import { readableField } from '../core/readable.js';
import { User } from './users.js';

interface Scope {
  id: string;
  realmId: string;
  name: string;
}

/** Client scopes by ID: one statement for all consents of a request. */
const scopes = (ctx: Context): DataLoader<string, Scope | undefined> =>
  loader(ctx, 'client scopes of consents', () =>
    batchLoader(ctx, async (ids: readonly string[]) => {
      const rows = await ctx.db.clientScope.findMany({
        where: { id: { in: [...ids] } },
        select: { id: true, realmId: true, name: true },
      });
      const found = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => found.get(id));
    }),
  );

/** The client scopes with these IDs that still exist. */
async function scopesOf(ctx: Context, ids: unknown): Promise<Scope[]> {
  const found = await Promise.all(textsOf(ids).map((id) => scopes(ctx).load(id)));
  return found.filter((scope) => scope !== undefined);
}

const Consent = builder.prismaObject('UserConsent', {
  variant: 'Consent',
  description: 'Consent of a user to a client.',
  fields: (t) => ({
    clientId: t.string({
      description: 'Client identifier of the client.',
      select: { client: { select: { clientId: true } } },
      resolve: ({ client }) => client.clientId,
    }),
    grantedScopes: t.field({
      type: [ClientScope],
      nullable: true,
      description: 'Client scopes that the user granted.',
      complexity: { field: 1, multiplier: 3 },
      requires: { operation: getScope, otherwise: 'NULL', isChecked: true },
      select: { grantedScopes: true, client: { select: { realmId: true } } },
      resolve: async ({ grantedScopes, client }, _args, ctx) =>
        (await permitById(ctx, client.realmId)).can(permissionFor(getScope)) ? scopesOf(ctx, grantedScopes) : null,
    }),
    grantedScopeNames: t.stringList({
      description: 'Names of the client scopes that the user granted.',
      select: { grantedScopes: true },
      resolve: async ({ grantedScopes }, _args, ctx) => (await scopesOf(ctx, grantedScopes)).map(({ name }) => name),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'Time at which the user first gave consent.',
      select: { createdDate: true },
      resolve: ({ createdDate }) => new Date(Number(createdDate)),
    }),
    lastUpdatedAt: t.field({
      type: 'DateTime',
      description: 'Time at which the user last changed the consent.',
      select: { lastUpdatedDate: true },
      resolve: ({ lastUpdatedDate }) => new Date(Number(lastUpdatedDate)),
    }),
  }),
});

builder.prismaObjectField(User, 'consents', (t) =>
  t.relation('consents', {
    type: Consent,
    description: 'Consents that the user gave to clients.',
    query: { orderBy: [{ client: { clientId: 'asc' } }, { clientId: 'asc' }] },
  }),
);

readableField(User, 'serviceAccountClient', {
  type: Client,
  relation: 'serviceAccountClient',
  description: 'The client whose service account the user is. Null for other users.',
});

readableField(Client, 'serviceAccountUser', {
  type: User,
  relation: 'serviceAccount',
  description: 'The service account of the client. Null if it has none.',
});

readableField(Consent, 'client', { type: Client, relation: 'client', description: 'The client.' });
