import type { Context } from '../../services/core/context.js';
import type { Target } from '../../services/core/target.js';
import { createMany, removeMany } from '../../services/users/batch.js';
import {
  addRolesMany,
  joinGroupsMany,
  type LinkResult,
  leaveGroupsMany,
  removeRolesMany,
} from '../../services/users/batch-links.js';
import { updateMany } from '../../services/users/batch-update.js';
import { mostMatches, removeMatching, updateMatching } from '../../services/users/matching.js';
import {
  batchDelete,
  batchUpdate,
  deletedIdsOf,
  itemPath,
  leftOut,
  onErrorField,
  rolesField,
  writtenBy,
} from '../core/batch.js';
import { builder } from '../core/builder.js';
import { requireNoNull } from '../core/filters.js';
import type { FilterValue } from '../core/list-type.js';
import { mutation } from '../core/mutation.js';
import { locatedNode, parseId, parseIds } from '../core/node.js';
import type { InputBuilder } from '../core/setting-types.js';
import { Group } from '../groups/groups.js';
import { realmTarget } from '../realms/mutations.js';
import { userList } from './filter.js';
import { changeInputs, fieldOf, newUserFields, newUsersOf, partialFields, userPatch } from './inputs.js';
import { User } from './users.js';

const UserCreateItem = builder.inputType('UserCreateItem', {
  description: 'A user to create.',
  fields: newUserFields,
});

const UserChanges = builder.inputType('UserChanges', {
  description: 'Changes that many users can have in common. Omitted fields keep their values.',
  fields: (t) => ({
    isEnabled: t.boolean({ description: 'Whether the users can log in.' }),
    isEmailVerified: t.boolean({ description: 'Whether the email addresses are verified.' }),
    ...partialFields(t),
  }),
});

/** The inputs that choose users by a filter. */
const matchingFields = (t: InputBuilder) => ({
  filter: t.field({ type: userList.filter, required: true, description: 'Chooses the users.' }),
  limit: t.int({
    required: true,
    description: `Most users that may match, at most ${mostMatches}. If more do, nothing is changed.`,
  }),
});

/** A filter in the form of the operations, which evaluate it in their transaction. */
async function matching({ filter, limit }: { filter: FilterValue; limit: number }, ctx: Context, { realm }: Target) {
  requireNoNull(filter);
  // refuses invalid IDs
  userList.where({ filter });
  return { where: userList.where({ filter: await userList.seen(ctx, realm.id, { filter }) }), limit };
}

/**
 * Maps error paths for an input that selects users by a filter: a fault of one user becomes a fault of the filter or
 * the changes.
 */
const fieldOfMatch = (field: string): string =>
  field.replace(/^(?:users\.\d+\.?)?(?:user\.)?(.*)$/, (whole, rest: string) => {
    if (whole === rest) return whole;
    return rest === '' ? 'filter' : `changes.${fieldOf(rest)}`;
  });

const kind = { type: User, one: 'user', list: 'users' };
const users = writtenBy(kind);

const realm = 'ID of the realm of the users.';

mutation('usersCreate', {
  description: 'Creates up to 1000 users in one transaction.',
  operation: createMany,
  input: (t) => ({
    realm: t.id({ required: true, description: realm }),
    users: t.field({ type: [UserCreateItem], required: true, description: 'Users to create.' }),
    onError: onErrorField(t),
  }),
  locate: (input, ctx) => realmTarget(ctx, input.realm, 'realm'),
  fieldOf: itemPath(kind, fieldOf),
  send: async (input, ctx, { realm: { id } }) => ({
    users: await newUsersOf(ctx, id, input.users, 'users'),
    onError: input.onError,
  }),
  leftOut,
  returns: users,
});

batchUpdate(kind, {
  description: 'Changes up to 1000 users in one transaction.',
  operation: updateMany,
  inputs: (t) => ({ ...changeInputs(t), ...partialFields(t) }),
  patch: userPatch,
  fieldOf,
  locate: (ctx, id) => realmTarget(ctx, id, 'realm'),
});

mutation('usersUpdateMatching', {
  description: 'Changes the users that match a filter, in one transaction.',
  operation: updateMatching,
  input: (t) => ({
    realm: t.id({ required: true, description: realm }),
    ...matchingFields(t),
    changes: t.field({ type: UserChanges, required: true, description: 'Changes to each of the users.' }),
    onError: onErrorField(t),
  }),
  locate: (input, ctx) => realmTarget(ctx, input.realm, 'realm'),
  fieldOf: fieldOfMatch,
  send: async (input, ctx, target) => ({
    ...(await matching(input, ctx, target)),
    user: userPatch(input.changes),
    onError: input.onError,
  }),
  leftOut,
  returns: users,
});

batchDelete(kind, {
  description: 'Deletes up to 1000 users in one transaction.',
  operation: removeMany,
});

mutation('usersDeleteMatching', {
  description: 'Deletes the users that match a filter, in one transaction.',
  operation: removeMatching,
  input: (t) => ({
    realm: t.id({ required: true, description: realm }),
    ...matchingFields(t),
    onError: onErrorField(t),
  }),
  locate: (input, ctx) => realmTarget(ctx, input.realm, 'realm'),
  fieldOf: fieldOfMatch,
  send: async (input, ctx, target) => ({ ...(await matching(input, ctx, target)), onError: input.onError }),
  leftOut,
  values: deletedIdsOf('User', 'users'),
});

const linked = (t: InputBuilder) => ({
  realm: t.id({ required: true, description: realm }),
  users: t.idList({ required: true, description: 'IDs of the users.' }),
  onError: onErrorField(t),
});
const linkedUsers = (input: { users: string[]; onError?: 'ROLLBACK' | 'CONTINUE' | null }) => ({
  users: parseIds(input.users, 'users', 'User'),
  onError: input.onError,
});

for (const [name, operation, description] of [
  ['usersJoinGroups', joinGroupsMany, 'Adds up to 1000 users to groups in one transaction.'],
  ['usersLeaveGroups', leaveGroupsMany, 'Removes up to 1000 users from groups in one transaction.'],
] as const) {
  mutation(name, {
    description: `${description} At most 10,000 pairs of a user and a group.`,
    operation,
    input: (t) => ({
      ...linked(t),
      groups: t.idList({ required: true, description: 'IDs of the groups. They must belong to the same realm.' }),
    }),
    locate: (input, ctx) => realmTarget(ctx, input.realm, 'realm'),
    send: (input) => ({ ...linkedUsers(input), groups: parseIds(input.groups, 'groups', 'Group') }),
    leftOut,
    returns: users,
  });
}

for (const [name, operation, description] of [
  ['usersAddRoles', addRolesMany, 'Maps roles to up to 1000 users in one transaction.'],
  ['usersRemoveRoles', removeRolesMany, 'Removes role mappings from up to 1000 users in one transaction.'],
] as const) {
  mutation(name, {
    description: `${description} At most 10,000 pairs of a user and a role.`,
    operation,
    input: (t) => ({
      ...linked(t),
      roles: rolesField(t),
    }),
    locate: (input, ctx) => realmTarget(ctx, input.realm, 'realm'),
    send: (input) => ({ ...linkedUsers(input), roles: parseIds(input.roles, 'roles', 'Role') }),
    leftOut,
    returns: users,
  });
}

for (const [name, operation, description] of [
  ['groupAddMembers', joinGroupsMany, 'Adds up to 1000 users to a group in one transaction.'],
  ['groupRemoveMembers', leaveGroupsMany, 'Removes up to 1000 users from a group in one transaction.'],
] as const) {
  mutation(name, {
    description,
    operation,
    input: (t) => ({
      id: t.id({ required: true, description: 'ID of the group.' }),
      users: t.idList({ required: true, description: 'IDs of the users. They must belong to the same realm.' }),
      onError: onErrorField(t),
    }),
    locate: async ({ id }, ctx) => ({ realm: (await locatedNode(ctx, id, 'id', 'Group')).realm }),
    send: (input) => ({ ...linkedUsers(input), groups: [parseId(input.id, 'id', 'Group').id] }),
    fieldOf: (field) => (field.startsWith('groups') ? 'id' : field),
    leftOut,
    returns: {
      group: {
        type: Group,
        model: 'group',
        description: 'The group after the change.',
        id: ({ ids }: LinkResult) => ids[0],
      },
      ...users,
    },
  });
}
