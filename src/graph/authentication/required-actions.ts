import { type RequiredActionTarget, requiredActionByAlias } from '../../services/authentication/locate.js';
import * as actions from '../../services/authentication/required-actions.js';
import type { Context } from '../../services/core/context.js';
import { notFound } from '../../services/core/refusal.js';
import { realmById } from '../../services/realms/locate.js';
import { builder } from '../core/builder.js';
import { connectionType, pageArgs, related } from '../core/connection.js';
import { mutation } from '../core/mutation.js';
import { guardNode, locatedNode, nodeId, permitById } from '../core/node.js';
import { realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';

const RequiredAction = builder.prismaNode('RequiredAction', {
  id: { field: 'id' },
  select: { id: true, realmId: true },
  description: 'Something that users can be told to do when they log in next.',
  fields: (t) => ({
    alias: t.exposeString('alias', { description: 'Unique in the realm; what users have of it.' }),
    name: t.exposeString('name', { nullable: true, description: 'Its name for people.' }),
    providerId: t.exposeString('providerId', { description: 'What it does, by name.' }),
    isEnabled: t.exposeBoolean('enabled', { description: 'Whether users can be told to.' }),
    isDefault: t.exposeBoolean('defaultAction', { description: 'Whether every new user is told to.' }),
    priority: t.exposeInt('priority', { description: 'Users do several in the order of their priorities.' }),
    version: t.exposeInt('version', { description: 'Grows with every change; give it as expectedVersion.' }),
    realm: t.relation('realm', { description: 'The realm that it is in.' }),
  }),
});

guardNode('RequiredAction', 'RequiredAction', 'view:required-actions');

const RequiredActionConnection = connectionType('RequiredAction', RequiredAction);

const Unregistered = builder.objectRef<{ name: string; providerId: string }>('UnregisteredRequiredAction').implement({
  description: 'A required action that the server has and the realm has not.',
  fields: (t) => ({
    providerId: t.exposeString('providerId', { description: 'What it does, by name.' }),
    name: t.exposeString('name', { description: 'Its name for people.' }),
  }),
});

const ofRealm = related({
  parent: 'realm',
  relation: 'requiredActions',
  order: [{ path: 'priority' }, { path: 'id' }],
  permission: 'view:required-actions',
});

builder.prismaObjectFields(Realm, (t) => ({
  requiredActions: t.field({
    type: RequiredActionConnection,
    nullable: true,
    description: 'What users can be told to do, in its order. Takes view-realm, view-users or query-users.',
    args: pageArgs,
    ...(ofRealm as object),
  } as never),
  unregisteredRequiredActions: t.field({
    type: [Unregistered],
    nullable: true,
    description: 'What else the server has of this kind. Takes view-realm.',
    resolve: async ({ id }, _args, ctx) => {
      (await permitById(ctx, id)).require('view:realm');
      return actions.unregisteredIn(ctx, await realmById(ctx, id));
    },
  }),
}));

async function actionTarget(ctx: Context, globalId: string): Promise<RequiredActionTarget> {
  const { realm, id } = await locatedNode(ctx, globalId, 'id', 'RequiredAction');
  const row = await ctx.db.requiredAction.findUnique({ where: { id }, select: { alias: true } });
  if (!row) throw notFound('There is no such required action', 'id');
  return requiredActionByAlias(ctx, realm, row.alias);
}

const theAction = {
  requiredAction: {
    type: RequiredAction,
    model: 'requiredAction',
    description: 'The required action as it is now.',
    id: ({ id }: { id: string }) => id,
  },
};
const itsId = 'Id of the required action.';

mutation('requiredActionRegister', {
  description: 'Registers a required action that the server has, switched on and after all others.',
  operation: actions.register,
  input: (t) => ({
    realm: t.id({ required: true, description: 'Id of the realm.' }),
    providerId: t.string({ required: true, description: 'What it does, by name.' }),
    name: t.string({ description: 'Its name for people.' }),
  }),
  locate: ({ realm }, ctx) => realmTarget(ctx, realm, 'realm'),
  send: ({ providerId, name }) => ({ providerId, name }),
  returns: theAction,
});

mutation('requiredActionUpdate', {
  description: 'Changes a required action. What is left out stays.',
  operation: actions.patchRequiredAction,
  input: (t) => ({
    id: t.id({ required: true, description: itsId }),
    alias: t.string({ description: 'Unique in the realm.' }),
    name: t.string({ description: 'Its name for people.' }),
    isEnabled: t.boolean({ description: 'Whether users can be told to.' }),
    isDefault: t.boolean({ description: 'Whether every new user is told to.' }),
  }),
  locate: ({ id }, ctx) => actionTarget(ctx, id),
  send: ({ alias, name, isEnabled, isDefault }) => ({ alias, name, enabled: isEnabled, defaultAction: isDefault }),
  fieldOf: (field) => ({ enabled: 'isEnabled', defaultAction: 'isDefault' })[field] ?? field,
  returns: theAction,
});

for (const [name, operation, description] of [
  ['requiredActionRaise', actions.raiseRequiredAction, 'Moves a required action before the one that comes before it.'],
  ['requiredActionLower', actions.lowerRequiredAction, 'Moves a required action after the one that comes after it.'],
] as const) {
  mutation(name, {
    description,
    operation,
    input: (t) => ({ id: t.id({ required: true, description: itsId }) }),
    locate: ({ id }, ctx) => actionTarget(ctx, id),
    returns: theAction,
  });
}

mutation('requiredActionDelete', {
  description: 'Takes a required action out of the realm; it can be registered again.',
  operation: actions.removeRequiredAction,
  input: (t) => ({ id: t.id({ required: true, description: itsId }) }),
  locate: ({ id }, ctx) => actionTarget(ctx, id),
  values: {
    deletedId: {
      type: 'ID',
      description: 'Id of the required action that is gone.',
      of: ({ id }) => nodeId('RequiredAction', id),
    },
  },
});
