import type { RealmRecord } from '../../core/realm.js';
import { conflict, Refusal } from '../../core/refusal.js';
import { storedEmail } from '../../users/names.js';
import { usernameOf } from '../assemble/users.js';
import { defaultClients } from '../defaults/clients.js';
import { masterName, masterRoles } from '../defaults/master.js';
import type { Existing } from './existing.js';
import type { ImportFile } from './input.js';

/** The outcome of an object in a file. */
export type ImportAction = 'ADDED' | 'OVERWRITTEN' | 'SKIPPED';
export type ImportedKind = 'CLIENT' | 'REALM_ROLE' | 'CLIENT_ROLE' | 'IDP' | 'GROUP' | 'USER';

/** The items of one kind. */
export interface Sorted<T> {
  /** items to import, each at its place in the file: the places of the others are empty, and `forEach` skips them */
  kept: T[];
  /** IDs of the replaced objects, by place in the file */
  replaced: Map<number, string>;
  /** IDs of the unchanged objects, by place in the file */
  skipped: Map<number, string>;
}

interface Sorting<T> {
  policy: ImportFile['policy'];
  /** path of the items in the file, e.g. `roles.realm` */
  field: string;
  name: (item: T) => string | undefined;
  there: (item: T) => { id: string; stays?: 'always' | 'unless refused' } | undefined;
  /** message for an item that already exists */
  message: (item: T) => string;
}

/** Decides the action on each item by the policy. Duplicates in a file are refused. */
function sort<T>(items: readonly T[], { policy, field, name, there, message }: Sorting<T>): Sorted<T> {
  const sorted: Sorted<T> = { kept: [], replaced: new Map(), skipped: new Map() };
  const names = new Set<string>();
  items.forEach((item, index) => {
    const own = name(item);
    if (own !== undefined && names.has(own))
      throw conflict(`"${own}" occurs twice in the file`, `${field}.${index}`, 'REPEATED');
    if (own !== undefined) names.add(own);
    const existing = there(item);
    if (!existing) {
      sorted.kept[index] = item;
      return;
    }
    const { id, stays } = existing;
    if (policy === 'FAIL' && stays !== 'always') throw conflict(message(item), `${field}.${index}`, 'NAME_TAKEN');
    if (policy === 'SKIP' || stays) sorted.skipped.set(index, id);
    else {
      sorted.kept[index] = item;
      sorted.replaced.set(index, id);
    }
  });
  return sorted;
}

const byKey = <Row>(rows: readonly Row[], key: (row: Row) => string | null): Map<string | null, Row> =>
  new Map(rows.map((row) => [key(row), row]));

const pair = (...parts: (string | undefined)[]): string => JSON.stringify(parts);

/**
 * Sorts the file by actions. Objects that administration needs stay unchanged: built-in clients with their roles, the
 * default role, and the roles of administrators in the master realm.
 */
export function sortFile(realm: RealmRecord, file: ImportFile, existing: Existing) {
  const { policy } = file;
  const isMaster = realm.name === masterName;
  const builtIn = new Set(defaultClients(realm.name, isMaster).map(({ client }) => client.clientId));
  const administering = new Set(existing.administering.map(({ adminClientId }) => adminClientId));
  const clients = byKey(existing.clients, ({ clientId }) => clientId);
  const roles = byKey(existing.roles, ({ container, name }) => pair(container, name));
  const providers = byKey(existing.providers, ({ alias }) => alias);
  const groups = byKey(
    existing.groups.filter(({ container }) => container === realm.id),
    ({ name }) => name,
  );
  const byName = byKey(existing.usersByName, ({ username }) => username);
  const byEmail = byKey(existing.usersByEmail, ({ uniqueEmail }) => uniqueEmail);
  const staysClient = ({ id, clientId }: { id: string; clientId: string }) =>
    builtIn.has(clientId) || administering.has(id);
  const staysRole = ({ id, name }: { id: string; name: string }) =>
    id === realm.defaultRoleId || (isMaster && masterRoles.some((role) => role.name === name));

  return {
    clients: sort(file.clients, {
      policy,
      field: 'clients',
      name: ({ clientId }) => clientId,
      there: ({ clientId }) => {
        const found = clients.get(clientId ?? '');
        return found && { id: found.id, ...(staysClient(found) && { stays: 'always' }) };
      },
      message: ({ clientId }) => `Client id '${clientId}' already exists`,
    }),
    realmRoles: sort(file.realmRoles, {
      policy,
      field: 'roles.realm',
      name: ({ name }) => name,
      there: ({ name }) => {
        const found = roles.get(pair(realm.id, name));
        return found && { id: found.id, ...(staysRole(found) && { stays: 'unless refused' }) };
      },
      message: ({ name }) => `Realm role '${name}' already exists.`,
    }),
    clientRoles: Object.entries(file.clientRoles).map(([clientId, items]) => {
      const client = clients.get(clientId);
      const sorted = sort(items, {
        policy,
        field: `roles.client.${clientId}`,
        name: ({ name }) => name,
        there: ({ name }) => {
          const found = client && roles.get(pair(client.id, name));
          return found && { id: found.id, ...(staysClient(client) && { stays: 'always' }) };
        },
        message: ({ name }) => `Client role '${name}' for client '${clientId}' already exists.`,
      });
      return { clientId, ...sorted };
    }),
    providers: sort(file.providers, {
      policy,
      field: 'identityProviders',
      name: ({ alias }) => alias,
      there: ({ alias }) => providers.get(alias ?? ''),
      message: ({ alias }) => `Identity Provider '${alias}' already exists.`,
    }),
    groups: sort(file.groups, {
      policy,
      field: 'groups',
      name: ({ name }) => name,
      there: ({ name }) => groups.get(name ?? ''),
      message: ({ name }) => `Group '/${name}' already exists`,
    }),
    users: sort(file.users, {
      policy,
      field: 'users',
      name: (user) => user.username && usernameOf(user),
      // only the user with the same name is overwritten: another account is not deleted because of an address
      there: (user) => {
        const found = byName.get(usernameOf(user));
        return found ?? (policy === 'OVERWRITE' ? undefined : byEmail.get(storedEmail(user.email) ?? ''));
      },
      message: (user) =>
        byName.has(usernameOf(user))
          ? `User with user name ${user.username} already exists.`
          : `User with email ${user.email} already exists.`,
    }),
  };
}

export type SortedFile = ReturnType<typeof sortFile>;

/** Adds this field before the field of refusals that `work` throws. */
export function within<R>(field: string, work: () => R): R {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const inner = error.details.field;
    throw new Refusal(error.kind, error.message, {
      ...error.details,
      field: inner === undefined ? field : `${field}.${inner}`,
    });
  }
}
