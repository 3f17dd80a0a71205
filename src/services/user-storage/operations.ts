import type { ComponentTarget } from '../components/locate.js';
import type { Context } from '../core/context.js';
import { read, write } from '../core/operation.js';
import { invalid, notFound } from '../core/refusal.js';
import { requireAlone } from '../core/unit-of-work.js';
import { asDirectoryRefusal } from '../ldap/fault.js';
import type { MapperTarget } from './locate.js';
import {
  MapperSyncChoice,
  type MapperWork,
  nothingDone,
  SyncChoice,
  type SyncResult,
  statusOf,
  statusOfMapper,
} from './representation.js';
import { type Storage, storagesOf } from './storage.js';
import { storageIdOf } from './storage-id.js';
import { removeUsersOf } from './store.js';
import { syncMapper } from './sync/load-memberships.js';
import type { SyncKind } from './sync/progress.js';
import { syncStorage } from './sync/sync.js';
import { exportMapper } from './write/export-groups.js';

export const storageName = read({
  name: 'userStorage.name',
  summary: 'Returns the name of a user storage.',
  allow: 'view:realm',
  run: async (_ctx, { component }: ComponentTarget) => ({ id: component.id, name: component.name ?? undefined }),
});

/** The result of a synchronisation: the storage, with the changes of its users. */
export interface Synchronised {
  id: string;
  result: SyncResult;
  /** the result in words */
  status: string;
}

const kinds = new Map<string, SyncKind>([
  ['triggerFullSync', 'FULL'],
  ['triggerChangedUsersSync', 'CHANGED'],
]);

async function openStorage(ctx: Context, { component }: ComponentTarget, realmId: string): Promise<Storage> {
  const [storage] = await storagesOf(ctx.services, realmId, component.id);
  if (!storage) throw notFound('Could not find component');
  return storage;
}

/** Work outside of the transaction cannot be rolled back with it. */
const synchronisedAlone = 'Users cannot be synchronised within an atomic mutation or a dry run';

/** Does work that needs the directory; its faults become the refusal of the request. */
async function answered<T>(storage: Storage, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asDirectoryRefusal(storage.name, error);
  }
}

const touchedUsers = (realmId: string) => [`users:${realmId}`, 'rights'];

export const sync = write({
  name: 'userStorage.sync',
  summary:
    'Imports or updates the users of a user storage from its directory: all users, or those changed since the last synchronisation.',
  input: SyncChoice,
  allow: 'manage:users',
  prepare: async (ctx, target: ComponentTarget, { action }, asked): Promise<SyncResult> => {
    if (!action) throw invalid('Missing action', 'action', { member: 'error' });
    const kind = kinds.get(action);
    if (!kind) throw invalid(`Unknown action: ${action}`, 'action', { member: 'error' });
    requireAlone(ctx, synchronisedAlone, asked);
    const storage = await openStorage(ctx, target, target.realm.id);
    return answered(storage, () => syncStorage(ctx.services, storage, kind));
  },
  run: async (_tx, { component }, _input, { prepared }): Promise<Synchronised> => ({
    id: component.id,
    result: prepared,
    status: statusOf(prepared),
  }),
  event: ({ id, result }, _target, { action }) => ({
    operationType: 'ACTION',
    resourceType: 'USER_FEDERATION_PROVIDER',
    resourcePath: `user-storage/${id}/sync`,
    representation: { action, ...result },
  }),
  touches: (_, { realm }) => [...touchedUsers(realm.id), `groups:${realm.id}`],
});

const directions = new Map<string, 'in' | 'out'>([
  ['fedToKeycloak', 'in'],
  ['fedToService', 'in'],
  ['keycloakToFed', 'out'],
  ['serviceToFed', 'out'],
]);

const workOf = (providerId: string, direction: string | undefined): MapperWork | undefined => {
  const way = directions.get(direction ?? '');
  if (way === undefined) return undefined;
  if (providerId === 'group-ldap-mapper') return `groups ${way}`;
  return providerId === 'role-ldap-mapper' ? `roles ${way}` : undefined;
};

export const mapperSync = write({
  name: 'userStorage.mapperSync',
  summary:
    'Synchronises the groups or roles of a mapper from the directory to the realm, or from the realm to the directory.',
  input: MapperSyncChoice,
  allow: 'manage:users',
  prepare: async (ctx, target: MapperTarget, { direction }, asked): Promise<SyncResult> => {
    const way = directions.get(direction ?? '');
    if (!way) throw invalid(`Unknown direction: ${direction ?? null}`, 'direction', { member: 'error' });
    requireAlone(ctx, synchronisedAlone, asked);
    const storage = await openStorage(ctx, target, target.realm.id);
    const mapper = storage.mappers.find(({ id }) => id === target.mapper.id);
    if (!mapper) return nothingDone();
    const work = way === 'in' ? syncMapper : exportMapper;
    return (await answered(storage, () => work(ctx.services, storage, mapper))) ?? nothingDone();
  },
  run: async (_tx, { mapper }, { direction }, { prepared }): Promise<Synchronised> => ({
    id: mapper.id,
    result: prepared,
    status: statusOfMapper(workOf(mapper.providerId, direction), prepared),
  }),
  event: ({ id, result }, { component }, { direction }) => ({
    operationType: 'ACTION',
    resourceType: 'USER_FEDERATION_PROVIDER',
    resourcePath: `user-storage/${component.id}/mappers/${id}/sync`,
    representation: { direction, ...result },
  }),
  touches: (_, { realm }) => [...touchedUsers(realm.id), `groups:${realm.id}`, `roles:${realm.id}`],
});

export const unlinkUsers = write({
  name: 'userStorage.unlinkUsers',
  summary: 'Turns the users of a user storage into local users. Their passwords in the directory no longer apply.',
  allow: 'manage:users',
  actsOn: ({ component }: ComponentTarget) => ({ of: 'storage', ids: [component.id] }),
  run: async (tx, { component }: ComponentTarget): Promise<{ id: string; users: number }> => {
    const { count } = await tx.user.updateMany({
      // users that the storage does not import cannot exist without it
      where: { federationLink: component.id, NOT: { id: { startsWith: storageIdOf(component.id, '') } } },
      data: { federationLink: null, federationId: null, version: { increment: 1 } },
    });
    return { id: component.id, users: count };
  },
  event: ({ id }) => ({
    operationType: 'ACTION',
    resourceType: 'USER_FEDERATION_PROVIDER',
    resourcePath: `user-storage/${id}/unlink-users`,
  }),
  touches: (_, { realm }) => touchedUsers(realm.id),
});

export const removeImportedUsers = write({
  name: 'userStorage.removeImportedUsers',
  summary: 'Deletes the imported users of a user storage. The directory is not changed.',
  allow: 'manage:users',
  takesRights: true,
  actsOn: ({ component }: ComponentTarget) => ({ of: 'storage', ids: [component.id] }),
  run: async (tx, { component }: ComponentTarget): Promise<{ id: string; users: number }> => ({
    id: component.id,
    users: await removeUsersOf(tx, component.id),
  }),
  event: ({ id }) => ({
    operationType: 'ACTION',
    resourceType: 'USER_FEDERATION_PROVIDER',
    resourcePath: `user-storage/${id}/remove-imported-users`,
  }),
  touches: (_, { realm }) => touchedUsers(realm.id),
});
