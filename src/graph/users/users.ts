import { permissionFor } from '../../services/core/allow.js';
import { byRealm } from '../../services/core/by-realm.js';
import type { Context } from '../../services/core/context.js';
import { exactText } from '../../services/core/json.js';
import { isEmpty } from '../../services/core/operation.js';
import * as groups from '../../services/groups/operations.js';
import { realmById } from '../../services/realms/locate.js';
import { listDirect } from '../../services/role-mappings/operations.js';
import { roleKind } from '../../services/roles/locate.js';
import { importByLogin, importMatches } from '../../services/user-storage/read/look-up.js';
import { shownUsers } from '../../services/user-storage/storage-id.js';
import { listCredentials } from '../../services/users/credentials.js';
import { userFields } from '../../services/users/fields.js';
import { listGroups } from '../../services/users/groups.js';
import { getUser, listUsers, usersOfRole } from '../../services/users/list.js';
import { type UserTarget, userById } from '../../services/users/locate.js';
import { passwordHistory } from '../../services/users/store.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { Attribute, asAttributes } from '../core/filters.js';
import { guardNode, locatedNode } from '../core/node.js';
import { permitById } from '../core/permits.js';
import { relatedField } from '../core/related.js';
import { typeFields } from '../core/resource-fields.js';
import { Group, groupLists } from '../groups/groups.js';
import { Realm } from '../realms/realms.js';
import { Role, roleLists } from '../roles/roles.js';
import { userCriteria, userList } from './filter.js';
import { visibleUsers } from './visible-users.js';

const dateOf = (milliseconds: bigint | null): Date | null =>
  milliseconds === null ? null : new Date(Number(milliseconds));

/** The public data of a credential, by name. */
const dataOf = (text: string): Record<string, unknown> => {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};
const textIn = (data: string, name: string): string | null => {
  const value = dataOf(data)[name];
  return typeof value === 'string' ? value : null;
};
const numberIn = (data: string, name: string): number | null => {
  const value = dataOf(data)[name];
  return typeof value === 'number' && Number.isInteger(value) ? value : null;
};

export const Credential = builder.prismaNode('Credential', {
  id: { field: 'id' },
  select: { id: true },
  description: 'A credential of a user, such as a password or a one-time password device, without its secret.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'Type of the credential, e.g. `password`, `otp`, or `webauthn`.' }),
    label: t.exposeString('userLabel', {
      nullable: true,
      description: 'Label by which the user recognises the credential.',
    }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the credential was created.',
      select: { createdDate: true },
      resolve: ({ createdDate }) => dateOf(createdDate),
    }),
    priority: t.exposeInt('priority', {
      description: 'Position among the credentials of the user. Lower numbers come first.',
    }),
    algorithm: t.string({
      nullable: true,
      description: 'Hash algorithm of the password or of the one-time password codes.',
      select: { credentialData: true },
      resolve: ({ credentialData }) => textIn(credentialData, 'algorithm'),
    }),
    hashIterations: t.int({
      nullable: true,
      description: 'Number of hash iterations of the password.',
      select: { credentialData: true },
      resolve: ({ credentialData }) => numberIn(credentialData, 'hashIterations'),
    }),
    digits: t.int({
      nullable: true,
      description: 'Number of digits of a one-time password.',
      select: { credentialData: true },
      resolve: ({ credentialData }) => numberIn(credentialData, 'digits'),
    }),
    period: t.int({
      nullable: true,
      description: 'Seconds for which a one-time password is valid.',
      select: { credentialData: true },
      resolve: ({ credentialData }) => numberIn(credentialData, 'period'),
    }),
  }),
});

guardNode(Credential, listCredentials, {
  realmPath: ['user'],
  reads: { userId: true },
  about: ({ userId }) => ({ kind: 'user', id: String(userId) }),
  only: { type: { not: passwordHistory } },
  shown: (realm) => {
    const user = shownUsers(realm);
    return isEmpty(user) ? {} : { user };
  },
});

builder.prismaObject('FederatedIdentity', {
  description: 'A link from a user to an account at an identity provider.',
  fields: (t) => ({
    identityProviderAlias: t.exposeString('identityProvider', {
      description: 'Alias of the identity provider, as the user keeps it.',
    }),
    userId: t.exposeString('externalUserId', { description: 'ID of the user at the identity provider.' }),
    username: t.exposeString('externalUsername', { nullable: true, description: 'Username at the identity provider.' }),
  }),
});

export const User = builder.prismaNode('User', {
  id: { field: 'id' },
  select: { id: true, realmId: true },
  description: 'A user: a person or the service account of a client.',
  fields: (t) => ({
    ...typeFields(userFields, (field) => t.field(field)),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the user was created. Null if it was imported without this time.',
      select: { createdTimestamp: true },
      resolve: ({ createdTimestamp }) => dateOf(createdTimestamp),
    }),
    version: t.exposeInt('version', {
      description: 'Version of the object. Increases by one with every change. Pass it as `expectedVersion`.',
    }),
    realm: t.relation('realm', { description: 'The realm of the user.' }),
    attributes: t.field({
      type: [Attribute],
      description: 'Custom attributes, ordered by name.',
      select: { attributes: { select: { name: true, value: true }, orderBy: [{ name: 'asc' }, { position: 'asc' }] } },
      resolve: ({ attributes }) => asAttributes(attributes),
    }),
    requiredActionAliases: t.stringList({
      description:
        'Aliases of the required actions that the user must perform at the next login, including those that the realm has not registered.',
      select: { requiredActions: true },
      resolve: ({ requiredActions }) => requiredActions as string[],
    }),
    isServiceAccount: t.boolean({
      description: 'Whether the user is the service account of a client.',
      select: { serviceAccountClientId: true },
      resolve: ({ serviceAccountClientId }) => serviceAccountClientId !== null,
    }),
    credentials: t.relation('credentials', {
      type: Credential,
      nullable: true,
      description: 'Credentials of the user, in order.',
      query: { where: { type: { not: passwordHistory } }, orderBy: [{ priority: 'asc' }, { id: 'asc' }] },
      requires: listCredentials,
    }),
    federatedIdentities: t.relation('federatedIdentities', {
      description: 'Links to accounts at identity providers.',
      query: { orderBy: [{ identityProvider: 'asc' }] },
    }),
  }),
});

guardNode(User, getUser, { shown: shownUsers });

export const UserConnection = connectionType('User', User);

/** The common parts of all lists of users. */
const users = { list: userList, connection: UserConnection };

/** Rows that join users to something have the names of the users themselves. */
const joinedUsers = { joined: { username: 'username' }, order: [{ path: 'username' }, { path: 'userId' }] };

relatedField(Realm, 'users', {
  ...users,
  relation: 'users',
  listing: listUsers,
  description: 'Users of the realm.',
  fetch: async (ctx, realmId, { filter }) => {
    const criteria = filter ? userCriteria(filter) : {};
    if (ctx.unit || Object.keys(criteria).length === 0) return false;
    return importMatches(ctx.services, await realmById(ctx, realmId), criteria);
  },
});

relatedField(Role, 'users', {
  ...users,
  relation: 'users',
  through: 'user',
  listing: usersOfRole,
  kind: roleKind,
  description: 'Users with a direct mapping of the role.',
  ...joinedUsers,
});

relatedField(Group, 'members', {
  ...users,
  relation: 'users',
  through: 'user',
  requires: groups.get,
  emptyWithout: groups.members,
  description: 'Direct members of the group, without members of its subgroups.',
  ...joinedUsers,
});

relatedField(User, 'groups', {
  relation: 'groups',
  through: 'group',
  listing: listGroups,
  visibleAs: groups.listGroups,
  ...groupLists,
  description: 'Groups the user is a direct member of, ordered by name.',
});

relatedField(User, 'directRoles', {
  relation: 'roles',
  through: 'role',
  listing: listDirect,
  kind: 'user',
  ...roleLists,
  description: 'Realm and client roles mapped directly to the user, ordered by name.',
});

builder.prismaObjectField(Realm, 'user', (t) =>
  t.prismaField({
    type: User,
    nullable: true,
    description: 'The user with this username. Null if it does not exist.',
    requires: { operation: getUser, otherwise: 'NULL', isChecked: true },
    args: { username: t.arg.string({ required: true, description: 'Username of the user. Case-insensitive.' }) },
    resolve: async (query, { id: realmId }, { username }, ctx) => {
      const permit = await permitById(ctx, realmId);
      if (!permit.can(permissionFor(getUser)) && !permit.delegation) return null;
      const name = username.toLowerCase();
      const users = byRealm(ctx, `user ${exactText([name, query])}`, async (realmIds) => {
        const visible = await Promise.all(realmIds.map((id) => visibleUsers(ctx, id)));
        const found = await ctx.db.user.findMany({ ...query, where: { username: name, OR: visible } });
        return new Map(found.map((one) => [one.realmId, one]));
      });
      const user = await users.load(realmId);
      const realm = await realmById(ctx, realmId);
      if (user || ctx.unit || realm.components.length === 0) return user;
      return (await importByLogin(ctx.services, realmId, name, false)) ? users.load(realmId) : null;
    },
  }),
);

/** The user with this ID, wherever the caller may see it. */
export async function userTarget(ctx: Context, id: string, field = 'id'): Promise<UserTarget> {
  const found = await locatedNode(ctx, id, field, 'User');
  return userById(ctx, found.realm, found.id);
}
