import { getPolicy } from '../../services/authorization/policies.js';
import { mostDecisions } from '../../services/explanations/decisions.js';
import { mostReasons, type PolicyDecision, type RoleOrigin } from '../../services/explanations/reasons.js';
import { mostSteps } from '../../services/explanations/ways.js';
import { get as getGroup } from '../../services/groups/operations.js';
import { get as getRole } from '../../services/roles/operations.js';
import { AuthorizationPolicy } from '../authorization/policies.js';
import { batchingClient } from '../core/batching.js';
import { builder } from '../core/builder.js';
import { visibleNode } from '../core/nodes.js';
import { PermissionEnum } from '../core/permission-enum.js';
import { Group } from '../groups/groups.js';
import { Role } from '../roles/roles.js';
import type { ShownReason } from './shown.js';

/** Maximum reasons of all kinds in an explanation. */
const mostInAll = 3 * mostReasons;
/** The cost of lists in reasons. Their limits apply to all reasons together, so the sum does not exceed the cost. */
const stepsCost = { field: 1, multiplier: Math.ceil(mostSteps / mostInAll) };
const decisionsCost = { field: 1, multiplier: Math.ceil(mostDecisions / mostInAll) };
/** The cost of the list of reasons. */
export const reasonsCost = { field: 1, multiplier: mostInAll };

type Shown<K extends ShownReason['kind']> = Extract<ShownReason, { kind: K }>;

const typenames = {
  role: 'RoleExplanation',
  policy: 'FineGrainedExplanation',
  exceeding: 'ExceedingRoleExplanation',
} as const satisfies Record<ShownReason['kind'], string>;

/** One reason why a user may or may not perform an action. */
export const ReasonInterface = builder.interfaceRef<ShownReason>('ExplanationReason').implement({
  description:
    'One reason why a user may or may not do something: an administration role or a fine-grained permission.',
  resolveType: ({ kind }) => typenames[kind],
  fields: (t) => ({
    permission: t.expose('permission', {
      type: PermissionEnum,
      description: 'The permission that the reason is about.',
    }),
    isGranting: t.exposeBoolean('isGranting', {
      description: 'Whether this alone gives the permission. If not, it is without effect or refuses.',
    }),
    hasHidden: t.exposeBoolean('hasHidden', {
      description: 'Whether objects of the reason are left out because the caller may not view them.',
    }),
  }),
});

const Origin = builder.enumType('RoleOrigin', {
  description: 'How a user comes to a role.',
  values: {
    DIRECT: { description: 'The role is mapped to the user.' },
    GROUP: { description: 'The role is mapped to a group of the user, or to a group above.' },
    DEFAULT_ROLE: { description: 'The role is the default role of the realm, which is mapped to the user.' },
  } satisfies Record<RoleOrigin, object>,
});

const rightName = 'Name of the administration role, e.g. `manage-users`.';
const roleRequires = (otherwise: 'NULL' | 'FILTERED') => ({ operation: getRole, otherwise, isChecked: true }) as const;

builder.objectRef<Shown<'role'>>(typenames.role).implement({
  description: 'An administration role that the user has, and one way in which the user has it.',
  interfaces: [ReasonInterface],
  fields: (t) => ({
    roleName: t.exposeString('right', { description: rightName }),
    origin: t.expose('origin', { type: Origin, description: 'How the user comes to the first of the roles.' }),
    groups: t.prismaField({
      type: [Group],
      description:
        'Groups from the one that the user is in up to the one that has the first of the roles. Empty if the role is mapped to the user. At most 100: the middle of a longer way is left out.',
      complexity: stepsCost,
      requires: { operation: getGroup, otherwise: 'FILTERED', isChecked: true },
      resolve: async (query, { groups }, _args, ctx) => {
        const find = (id: string) => batchingClient(ctx).group.findUnique({ ...query, where: { id } });
        return (await Promise.all(groups.map(({ id }) => find(id)))).flatMap((group) => group ?? []);
      },
    }),
    roles: t.prismaField({
      type: [Role],
      description:
        'Roles from the one that the user or group has to the administration role. Each has the next one among its composites. At most 100: the middle of a longer way is left out.',
      complexity: stepsCost,
      requires: roleRequires('FILTERED'),
      resolve: async (query, { roles }, _args, ctx) => {
        const find = (id: string) => batchingClient(ctx).role.findUnique({ ...query, where: { id } });
        return (await Promise.all(roles.map(({ id }) => find(id)))).flatMap((role) => role ?? []);
      },
    }),
  }),
});

const Decision = builder.objectRef<PolicyDecision>('PolicyDecision');
Decision.implement({
  description: 'What a policy decides about a user.',
  fields: (t) => ({
    policy: t.prismaField({
      type: AuthorizationPolicy,
      nullable: true,
      description: 'The policy.',
      requires: { operation: getPolicy, otherwise: 'NULL', isChecked: true },
      resolve: (query, { policy }, _args, ctx) =>
        batchingClient(ctx).authorizationPolicy.findUnique({ ...query, where: { id: policy.id } }),
    }),
    isPermitted: t.exposeBoolean('isPermitted', { description: 'Whether the policy grants.' }),
    policies: t.field({
      type: [Decision],
      description:
        'Decisions of the policies that an aggregated policy combines, those first that led to its decision. Empty for other policies. An explanation has at most 100 decisions of policies in all.',
      complexity: decisionsCost,
      resolve: ({ policies }) => policies,
    }),
  }),
});

builder.objectRef<Shown<'policy'>>(typenames.policy).implement({
  description: 'A fine-grained permission that has policies, and their decisions.',
  interfaces: [ReasonInterface],
  fields: (t) => ({
    object: t.field({
      type: builder.nodeInterfaceRef(),
      nullable: true,
      description:
        'The group, client, or role that the fine-grained permission is about. A realm stands for all its users. Null if the caller may not view it.',
      resolve: (reason, _args, ctx, info) => (reason.object ? visibleNode(ctx, info, reason.object) : null),
    }),
    scopeName: t.exposeString('scope', {
      description: 'Scope that the fine-grained permission decides about, e.g. `manage`.',
    }),
    authorizationPermission: t.prismaField({
      type: AuthorizationPolicy,
      nullable: true,
      description: 'The fine-grained permission.',
      requires: { operation: getPolicy, otherwise: 'NULL', isChecked: true },
      resolve: (query, { decider }, _args, ctx) =>
        decider ? batchingClient(ctx).authorizationPolicy.findUnique({ ...query, where: { id: decider.id } }) : null,
    }),
    policies: t.field({
      type: [Decision],
      description:
        'Decisions of the policies of the fine-grained permission, those first that led to its decision. An explanation has at most 100 decisions of policies in all.',
      complexity: decisionsCost,
      requires: { operation: getPolicy, otherwise: 'EMPTY', isChecked: true },
      resolve: ({ decisions }) => decisions,
    }),
  }),
});

builder.objectRef<Shown<'exceeding'>>(typenames.exceeding).implement({
  description: 'An administration role that the object has or gives, and that the user does not have.',
  interfaces: [ReasonInterface],
  fields: (t) => ({
    roleName: t.exposeString('right', { description: rightName }),
    role: t.prismaField({
      type: Role,
      nullable: true,
      description: 'The administration role.',
      requires: roleRequires('NULL'),
      resolve: (query, { role }, _args, ctx) =>
        role ? batchingClient(ctx).role.findUnique({ ...query, where: { id: role.id } }) : null,
    }),
  }),
});
