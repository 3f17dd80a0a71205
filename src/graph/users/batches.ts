import {
  type BatchError,
  BatchRefused,
  type BatchResult,
  createMany,
  removeMany,
  updateMany,
} from '../../services/users/batch.js';
import { builder } from '../core/builder.js';
import { codeOf, mutation, UserError } from '../core/mutation.js';
import { nodeId, parseId } from '../core/node.js';
import { realmTarget } from '../realms/mutations.js';
import { newUserFields, newUsersOf, userFields, userOf } from './inputs.js';
import { User } from './users.js';

const BatchErrorMode = builder.enumType('BatchErrorMode', {
  description: 'What happens to a batch when one of its items is refused.',
  values: {
    ROLLBACK: { description: 'Nothing is done.' },
    CONTINUE: { description: 'The other items are done.' },
  },
});

const BatchItemError = builder.objectRef<BatchError>('BatchItemError').implement({
  description: 'Why an item of a batch was refused.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Its place in the input, counted from 0.' }),
    userErrors: t.field({
      type: [UserError],
      description: 'What is wrong with it.',
      resolve: ({ kind, field, message }) => [{ code: codeOf(kind), field, message }],
    }),
  }),
});

const UserCreateItem = builder.inputType('UserCreateItem', {
  description: 'A user to be created.',
  fields: newUserFields,
});

const UserUpdateItem = builder.inputType('UserUpdateItem', {
  description: 'Changes of a user. Fields that are left out stay; null clears a field that can be empty.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the user.' }),
    expectedVersion: t.int({ description: 'Refuse with STALE unless the user still has this version.' }),
    ...userFields(t),
  }),
});

const salvage = (error: unknown): BatchResult | undefined =>
  error instanceof BatchRefused ? { done: [], errors: error.errors } : undefined;

const errors = {
  errors: {
    type: BatchItemError,
    list: true,
    description: 'The items that were refused.',
    of: (result: BatchResult) => result.errors,
  },
};
const users = {
  users: {
    type: User,
    model: 'user',
    description: 'The users that were written, in the order of the input.',
    ids: ({ done }: BatchResult) => done.map(({ id }) => id),
  },
};

const realm = 'Id of the realm that the users are in.';
const mode = 'What happens when one is refused; ROLLBACK unless told.';

mutation('usersCreate', {
  description: 'Creates up to 1000 users in one transaction.',
  operation: createMany,
  input: (t) => ({
    realm: t.id({ required: true, description: realm }),
    users: t.field({ type: [UserCreateItem], required: true, description: 'The users.' }),
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
    users: t.field({ type: [UserUpdateItem], required: true, description: 'What to change of whom.' }),
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
    ids: t.idList({ required: true, description: 'Ids of the users.' }),
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
      description: 'Ids of the users that are gone.',
      of: ({ done }) => done.map(({ id }) => nodeId('User', id)),
    },
  },
});
