import { perform } from '../../services/core/perform.js';
import { realmById } from '../../services/realms/locate.js';
import { capabilities, queryCapabilities, testConnection } from '../../services/user-storage/connection-operations.js';
import { mapperById } from '../../services/user-storage/locate.js';
import {
  mapperSync,
  removeImportedUsers,
  type Synchronised,
  sync,
  unlinkUsers,
} from '../../services/user-storage/operations.js';
import { type LastSync, overview, type StorageOverview } from '../../services/user-storage/overview.js';
import type { SyncResult } from '../../services/user-storage/representation.js';
import { linkOf } from '../../services/user-storage/storage-id.js';
import { builder } from '../core/builder.js';
import { mutation } from '../core/mutation.js';
import { locatedNode, nodeId } from '../core/node.js';
import { realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';
import { User } from '../users/users.js';
import { SyncKind, SyncStateRef, storage, storageId } from './sync.js';

const EditMode = builder.enumType('UserStorageEditMode', {
  description: 'What may be changed of the users of a storage.',
  values: {
    READ_ONLY: { description: 'Nothing that the storage has.' },
    WRITABLE: { description: 'Everything; it is written to the storage.' },
    UNSYNCED: { description: 'Everything; it is kept here only.' },
  },
});

const MapperDirection = builder.enumType('UserStorageMapperDirection', {
  description: 'Which way groups or roles go.',
  values: {
    TO_REALM: { value: 'fedToService', description: 'From the directory into the realm.' },
    TO_STORAGE: { value: 'serviceToFed', description: 'From the realm into the directory.' },
  },
});

const ResultRef = builder.objectRef<SyncResult>('UserSyncResult').implement({
  description: 'What a synchronisation did.',
  fields: (t) => ({
    isIgnored: t.exposeBoolean('ignored', {
      description: 'Whether nothing was done: the storage is off, or another synchronisation goes on.',
    }),
    added: t.exposeInt('added', { description: 'How many were new.' }),
    updated: t.exposeInt('updated', { description: 'How many had changed.' }),
    removed: t.exposeInt('removed', { description: 'How many were gone, and were deleted.' }),
    failed: t.exposeInt('failed', { description: 'How many could not be taken over.' }),
  }),
});

const LastSyncRef = builder.objectRef<LastSync>('LastUserSync').implement({
  description: 'How the last synchronisation of a storage ended.',
  fields: (t) => ({
    kind: t.exposeString('kind', { description: 'FULL or CHANGED.' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true, description: 'When it ended.' }),
    added: t.exposeInt('added', { description: 'How many users were new.' }),
    updated: t.exposeInt('updated', { description: 'How many had changed.' }),
    removed: t.exposeInt('removed', { description: 'How many were gone, and were deleted.' }),
    failed: t.exposeInt('failed', { description: 'How many could not be taken over.' }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'What it stopped at; null when it came to its end.',
    }),
  }),
});

const MapperRef = builder.objectRef<StorageOverview['mappers'][number]>('UserStorageMapper').implement({
  description: 'A mapper between the entries of a directory and users. Its settings are those of the component.',
  fields: (t) => ({
    id: t.id({ description: 'Id of its component.', resolve: ({ id }) => nodeId('Component', id) }),
    name: t.exposeString('name', { nullable: true, description: 'Name for people.' }),
    kind: t.exposeString('providerId', { description: 'Which kind of mapper it is.' }),
  }),
});

const StorageRef = builder.objectRef<StorageOverview>('UserStorage').implement({
  description: 'A storage that users come from. Its settings are those of the component.',
  fields: (t) => ({
    id: t.id({ description: 'Id of its component.', resolve: ({ id }) => nodeId('Component', id) }),
    name: t.exposeString('name', { nullable: true, description: 'Name for people.' }),
    kind: t.exposeString('providerId', { description: 'Which kind of storage it is: ldap or kerberos.' }),
    isEnabled: t.exposeBoolean('enabled', { description: 'Whether it is asked for users.' }),
    importsUsers: t.exposeBoolean('imports', { description: 'Whether its users are kept here as well.' }),
    editMode: t.expose('editMode', { type: EditMode, description: 'What may be changed of its users.' }),
    priority: t.exposeInt('priority', { description: 'Those with lower numbers are asked first.' }),
    isSynchronising: t.exposeBoolean('isSynchronising', { description: 'Whether a synchronisation goes on.' }),
    sync: t.expose('sync', { type: SyncStateRef, description: 'The present synchronisation, or the last one.' }),
    fullSyncAt: t.expose('fullSyncAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last synchronisation of all users began that came to its end.',
    }),
    changedSyncAt: t.expose('changedSyncAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last synchronisation of any kind began that came to its end.',
    }),
    lastSync: t.expose('lastSync', {
      type: LastSyncRef,
      nullable: true,
      description: 'How the last one ended; null before there was one.',
    }),
    mappers: t.expose('mappers', { type: [MapperRef], description: 'Its mappers, by name.' }),
  }),
});

const CapabilityRef = builder.objectRef<{ oid: string; type: string }>('LdapCapability').implement({
  description: 'An ability of a directory.',
  fields: (t) => ({
    oid: t.exposeString('oid', { description: 'Its object identifier.' }),
    type: t.exposeString('type', { description: 'CONTROL, EXTENSION or FEATURE.' }),
  }),
});

/** Settings with the action that the field is for. */
const withAction = (settings: unknown): unknown =>
  typeof settings === 'object' && settings !== null ? { action: queryCapabilities, ...settings } : settings;

builder.prismaObjectFields(Realm, (t) => ({
  userStorages: t.field({
    type: [StorageRef],
    nullable: true,
    description: 'The storages that users come from, in the order in which they are asked. Takes view-realm.',
    resolve: ({ id }, _args, ctx) => perform(ctx, overview, async (at) => ({ realm: await realmById(at, id) })),
  }),
  ldapCapabilities: t.field({
    type: [CapabilityRef],
    nullable: true,
    description: 'Controls, extensions and features of a directory. Takes manage-realm.',
    args: {
      settings: t.arg({
        type: 'JSON',
        required: true,
        description: 'TestLdapConnectionRepresentation of the contract.',
      }),
    },
    resolve: ({ id }, { settings }, ctx) =>
      perform(ctx, capabilities, async (at) => ({ realm: await realmById(at, id) }), withAction(settings)),
  }),
}));

builder.prismaObjectFields(User, (t) => ({
  federationLink: t.id({
    nullable: true,
    description:
      'Id of the component of the storage that the user comes from, and is kept here as well; null for others.',
    select: { id: true, federationLink: true },
    resolve: (user) => componentNode(linkOf(user).federationLink),
  }),
  origin: t.id({
    nullable: true,
    description:
      'Id of the component of the storage that the user is in, which does not import its users; null for others.',
    select: { id: true, federationLink: true },
    resolve: (user) => componentNode(linkOf(user).origin),
  }),
}));

const componentNode = (id: string | undefined): string | null => (id === undefined ? null : nodeId('Component', id));

const done = {
  result: { type: ResultRef, description: 'What was done.', of: ({ result }: Synchronised) => result },
};
const howMany = {
  count: { type: 'Int', description: 'How many users these were.', of: ({ users }: { users: number }) => users },
};

mutation('userStorageSync', {
  description: 'Brings the users of a storage up to its directory.',
  operation: sync,
  input: (t) => ({
    id: t.id({ required: true, description: storageId }),
    kind: t.field({ type: SyncKind, required: true, description: 'Which users are looked at.' }),
  }),
  locate: (input, ctx) => storage(ctx, String(input.id)),
  send: ({ kind }) => ({ action: kind }),
  fieldOf: (field) => (field === 'action' ? 'kind' : field),
  values: done,
});

mutation('userStorageMapperSync', {
  description: 'Brings the groups or roles of a mapper into the realm, or those of the realm into the directory.',
  operation: mapperSync,
  input: (t) => ({
    id: t.id({ required: true, description: 'Id of the mapper, which is that of its component.' }),
    direction: t.field({ type: MapperDirection, required: true, description: 'Which way they go.' }),
  }),
  locate: async (input, ctx) => {
    const { id, realm } = await locatedNode(ctx, String(input.id), 'id', 'Component');
    const row = await ctx.db.component.findFirst({ where: { id, realmId: realm.id }, select: { parentId: true } });
    return mapperById(ctx, realm, row?.parentId ?? '', id);
  },
  send: ({ direction }) => ({ direction }),
  values: done,
});

mutation('userStorageUnlink', {
  description: 'Makes the users of a storage local ones.',
  operation: unlinkUsers,
  input: (t) => ({ id: t.id({ required: true, description: storageId }) }),
  locate: (input, ctx) => storage(ctx, String(input.id)),
  values: howMany,
});

mutation('userStorageRemoveUsers', {
  description: 'Deletes the users of a storage here. In its directory they stay.',
  operation: removeImportedUsers,
  input: (t) => ({ id: t.id({ required: true, description: storageId }) }),
  locate: (input, ctx) => storage(ctx, String(input.id)),
  values: howMany,
});

mutation('userStorageTestConnection', {
  description: 'Tries whether a directory answers, or also lets the storage in.',
  operation: testConnection,
  input: (t) => ({
    realm: t.id({ required: true, description: 'Id of the realm.' }),
    settings: t.field({
      type: 'JSON',
      required: true,
      description: 'TestLdapConnectionRepresentation of the contract; action is testConnection or testAuthentication.',
    }),
  }),
  locate: (input, ctx) => realmTarget(ctx, input.realm, 'realm'),
  send: ({ settings }) => settings,
});
