import { permissionFor } from '../../services/core/allow.js';
import type { Context } from '../../services/core/context.js';
import { forbidden, invalid, notFound } from '../../services/core/refusal.js';
import { explainedRefusals } from '../../services/explanations/refusals.js';
import { mostNeeded } from '../../services/permissions/held.js';
import { all as roleMappings } from '../../services/role-mappings/operations.js';
import { get as getRole } from '../../services/roles/operations.js';
import { getUser } from '../../services/users/list.js';
import { considerationOf, consideredMutations } from '../core/abilities.js';
import { batchingClient } from '../core/batching.js';
import { builder } from '../core/builder.js';
import { isAllowed, isVisible, locatedNode, type NodeSubject, nodeSubject, parseId } from '../core/node.js';
import { visibleNode } from '../core/nodes.js';
import { enumName, PermissionEnum } from '../core/permission-enum.js';
import { Role } from '../roles/roles.js';
import { User } from '../users/users.js';
import { explain, type Question } from './explain.js';
import { ReasonInterface, reasonsCost } from './reasons.js';
import { type ShownAnswer, shownTo } from './shown.js';

const Refusal = builder.enumType('ExplanationRefusal', {
  description: 'Why a user may not do something with an object.',
  values: Object.fromEntries(Object.entries(explainedRefusals).map(([name, description]) => [name, { description }])),
});

const enumValueOf = (mutation: string): string =>
  enumName(mutation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

const Mutation = builder.enumType('ObjectMutation', {
  description: 'A mutation of which `viewerCan` of an object states whether the caller may perform it.',
  values: Object.fromEntries(
    consideredMutations().map((name) => [enumValueOf(name), { value: name, description: `The mutation \`${name}\`.` }]),
  ),
});

const ActionInput = builder.inputType('ExplainedActionInput', {
  isOneOf: true,
  description: 'What a user would do with an object. Exactly one field is given.',
  fields: (t) => ({
    permission: t.field({
      type: PermissionEnum,
      description: 'Anything that requires this permission for the object.',
    }),
    mutation: t.field({ type: Mutation, description: 'This mutation, which `viewerCan` of the object has.' }),
  }),
});

const NeededRole = builder.objectRef<ShownAnswer['needed'][number]>('NeededRole').implement({
  description: 'An administration role that gives a permission.',
  fields: (t) => ({
    roleName: t.exposeString('right', { description: 'Name of the administration role, e.g. `manage-users`.' }),
    clientId: t.exposeString('client', {
      nullable: true,
      description: 'Client ID of the client that has the role, e.g. `realm-management`. Null for a realm role.',
    }),
    role: t.prismaField({
      type: Role,
      nullable: true,
      description: 'The administration role.',
      requires: { operation: getRole, otherwise: 'NULL', isChecked: true },
      resolve: (query, { role }, _args, ctx) =>
        role ? batchingClient(ctx).role.findUnique({ ...query, where: { id: role.id } }) : null,
    }),
  }),
});

interface Explained extends ShownAnswer {
  userId: string;
  object: NodeSubject;
}

const Explanation = builder.objectRef<Explained>('Explanation').implement({
  description: 'Whether a user may do something with an object, and why.',
  fields: (t) => ({
    user: t.prismaField({
      type: User,
      nullable: true,
      description: 'The user who was asked about.',
      resolve: (query, { userId: id }, _args, ctx) => batchingClient(ctx).user.findUnique({ ...query, where: { id } }),
    }),
    object: t.field({
      type: builder.nodeInterfaceRef(),
      nullable: true,
      description: 'The object that was asked about.',
      resolve: ({ object }, _args, ctx, info) => visibleNode(ctx, info, object),
    }),
    isAllowed: t.boolean({
      description: 'Whether the user may do it, as the server decides about requests of the user.',
      resolve: ({ refusal }) => refusal === undefined,
    }),
    permission: t.expose('permission', {
      type: PermissionEnum,
      description:
        'The permission that decides: the one that was asked about, that the mutation requires, or to view the object if the user lacks that.',
    }),
    refusal: t.field({
      type: Refusal,
      nullable: true,
      description: 'Why the user may not do it. Null if it is allowed.',
      resolve: ({ refusal }) => refusal ?? null,
    }),
    message: t.string({
      nullable: true,
      description: 'The refusal as a sentence. Null if it is allowed.',
      resolve: ({ refusal }) => (refusal === undefined ? null : explainedRefusals[refusal]),
    }),
    reasons: t.field({
      type: [ReasonInterface],
      description:
        'Administration roles of the user that concern the permission, each in the shortest way in which the user has it from each of its roles and groups; the fine-grained permissions that decide about it; and the administration roles that are beyond the user. At most 100 of each kind, with at most 900 roles and 900 groups in all, granting ones first.',
      complexity: reasonsCost,
      resolve: ({ reasons }) => reasons,
    }),
    neededOneOf: t.field({
      type: [NeededRole],
      description:
        'Administration roles of the realm of the user of which any one gives the permission for all objects, ordered by name. Empty if the user cannot have any.',
      complexity: { field: 1, multiplier: mostNeeded },
      resolve: ({ needed }) => needed,
    }),
    hasHidden: t.boolean({
      description: 'Whether parts of the reasons are left out because the caller may not view them.',
      resolve: ({ reasons }) => reasons.some(({ hasHidden }) => hasHidden),
    }),
    hasMore: t.exposeBoolean('hasMore', {
      description: 'Whether there are more reasons, roles, groups, or decisions of policies than are returned.',
    }),
  }),
});

/** The object of the question, if the caller may view it. */
async function objectOf(ctx: Context, globalId: string): Promise<NodeSubject> {
  const node = parseId(globalId, 'object');
  const subject = (await isVisible(ctx, node)) ? await nodeSubject(ctx, node) : undefined;
  if (!subject) throw notFound('Object not found', 'object');
  return subject;
}

/** The action of the user; refuses a mutation that does not exist for the object. */
function actionOf(
  { permission, mutation }: { permission?: string | null; mutation?: string | null },
  { typename }: NodeSubject,
): Question['action'] {
  if (permission != null) return { permission: permission as never };
  if (mutation != null && considerationOf(typename, mutation)) return { mutation };
  const known = consideredMutations(typename).map(enumValueOf).join(', ');
  const wanted = known === '' ? `is not available for a ${typename}` : `of a ${typename} must be one of ${known}`;
  throw invalid(`\`action.mutation\` ${wanted}`, 'action.mutation');
}

builder.queryField('why', (t) =>
  t.field({
    type: Explanation,
    nullable: true,
    description:
      'Explains whether a user may do something with an object: which roles, groups, composite roles, and policies let the user do it or refuse it.',
    args: {
      user: t.arg.id({ required: true, description: 'ID of the user.' }),
      action: t.arg({ type: ActionInput, required: true, description: 'What the user would do with the object.' }),
      object: t.arg.id({ required: true, description: 'ID of the object, of any type.' }),
      client: t.arg.id({
        description:
          'ID of the client whose access token the user sends. Omit for the administration console, and for the own client of a service account.',
      }),
    },
    complexity: { field: 200, multiplier: 1 },
    requires: [
      { operation: getUser, isChecked: true },
      { operation: roleMappings, kind: 'user', isChecked: true },
    ],
    resolve: async (_root, { user, action, object: objectId, client: clientId }, ctx): Promise<Explained> => {
      const { id, realm } = await locatedNode(ctx, user, 'user', 'User');
      if (!(await isAllowed(ctx, realm.id, permissionFor(roleMappings, 'user'), { kind: 'user', id })))
        throw forbidden();
      const object = await objectOf(ctx, objectId);
      const client = clientId == null ? undefined : await locatedNode(ctx, clientId, 'client', 'Client');
      if (client && client.realm.id !== realm.id)
        throw invalid('`client` must be a client of the realm of the user', 'client');
      const question = { user: { id, realm }, client: client?.id, object, action: actionOf(action, object) };
      const answer = await explain(ctx, question);
      return { ...(await shownTo(ctx, object.realmId, answer)), userId: id, object };
    },
  }),
);
