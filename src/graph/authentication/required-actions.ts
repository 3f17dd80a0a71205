import { type RequiredActionTarget, requiredActionByAlias } from '../../services/authentication/locate.js';
import * as actions from '../../services/authentication/required-actions.js';
import type { Context } from '../../services/core/context.js';
import { textsOf } from '../../services/core/json.js';
import { notFound } from '../../services/core/refusal.js';
import { newerRequiredActions, requiredActions } from '../../services/realms/defaults/required-actions.js';
import { realmById } from '../../services/realms/locate.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { listType, onOptionalText, onText, whether } from '../core/list-type.js';
import { mutation } from '../core/mutation.js';
import { byName } from '../core/names.js';
import { guardNode, locatedNode, nodeId } from '../core/node.js';
import { optionalText } from '../core/optional-text.js';
import { relatedField } from '../core/related.js';
import { fieldNamed } from '../core/wire-names.js';
import { realmTarget } from '../realms/mutations.js';
import { Realm } from '../realms/realms.js';
import { User } from '../users/users.js';

export const RequiredAction = builder.prismaNode('RequiredAction', {
  id: { field: 'id' },
  select: { id: true, realmId: true },
  description: 'An action that a user must perform at the next login, such as updating the password.',
  fields: (t) => ({
    alias: t.exposeString('alias', {
      description: 'Alias of the required action, unique in the realm. Users list it in `requiredActionAliases`.',
    }),
    name: t.string(optionalText('name', 'Display name of the required action.')),
    providerId: t.exposeString('providerId', {
      description: 'ID of the provider that implements the action, e.g. `UPDATE_PASSWORD`.',
    }),
    isEnabled: t.exposeBoolean('enabled', { description: 'Whether the action can be assigned to users.' }),
    isDefault: t.exposeBoolean('defaultAction', { description: 'Whether the action is assigned to every new user.' }),
    priority: t.exposeInt('priority', {
      description: 'Order of the actions of a user. Actions with a lower priority come first.',
    }),
    version: t.exposeInt('version', {
      description: 'Version of the object. Increases by one with every change. Pass it as `expectedVersion`.',
    }),
    realm: t.relation('realm', { description: 'The realm it belongs to.' }),
  }),
});

guardNode(RequiredAction, actions.getRequiredAction);

const Unregistered = builder.objectRef<{ name: string; providerId: string }>('UnregisteredRequiredAction').implement({
  description: 'A required action that the server provides and the realm has not registered.',
  fields: (t) => ({
    providerId: t.exposeString('providerId', {
      description: 'ID of the provider that implements the action, e.g. `UPDATE_PASSWORD`.',
    }),
    name: t.exposeString('name', { description: 'Display name of the required action.' }),
  }),
});

relatedField(Realm, 'requiredActions', {
  relation: 'requiredActions',
  listing: actions.listRequiredActions,
  connection: connectionType('RequiredAction', RequiredAction),
  list: listType({
    name: 'RequiredAction',
    plural: 'required actions',
    conditions: {
      alias: onText('alias', 'Condition on the alias.'),
      name: onOptionalText('name', 'Condition on the display name.'),
      isEnabled: whether('Matches required actions that are (true) or are not (false) enabled.', (enabled) => ({
        enabled,
      })),
      isDefault: whether('Matches required actions that new users do (true) or do not (false) get.', (is) => ({
        defaultAction: is,
      })),
    },
    orders: {
      PRIORITY: { path: 'priority', description: 'Order by priority.' },
      ALIAS: { path: 'alias', description: 'Order by alias.' },
      NAME: { path: 'name', isNullable: true, description: 'Order by display name.' },
    },
  }),
  description: 'Required actions of the realm, ordered by priority.',
});

const allActions = [...requiredActions, ...newerRequiredActions];

builder.prismaObjectFields(Realm, (t) => ({
  unregisteredRequiredActions: t.field({
    type: [Unregistered],
    nullable: true,
    description: 'Required actions that the server provides and the realm has not registered.',
    requires: actions.listUnregistered,
    resolve: async ({ id }, _args, ctx) => actions.unregisteredIn(ctx, await realmById(ctx, id), allActions),
  }),
}));

const actionNamed = byName<{ id: string; realmId: string; alias: string }>('requiredAction', 'alias', {
  id: true,
  realmId: true,
  alias: true,
});

builder.prismaObjectField(User, 'requiredActions', (t) =>
  t.field({
    type: [RequiredAction],
    nullable: true,
    description:
      'Required actions that the user must perform at the next login. Those that the realm has not registered are only in `requiredActionAliases`.',
    requires: { operation: actions.getRequiredAction, otherwise: 'NULL' },
    complexity: { field: 1, multiplier: 2 },
    select: { requiredActions: true },
    resolve: async ({ realmId, requiredActions }, _args, ctx) => {
      const found = textsOf(requiredActions).map((alias) => actionNamed(ctx, realmId, alias));
      return (await Promise.all(found)).filter((action) => action !== null);
    },
  }),
);

async function actionTarget(ctx: Context, globalId: string): Promise<RequiredActionTarget> {
  const { realm, id } = await locatedNode(ctx, globalId, 'id', 'RequiredAction');
  const row = await ctx.db.requiredAction.findUnique({ where: { id }, select: { alias: true } });
  if (!row) throw notFound('Required action not found', 'id');
  return requiredActionByAlias(ctx, realm, row.alias);
}

const theAction = {
  requiredAction: {
    type: RequiredAction,
    model: 'requiredAction',
    description: 'The required action after the change.',
    id: ({ id }: { id: string }) => id,
  },
};
const itsId = 'ID of the required action.';

mutation('requiredActionCreate', {
  description: 'Registers a required action of the server in a realm: enabled, and ordered after all others.',
  operation: actions.register,
  input: (t) => ({
    realm: t.id({ required: true, description: 'ID of the realm.' }),
    providerId: t.string({
      required: true,
      description: 'ID of the provider that implements the action. `Realm.unregisteredRequiredActions` lists them.',
    }),
    name: t.string({ description: 'Display name of the required action.' }),
  }),
  locate: ({ realm }, ctx) => realmTarget(ctx, realm, 'realm'),
  fieldOf: fieldNamed({ alias: 'providerId' }),
  send: ({ providerId, name }) => ({ providerId, name }),
  returns: theAction,
});

mutation('requiredActionUpdate', {
  description: 'Changes a required action. Omitted fields keep their values.',
  operation: actions.patchRequiredAction,
  input: (t) => ({
    id: t.id({ required: true, description: itsId }),
    alias: t.string({ description: 'New alias, unique in the realm.' }),
    name: t.string({ description: 'New display name.' }),
    isEnabled: t.boolean({ description: 'Whether the action can be assigned to users.' }),
    isDefault: t.boolean({ description: 'Whether the action is assigned to every new user.' }),
  }),
  locate: ({ id }, ctx) => actionTarget(ctx, id),
  send: ({ alias, name, isEnabled, isDefault }) => ({ alias, name, enabled: isEnabled, defaultAction: isDefault }),
  fieldOf: fieldNamed({ enabled: 'isEnabled', defaultAction: 'isDefault' }),
  returns: theAction,
});

for (const [name, operation, description] of [
  ['requiredActionRaise', actions.raiseRequiredAction, 'Swaps a required action with the one before it.'],
  ['requiredActionLower', actions.lowerRequiredAction, 'Swaps a required action with the one after it.'],
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
  description: 'Removes a required action from the realm. It can be registered again.',
  operation: actions.removeRequiredAction,
  input: (t) => ({ id: t.id({ required: true, description: itsId }) }),
  locate: ({ id }, ctx) => actionTarget(ctx, id),
  values: {
    deletedId: {
      type: 'ID',
      description: 'ID of the deleted required action.',
      of: ({ id }) => nodeId('RequiredAction', id),
    },
  },
});
