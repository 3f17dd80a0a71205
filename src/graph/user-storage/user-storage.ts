import { mapperById } from '../../services/user-storage/locate.js';
import {
  mapperSync,
  removeImportedUsers,
  type Synchronised,
  sync,
  unlinkUsers,
} from '../../services/user-storage/operations.js';
import { overview } from '../../services/user-storage/overview.js';
import type { SyncResult } from '../../services/user-storage/representation.js';
import { linkOf } from '../../services/user-storage/storage-id.js';
import { batchingClient } from '../core/batching.js';
import { builder } from '../core/builder.js';
import { mutation } from '../core/mutation.js';
import { locatedNode } from '../core/node.js';
import { fieldNamed } from '../core/wire-names.js';
import { User } from '../users/users.js';
import { storageNode, UserStorage } from './storages.js';
import { SyncKind, storage, storageId } from './sync.js';

const MapperDirection = builder.enumType('UserStorageMapperDirection', {
  description: 'Direction of a group or role synchronisation.',
  values: {
    TO_REALM: { value: 'fedToService', description: 'From the directory to the realm.' },
    TO_STORAGE: { value: 'serviceToFed', description: 'From the realm to the directory.' },
  },
});

const ResultRef = builder.objectRef<SyncResult>('UserSyncResult').implement({
  description: 'Result of a synchronisation.',
  fields: (t) => ({
    isIgnored: t.exposeBoolean('ignored', {
      description:
        'Whether the synchronisation was skipped: the storage is disabled, or another synchronisation is running.',
    }),
    added: t.exposeInt('added', { description: 'Number of users added.' }),
    updated: t.exposeInt('updated', { description: 'Number of users updated.' }),
    removed: t.exposeInt('removed', {
      description: 'Number of users deleted because the directory no longer has them.',
    }),
    failed: t.exposeInt('failed', { description: 'Number of users that could not be imported.' }),
  }),
});

builder.prismaObjectFields(User, (t) => ({
  federationLinkId: t.id({
    nullable: true,
    description: 'ID of the user storage that the user was imported from. Null for local users.',
    select: { id: true, federationLink: true },
    resolve: (user) => storageNode(linkOf(user).federationLink),
  }),
  originId: t.id({
    nullable: true,
    description: 'ID of the user storage that holds the user, if it does not import users. Null for other users.',
    select: { id: true, federationLink: true },
    resolve: (user) => storageNode(linkOf(user).origin),
  }),
}));

for (const [name, description] of [
  ['federationLink', 'The user storage that the user was imported from. Null for local users.'],
  ['origin', 'The user storage that holds the user, if it does not import users. Null for other users.'],
] as const) {
  builder.prismaObjectField(User, name, (t) =>
    t.prismaField({
      type: UserStorage,
      nullable: true,
      description,
      requires: { operation: overview, otherwise: 'NULL', byRolesAlone: true },
      select: { id: true, federationLink: true },
      resolve: (query, user, _args, ctx) => {
        const id = linkOf(user)[name];
        return id === undefined ? null : batchingClient(ctx).component.findUnique({ ...query, where: { id } });
      },
    }),
  );
}

const done = {
  result: { type: ResultRef, description: 'Result of the synchronisation.', of: ({ result }: Synchronised) => result },
};
const howMany = {
  count: { type: 'Int', description: 'Number of affected users.', of: ({ users }: { users: number }) => users },
};

mutation('userStorageSync', {
  description: 'Imports or updates the users of a user storage from its directory.',
  operation: sync,
  input: (t) => ({
    id: t.id({ required: true, description: storageId }),
    kind: t.field({ type: SyncKind, required: true, description: 'Users that the synchronisation covers.' }),
  }),
  locate: (input, ctx) => storage(ctx, String(input.id)),
  send: ({ kind }) => ({ action: kind }),
  fieldOf: fieldNamed({ action: 'kind' }),
  values: done,
});

mutation('userStorageMapperSync', {
  description:
    'Synchronises the groups or roles of a mapper from the directory to the realm, or from the realm to the directory.',
  operation: mapperSync,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the mapper.' }),
    direction: t.field({ type: MapperDirection, required: true, description: 'Direction of the synchronisation.' }),
  }),
  locate: async (input, ctx) => {
    const { id, realm } = await locatedNode(ctx, String(input.id), 'id', 'UserStorageMapper');
    const row = await ctx.db.component.findFirst({ where: { id, realmId: realm.id }, select: { parentId: true } });
    return mapperById(ctx, realm, row?.parentId ?? '', id);
  },
  send: ({ direction }) => ({ direction }),
  values: done,
});

mutation('userStorageUnlinkUsers', {
  description: 'Turns the users of a user storage into local users.',
  operation: unlinkUsers,
  input: (t) => ({ id: t.id({ required: true, description: storageId }) }),
  locate: (input, ctx) => storage(ctx, String(input.id)),
  values: howMany,
});

mutation('userStorageRemoveUsers', {
  description: 'Deletes the imported users of a user storage. The directory is not changed.',
  operation: removeImportedUsers,
  input: (t) => ({ id: t.id({ required: true, description: storageId }) }),
  locate: (input, ctx) => storage(ctx, String(input.id)),
  values: howMany,
});
