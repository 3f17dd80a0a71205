import type { Context } from '../../services/core/context.js';
import { realmById } from '../../services/realms/locate.js';
import { importByLogin, importMatches } from '../../services/user-storage/look-up.js';
import { type UserTarget, userById } from '../../services/users/locate.js';
import { passwordHistory } from '../../services/users/store.js';
import { builder } from '../core/builder.js';
import { connectionType, pageArgs, related } from '../core/connection.js';
import { Attribute, asAttributes } from '../core/filters.js';
import { guardNode, isAllowed, locatedNode, nodeId, permitById, requireAllowed } from '../core/node.js';
import { Group, GroupConnection } from '../groups/groups.js';
import { Realm } from '../realms/realms.js';
import { Role, RoleConnection, RoleFilter, roleWhere } from '../roles/roles.js';
import {
  joinedUserOrder,
  UserFilter,
  type UserFilterValue,
  UserOrder,
  type UserOrderValue,
  userCriteria,
  userOrder,
  userWhere,
} from './filter.js';

const dateOf = (milliseconds: bigint | null): Date | null =>
  milliseconds === null ? null : new Date(Number(milliseconds));

/** What the public part of a credential says, by name. */
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

const Credential = builder.prismaObject('Credential', {
  description: 'A password or device that a user logs in with. Nothing of it is secret.',
  fields: (t) => ({
    id: t.id({
      description: 'Id of the credential.',
      select: { id: true },
      resolve: ({ id }) => nodeId('Credential', id),
    }),
    type: t.exposeString('type', { description: 'Kind of credential: password, otp, webauthn …' }),
    label: t.exposeString('userLabel', { nullable: true, description: 'Name that tells it from others.' }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was set.',
      select: { createdDate: true },
      resolve: ({ createdDate }) => dateOf(createdDate),
    }),
    priority: t.exposeInt('priority', { description: 'Its place among the credentials of the user, lowest first.' }),
    algorithm: t.string({
      nullable: true,
      description: 'How a password is hashed or the codes of a device are computed.',
      select: { credentialData: true },
      resolve: ({ credentialData }) => textIn(credentialData, 'algorithm'),
    }),
    hashIterations: t.int({
      nullable: true,
      description: 'How often a password is hashed.',
      select: { credentialData: true },
      resolve: ({ credentialData }) => numberIn(credentialData, 'hashIterations'),
    }),
    digits: t.int({
      nullable: true,
      description: 'Length of the codes of a device.',
      select: { credentialData: true },
      resolve: ({ credentialData }) => numberIn(credentialData, 'digits'),
    }),
    period: t.int({
      nullable: true,
      description: 'Seconds for which a code of a device holds.',
      select: { credentialData: true },
      resolve: ({ credentialData }) => numberIn(credentialData, 'period'),
    }),
  }),
});

builder.prismaObject('FederatedIdentity', {
  description: 'The account of a user at an identity provider.',
  fields: (t) => ({
    identityProvider: t.exposeString('identityProvider', { description: 'Alias of the identity provider.' }),
    userId: t.exposeString('externalUserId', { description: 'Id of the user there.' }),
    username: t.exposeString('externalUsername', { nullable: true, description: 'User name there.' }),
  }),
});

export const User = builder.prismaNode('User', {
  id: { field: 'id' },
  select: { id: true, realmId: true },
  description: 'A person, or a client’s service account, that can log in to a realm.',
  fields: (t) => ({
    username: t.exposeString('username', { description: 'Unique in the realm, in lower case.' }),
    email: t.exposeString('email', { nullable: true, description: 'E-mail address, in lower case.' }),
    emailVerified: t.exposeBoolean('emailVerified', { description: 'Whether the address is known to be the user’s.' }),
    firstName: t.exposeString('firstName', { nullable: true, description: 'First name.' }),
    lastName: t.exposeString('lastName', { nullable: true, description: 'Last name.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether the user can log in.' }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the user was created; unknown for imported users without it.',
      select: { createdTimestamp: true },
      resolve: ({ createdTimestamp }) => dateOf(createdTimestamp),
    }),
    version: t.exposeInt('version', { description: 'Grows with every change; give it as expectedVersion.' }),
    realm: t.relation('realm', { description: 'The realm that the user is in.' }),
    attributes: t.field({
      type: [Attribute],
      description: 'Free data, by name.',
      select: { attributes: { select: { name: true, value: true }, orderBy: [{ name: 'asc' }, { position: 'asc' }] } },
      resolve: ({ attributes }) => asAttributes(attributes),
    }),
    requiredActions: t.stringList({
      description: 'Aliases of the actions that the user has to perform at the next login.',
      select: { requiredActions: true },
      resolve: ({ requiredActions }) => requiredActions as string[],
    }),
    isServiceAccount: t.boolean({
      description: 'Whether a client acts as this user.',
      select: { serviceAccountClientId: true },
      resolve: ({ serviceAccountClientId }) => serviceAccountClientId !== null,
    }),
    credentials: t.field({
      type: [Credential],
      nullable: true,
      description: 'Passwords and devices in their order. Takes manage-users.',
      select: (_args, _ctx, nested) => ({
        credentials: nested({
          where: { type: { not: passwordHistory } },
          orderBy: [{ priority: 'asc' }, { id: 'asc' }],
        }) as { where: object },
      }),
      resolve: async (user, _args, ctx) => {
        await requireAllowed(ctx, user.realmId, 'manage:users', { kind: 'user', id: user.id });
        return (user as unknown as { credentials: never[] }).credentials;
      },
    }),
    federatedIdentities: t.relation('federatedIdentities', {
      description: 'The accounts at identity providers that the user is linked to.',
      query: { orderBy: [{ identityProvider: 'asc' }] },
    }),
    viewerCanManage: t.boolean({
      description: 'Whether the caller may change the user.',
      resolve: ({ id, realmId }, _args, ctx) => isAllowed(ctx, realmId, 'manage:users', { kind: 'user', id }),
    }),
    viewerCanImpersonate: t.boolean({
      description: 'Whether the caller may log in as the user.',
      resolve: ({ id, realmId }, _args, ctx) => isAllowed(ctx, realmId, 'impersonate:users', { kind: 'user', id }),
    }),
  }),
});

guardNode('User', 'User', 'view:users');

const UserConnection = connectionType('User', User);

interface UserListArgs {
  filter?: UserFilterValue | null;
  orderBy?: UserOrderValue | null;
}

const listArgs = {
  ...pageArgs,
  ...builder.args((t) => ({
    filter: t.field({ type: UserFilter, description: 'Which of them.' }),
    orderBy: t.field({ type: UserOrder, description: 'In which order; by user name unless told.' }),
  })),
};
const whereOf = ({ filter }: UserListArgs) => (filter ? { ...userWhere(filter) } : {});

const ofRealm = related<UserListArgs>({
  parent: 'realm',
  relation: 'users',
  where: whereOf,
  order: ({ orderBy }) => userOrder(orderBy),
  permission: 'query:users',
  visible: 'view:users',
  fetch: async (ctx, realmId, { filter }) => {
    const criteria = filter ? userCriteria(filter) : {};
    if (ctx.unit || Object.keys(criteria).length === 0) return false;
    return importMatches(ctx.services, await realmById(ctx, realmId), criteria);
  },
});
const ofRole = related<UserListArgs>({
  parent: 'role',
  relation: 'users',
  through: 'user',
  where: whereOf,
  order: ({ orderBy }) => joinedUserOrder(orderBy),
  permission: ({ clientId }) => (clientId === null ? 'view:realm' : 'view:clients'),
  visible: 'view:users',
});
const ofGroup = related<UserListArgs>({
  parent: 'group',
  relation: 'users',
  through: 'user',
  where: whereOf,
  order: ({ orderBy }) => joinedUserOrder(orderBy),
  permission: 'view:groups',
  visible: 'view:members',
});
const groupsOf = related({
  parent: 'user',
  relation: 'groups',
  through: 'group',
  order: [{ path: 'group.name' }, { path: 'groupId' }],
  permission: 'view:users',
  visible: 'view:groups',
});
const rolesOf = related<{ filter?: Parameters<typeof roleWhere>[0] | null }>({
  parent: 'user',
  relation: 'roles',
  through: 'role',
  where: ({ filter }) => (filter ? { ...roleWhere(filter) } : {}),
  order: [{ path: 'role.name' }, { path: 'roleId' }],
  permission: 'view:users',
});

const usersField = (description: string, field: object) =>
  ({ type: UserConnection, nullable: true, description, args: listArgs, ...field }) as never;

builder.prismaObjectField(Realm, 'users', (t) =>
  t.field(usersField('The users, by user name. Empty for callers who may look for users but not see them.', ofRealm)),
);
builder.prismaObjectField(Role, 'users', (t) => t.field(usersField('The users who have the role directly.', ofRole)));
builder.prismaObjectField(Group, 'members', (t) =>
  t.field(usersField('The users who are in the group itself, not in one below it.', ofGroup)),
);
builder.prismaObjectFields(User, (t) => ({
  groups: t.field({
    type: GroupConnection,
    nullable: true,
    description: 'The groups that the user is in itself, by name; only those that the caller may see.',
    args: pageArgs,
    ...(groupsOf as object),
  } as never),
  directRoles: t.field({
    type: RoleConnection,
    nullable: true,
    description: 'The realm and client roles that the user has itself, by name.',
    args: {
      ...pageArgs,
      ...builder.args((a) => ({ filter: a.field({ type: RoleFilter, description: 'Which of them.' }) })),
    },
    ...(rolesOf as object),
  } as never),
}));

builder.prismaObjectField(Realm, 'user', (t) =>
  t.prismaField({
    type: User,
    nullable: true,
    description: 'The user with this name; null when there is none or the caller may not see it.',
    args: { username: t.arg.string({ required: true, description: 'The user name, whatever the case.' }) },
    resolve: async (query, { id: realmId }, { username }, ctx) => {
      const permit = await permitById(ctx, realmId);
      if (!permit.can('view:users') && !permit.delegation) return null;
      const named = { realmId, username: username.toLowerCase() };
      const find = () => ctx.db.user.findFirst({ ...query, where: { ...named, AND: [permit.visible('users')] } });
      const user = await find();
      const { components } = await realmById(ctx, realmId);
      if (user || ctx.unit || components.length === 0) return user;
      return (await importByLogin(ctx.services, realmId, named.username, false)) ? find() : null;
    },
  }),
);

/** The user with this id, wherever the caller may see it. */
export async function userTarget(ctx: Context, id: string, field = 'id'): Promise<UserTarget> {
  const found = await locatedNode(ctx, id, field, 'User');
  return userById(ctx, found.realm, found.id);
}
