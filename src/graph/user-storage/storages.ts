import { type Context, loader } from '../../services/core/context.js';
import { batchLoader } from '../../services/core/pace.js';
import { perform } from '../../services/core/perform.js';
import { userStorage } from '../../services/core/realm.js';
import { realmById } from '../../services/realms/locate.js';
import { storageMapper } from '../../services/user-storage/config.js';
import {
  type LastSync,
  lastSyncOf,
  overview,
  pointInTime,
  storageSettings,
} from '../../services/user-storage/overview.js';
import { syncStateOf } from '../../services/user-storage/sync/sync-state.js';
import { Component } from '../components/components.js';
import { batchingClient } from '../core/batching.js';
import { builder } from '../core/builder.js';
import { guardNode, nodeId } from '../core/node.js';
import { optionalText } from '../core/optional-text.js';
import { Realm } from '../realms/realms.js';
import { SyncStateRef } from './sync.js';

const EditMode = builder.enumType('UserStorageEditMode', {
  description: 'Which changes to users of a user storage are allowed.',
  values: {
    READ_ONLY: { description: 'Data from the storage cannot be changed.' },
    WRITABLE: { description: 'Changes are written to the storage.' },
    UNSYNCED: { description: 'Changes are stored locally only and not written to the storage.' },
  },
});

const LastSyncRef = builder.objectRef<LastSync>('LastUserSync').implement({
  description: 'Result of the last synchronisation of a user storage.',
  fields: (t) => ({
    kind: t.exposeString('kind', { description: 'Users that were covered: `FULL` or `CHANGED`.' }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the synchronisation ended.',
    }),
    added: t.exposeInt('added', { description: 'Number of users added.' }),
    updated: t.exposeInt('updated', { description: 'Number of users updated.' }),
    removed: t.exposeInt('removed', {
      description: 'Number of users deleted because the directory no longer has them.',
    }),
    failed: t.exposeInt('failed', { description: 'Number of users that could not be imported.' }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Error that stopped the synchronisation. Null if it completed.',
    }),
  }),
});

const mapperSelect = { id: true, realmId: true, parentId: true, name: true, providerId: true, version: true } as const;

export const UserStorageMapper = builder.prismaNode('Component', {
  variant: 'UserStorageMapper',
  id: { field: 'id' },
  select: mapperSelect,
  description: 'A mapper between directory entries and users, groups, or roles. Its component has its settings.',
  fields: (t) => ({
    name: t.string(optionalText('name', 'Name of the mapper.')),
    kind: t.exposeString('providerId', { description: 'Type of the mapper, e.g. `group-ldap-mapper`.' }),
    version: t.exposeInt('version', {
      description:
        'Version of the object, which is also that of its component. Increases by one with every change. Pass it as `expectedVersion`.',
    }),
    component: t.variant(Component, {
      description: 'The component of the mapper, by which it is changed and deleted.',
    }),
  }),
});

guardNode(UserStorageMapper, overview, { only: { providerType: storageMapper } });

/** The mappers of the storages of a request, in one statement. */
const mappersOf = (ctx: Context) =>
  loader(ctx, 'mappers of user storages', () =>
    batchLoader(ctx, async (storages: readonly string[]) => {
      const rows = await ctx.db.component.findMany({
        where: { parentId: { in: [...storages] }, providerType: storageMapper },
        select: mapperSelect,
        orderBy: [{ name: 'asc' }, { id: 'asc' }],
      });
      return storages.map((id) => rows.filter(({ parentId }) => parentId === id));
    }),
  );

/** A user storage, with a separate type beside its component. */
export const UserStorage = builder.prismaNode('Component', {
  variant: 'UserStorage',
  id: { field: 'id' },
  select: { id: true, realmId: true, config: true },
  description: 'A user storage, such as an LDAP directory, that users come from. Its component has its settings.',
  fields: (t) => ({
    name: t.string(optionalText('name', 'Name of the user storage.')),
    kind: t.exposeString('providerId', { description: 'Type of the user storage: `ldap` or `kerberos`.' }),
    version: t.exposeInt('version', {
      description:
        'Version of the object, which is also that of its component. Increases by one with every change. Pass it as `expectedVersion`.',
    }),
    component: t.variant(Component, {
      description: 'The component of the user storage, by which it is changed and deleted.',
    }),
    isEnabled: t.boolean({
      description: 'Whether the user storage is enabled. A disabled storage is not searched.',
      resolve: ({ config }) => storageSettings(config).enabled,
    }),
    importsUsers: t.boolean({
      description: 'Whether users of the storage are imported into the local database.',
      resolve: ({ config }) => storageSettings(config).imports,
    }),
    editMode: t.field({
      type: EditMode,
      description: 'Which changes to users of the storage are allowed.',
      resolve: ({ config }) => storageSettings(config).editMode,
    }),
    priority: t.int({
      description: 'Order in which storages are searched. Lower numbers come first.',
      resolve: ({ config }) => storageSettings(config).priority,
    }),
    isSynchronising: t.boolean({
      description: 'Whether a synchronisation is running.',
      select: { syncState: true },
      resolve: ({ syncState }, _args, ctx) => syncStateOf(syncState, ctx.services.now()).status === 'RUNNING',
    }),
    sync: t.field({
      type: SyncStateRef,
      description: 'The current or last synchronisation.',
      select: { syncState: true },
      resolve: ({ syncState }, _args, ctx) => syncStateOf(syncState, ctx.services.now()),
    }),
    fullSyncAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Start time of the last full synchronisation that completed. Null: none.',
      select: { syncState: true },
      resolve: ({ syncState }) => pointInTime(syncState?.fullSyncAt),
    }),
    changedSyncAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Start time of the last synchronisation of any kind that completed. Null: none.',
      select: { syncState: true },
      resolve: ({ syncState }) => pointInTime(syncState?.changedSyncAt),
    }),
    lastSync: t.field({
      type: LastSyncRef,
      nullable: true,
      description: 'Result of the last synchronisation. Null before the first one.',
      select: { syncState: true },
      resolve: ({ syncState }) => lastSyncOf(syncState),
    }),
    mappers: t.field({
      type: [UserStorageMapper],
      description: 'Mappers of the user storage, ordered by name.',
      resolve: ({ id }, _args, ctx) => mappersOf(ctx).load(id),
    }),
  }),
});

guardNode(UserStorage, overview, { only: { providerType: userStorage } });

/** The ID of a user storage; null if there is none. */
export const storageNode = (id: string | undefined): string | null =>
  id === undefined ? null : nodeId(UserStorage.name, id);

builder.prismaObjectField(Realm, 'userStorages', (t) =>
  t.prismaField({
    type: [UserStorage],
    nullable: true,
    description: 'User storages of the realm, in the order in which they are searched.',
    requires: { operation: overview, isChecked: true },
    resolve: async (query, { id }, _args, ctx) => {
      const ids = await perform(ctx, overview, async (at) => ({ realm: await realmById(at, id) }));
      const { component } = batchingClient(ctx);
      const rows = await Promise.all(ids.map((one) => component.findUnique({ ...query, where: { id: one } })));
      return rows.filter((row) => row !== null);
    },
  }),
);
