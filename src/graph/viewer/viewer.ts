import { perform } from '../../services/core/perform.js';
import type { HeldPermission } from '../../services/permissions/held.js';
import * as realms from '../../services/realms/operations.js';
import { getUser } from '../../services/users/list.js';
import {
  type CallerPermissions,
  callerPermissions,
  consoleRealm,
  type WhoAmI,
  whoAmI,
} from '../../services/whoami/operations.js';
import { batchingClient } from '../core/batching.js';
import { builder } from '../core/builder.js';
import { isVisible, nodeId } from '../core/node.js';
import { PermissionEnum } from '../core/permission-enum.js';
import { Realm } from '../realms/realms.js';
import { User } from '../users/users.js';

const Held = builder.objectRef<HeldPermission>('HeldPermission').implement({
  description: 'A permission of the caller for all objects of a realm.',
  fields: (t) => ({
    permission: t.expose('permission', {
      type: PermissionEnum,
      description: 'The permission, as the directive `requires` names it.',
    }),
    roleNames: t.exposeStringList('roles', {
      description:
        "The caller's administration roles that give the permission. Empty if fine-grained permissions give it, or every caller has it.",
    }),
  }),
});

const RealmPermissions = builder.objectRef<CallerPermissions>('RealmPermissions').implement({
  description: 'What the caller may do in one realm.',
  fields: (t) => ({
    realm: t.prismaField({
      type: Realm,
      nullable: true,
      description: 'The realm.',
      requires: { operation: realms.name, otherwise: 'NULL', isChecked: true },
      resolve: async (query, { realmId: id }, _args, ctx) =>
        (await isVisible(ctx, { typename: 'Realm', id }))
          ? batchingClient(ctx).realm.findUnique({ ...query, where: { id } })
          : null,
    }),
    realmName: t.exposeString('realm', { description: 'Name of the realm that the permissions apply to.' }),
    roleNames: t.exposeStringList('roles', { description: "Names of the caller's administration roles in the realm." }),
    permissions: t.field({
      type: [Held],
      description:
        'Permissions of the caller for all objects of the realm. Those for single objects are the `viewerCan` of each object.',
      resolve: ({ permissions }) => permissions,
    }),
  }),
});

/** The caller. */
export const Viewer = builder.objectRef<WhoAmI>('Viewer').implement({
  description: 'The caller: the user to whom the bearer token was issued.',
  fields: (t) => ({
    userId: t.id({
      description: 'ID of the user, also for callers who may not view it as an object.',
      resolve: ({ userId }) => nodeId('User', userId),
    }),
    user: t.prismaField({
      type: User,
      nullable: true,
      description: 'The user as an object of its realm.',
      requires: { operation: getUser, otherwise: 'NULL', isChecked: true },
      resolve: async (query, { userId: id }, _args, ctx) =>
        (await isVisible(ctx, { typename: 'User', id }))
          ? batchingClient(ctx).user.findUnique({ ...query, where: { id } })
          : null,
    }),
    realm: t.exposeString('realm', { description: 'Name of the realm that the user belongs to.' }),
    displayName: t.exposeString('displayName', { description: 'Display name of the user.' }),
    locale: t.exposeString('locale', { description: "BCP 47 tag of the user's language." }),
    canCreateRealms: t.exposeBoolean('createRealm', { description: 'Whether the user may create realms.' }),
    permissions: t.field({
      type: [RealmPermissions],
      description:
        'What the caller may do in each realm, ordered by the name of the realm. Realms without any permission are left out.',
      args: { realm: t.arg.string({ description: 'Name of a realm. Omit for all realms.' }) },
      resolve: async (_viewer, { realm }, ctx) => {
        const all = await perform(ctx, callerPermissions, (at) => consoleRealm(at, at.caller.realmName));
        return realm == null ? all : all.filter((one) => one.realm === realm);
      },
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description: 'The caller and its permissions.',
    resolve: (_root, _args, ctx) => perform(ctx, whoAmI, (at) => consoleRealm(at, at.caller.realmName)),
  }),
);
