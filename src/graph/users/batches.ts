import {
  type BatchError,
  BatchRefused,
  type BatchResult,
  createMany,
  removeMany,
  updateMany,
} from '../../services/users/batch.js';
import { builder } from '../core/builder.js';
import { mutation } from '../core/mutation.js';
import { nodeId, parseId } from '../core/node.js';
import { codeOf, UserError } from '../core/user-errors.js';
import { realmTarget } from '../realms/mutations.js';
import { newUserFields, newUsersOf, userFields, userOf } from './inputs.js';
import { User } from './users.js';

const BatchErrorMode = builder.enumType('BatchErrorMode', {
  description: 'What happens to a batch if an item is refused.',
  values: {
    ROLLBACK: { description: 'Rolls back the whole batch.' },
    CONTINUE: { description: 'Performs the other items.' },
  },
});

const BatchItemError = builder.objectRef<BatchError>('BatchItemError').implement({
  description: 'Reason why an item of a batch was refused.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Index of the item in the input, starting at 0.' }),
    userErrors: t.field({
      type: [UserError],
      description: 'Errors of the item.',
      resolve: ({ kind, field, message }) => [{ code: codeOf(kind), field, message }],
    }),
  }),
});

const UserCreateItem = builder.inputType('UserCreateItem', {
  description: 'A user to create.',
  fields: newUserFields,
});

const UserUpdateItem = builder.inputType('UserUpdateItem', {
  description: 'Changes to a user. Omitted fields keep their values; null clears a nullable field.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the user.' }),
    expectedVersion: t.int({
      description:
        'Version the user must have. Otherwise the item is refused with the code `STALE`. Omit to skip the check.',
    }),
    ...userFields(t),
  }),
});

const salvage = (error: unknown): BatchResult | undefined =>
  error instanceof BatchRefused ? { done: [], errors: error.errors } : undefined;

const errors = {
  errors: {
    type: BatchItemError,
    list: true,
    description: 'Items that were refused.',
    of: (result: BatchResult) => result.errors,
  },
};
const users = {
  users: {
    type: User,
    model: 'user',
    description: 'Users that were written, in the order of the input.',
    ids: ({ done }: BatchResult) => done.map(({ id }) => id),
  },
};

const realm = 'ID of the realm of the users.';
const mode = 'What happens if an item is refused. Default `ROLLBACK`.';

mutation('usersCreate', {
  description: 'Creates up to 1000 users in one transaction.',
  operation: createMany,
  input: (t) => ({
    realm: t.id({ required: true, description: realm }),
    users: t.field({ type: [UserCreateItem], required: true, description: 'Users to create.' }),
    onError: t.field({ type: BatchErrorMode, description: mode }),
  }),
  locate: (input, ctx) => realmTarget(ctx, input.realm, 'realm'),
  send: async (input, ctx) => ({ users: await newUsersOf(ctx, input.users), onError: input.onError }),
  salvage,
  returns: users,
  values: errors,
});

mutation('usersUpdate', {
  description: 'Changes up to 1000 users in one transaction.',
  operation: updateMany,
  input: (t) => ({
    realm: t.id({ required: true, description: realm }),
    users: t.field({ type: [UserUpdateItem], required: true, description: 'Changes, each with the ID of its user.' }),
    onError: t.field({ type: BatchErrorMode, description: mode }),
  }),
  locate: (input, ctx) => realmTarget(ctx, input.realm, 'realm'),
  send: (input) => ({
    users: input.users.map(({ id, expectedVersion, ...fields }, index) => ({
      id: parseId(id, `users.${index}.id`, 'User').id,
      expectedVersion,
      user: userOf(fields),
    })),
    onError: input.onError,
  }),
  salvage,
  returns: users,
  values: errors,
});

mutation('usersDelete', {
  description: 'Deletes up to 1000 users in one transaction.',
  operation: removeMany,
  input: (t) => ({
    realm: t.id({ required: true, description: realm }),
    ids: t.idList({ required: true, description: 'IDs of the users.' }),
    onError: t.field({ type: BatchErrorMode, description: mode }),
  }),
  locate: (input, ctx) => realmTarget(ctx, input.realm, 'realm'),
  send: ({ ids, onError }) => ({ users: ids.map((id, index) => parseId(id, `ids.${index}`, 'User').id), onError }),
  salvage,
  values: {
    ...errors,
    deletedIds: {
      type: 'ID',
      list: true,
      description: 'IDs of the deleted users.',
      of: ({ done }) => done.map(({ id }) => nodeId('User', id)),
    },
  },
});
