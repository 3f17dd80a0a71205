import { listedFlows } from '../../services/authentication/encode.js';
import { flowRequirementChoices, type Requirement } from '../../services/authentication/providers.js';
import type { Context } from '../../services/core/context.js';
import type { Permission } from '../../services/core/permissions.js';
import { builder } from '../core/builder.js';
import { connectionType, pageArgs, related } from '../core/connection.js';
import { guardNode, permitById } from '../core/node.js';
import { Realm } from '../realms/realms.js';
import { AuthenticatorConfig } from './authenticator-configs.js';
import { AuthenticationProvider, ExecutionRequirement, shownProvider } from './providers.js';

export const FlowKind = builder.enumType('AuthenticationFlowKind', {
  description: 'Kind of the executions in a flow.',
  values: {
    BASIC: { value: 'basic-flow', description: 'Executions for users, and subflows.' },
    FORM: { value: 'form-flow', description: 'Form actions of one page, such as the registration form.' },
    CLIENT: { value: 'client-flow', description: 'Authenticators for clients, such as a client secret.' },
  },
});
type Kind = 'basic-flow' | 'form-flow' | 'client-flow';
const kindOf = (providerId: string): Kind | null =>
  /^(basic|form|client)-flow$/.test(providerId) ? (providerId as Kind) : null;

/** Something that is null for callers without a permission in the realm. */
const behind =
  (permission: Permission, relation: string) =>
  async (parent: object, _args: object, ctx: Context): Promise<never> => {
    const { realmId, [relation]: found } = parent as { realmId: string; [name: string]: unknown };
    return ((await permitById(ctx, realmId)).can(permission) ? (found ?? null) : null) as never;
  };

export const FlowExecution = builder.prismaNode('AuthenticationExecution', {
  variant: 'FlowExecution',
  id: { field: 'id' },
  select: { id: true, realmId: true, authenticator: true, subflow: { select: { providerId: true, alias: true } } },
  description: 'An execution in an authentication flow: an authenticator, a form action, or a subflow.',
  fields: (t) => ({
    requirement: t.field({
      type: ExecutionRequirement,
      description: 'Effect of the result of this execution on its flow.',
      select: { requirement: true },
      resolve: ({ requirement }) => requirement as Requirement,
    }),
    requirementChoices: t.field({
      type: [ExecutionRequirement],
      description: 'Requirements this execution can be set to.',
      resolve: ({ authenticator, subflow }): Requirement[] => [
        ...(subflow
          ? flowRequirementChoices(subflow.providerId)
          : (shownProvider(authenticator)?.requirementChoices ?? [])),
      ],
    }),
    priority: t.exposeInt('priority', {
      description: 'Position in the flow. Executions with a lower priority run first.',
    }),
    displayName: t.string({
      description: 'Display name of the provider, or the alias of the subflow.',
      resolve: ({ authenticator, subflow }) =>
        subflow?.alias ?? shownProvider(authenticator)?.displayName ?? authenticator ?? '',
    }),
    providerId: t.string({
      nullable: true,
      description: 'ID of the authentication provider. For a form, the ID of its page provider.',
      resolve: ({ authenticator }) => authenticator,
    }),
    provider: t.field({
      type: AuthenticationProvider,
      nullable: true,
      description:
        'The authentication provider. Null for a subflow without a page, and for a provider this server does not have.',
      resolve: ({ authenticator }) => shownProvider(authenticator),
    }),
    config: t.field({
      type: AuthenticatorConfig,
      nullable: true,
      description: 'Configuration of the execution. Null if it has none, and for callers without view-realm.',
      select: (_args, _ctx, nested) => ({ config: nested() as { select: { id: true; realmId: true } } }),
      resolve: behind('view:realm', 'config'),
    }),
  }),
});

guardNode('FlowExecution', 'AuthenticationExecution', 'view:realm');

export const AuthenticationFlow = builder.prismaNode('AuthenticationFlow', {
  id: { field: 'id' },
  select: { id: true, realmId: true, alias: true, providerId: true },
  description:
    'An authentication flow: a sequence of executions for login, registration, and similar. Subflows make it a tree.',
  fields: (t) => ({
    alias: t.exposeString('alias', { description: 'Alias of the flow, unique in the realm.' }),
    description: t.exposeString('description', { nullable: true, description: 'Description of the flow.' }),
    kind: t.field({
      type: FlowKind,
      nullable: true,
      description: 'Kind of the executions in the flow. Null for a kind this server does not know.',
      resolve: ({ providerId }) => kindOf(providerId),
    }),
    isTopLevel: t.exposeBoolean('topLevel', {
      description: 'Whether the flow is a top-level flow rather than a subflow.',
    }),
    isBuiltIn: t.exposeBoolean('builtIn', {
      description: 'Whether the flow is built in. A built-in flow cannot be changed: copy it instead.',
    }),
    version: t.exposeInt('version', {
      description:
        'Version of the flow. Increases by one with every change of the flow or its executions. Pass it as `expectedVersion`.',
    }),
    realm: t.relation('realm', { description: 'The realm it belongs to.' }),
    executions: t.field({
      type: [FlowExecution],
      description: 'Executions of the flow, ordered by priority.',
      // flows have few steps, and lie in one another
      complexity: { field: 1, multiplier: 3 },
      select: (_args, _ctx, nested) => ({
        executions: nested({ orderBy: [{ priority: 'asc' }, { id: 'asc' }] }) as { select: { id: true } },
      }),
      resolve: (flow) => (flow as unknown as { executions: never[] }).executions,
    }),
    viewerCanManage: t.boolean({
      description: 'Whether the caller may change the flow and its executions.',
      resolve: async ({ realmId }, _args, ctx) => (await permitById(ctx, realmId)).can('manage:realm'),
    }),
  }),
});

guardNode('AuthenticationFlow', 'AuthenticationFlow', 'view:realm');

builder.prismaObjectField(FlowExecution, 'subflow', (t) =>
  t.field({
    type: AuthenticationFlow,
    nullable: true,
    description:
      'The subflow that this execution runs. Null if it runs an authenticator, and for callers without view-realm.',
    select: (_args, _ctx, nested) => ({ subflow: nested() as { select: { id: true; providerId: true; alias: true } } }),
    resolve: behind('view:realm', 'subflow'),
  }),
);
builder.prismaObjectField(FlowExecution, 'flow', (t) =>
  t.relation('flow', { type: AuthenticationFlow, description: 'The flow that contains this execution.' }),
);

const FlowConnection = connectionType('AuthenticationFlow', AuthenticationFlow);
const byAlias = [{ path: 'alias' }, { path: 'id' }];

const flows = related({
  parent: 'realm',
  relation: 'flows',
  // the realm is that of the parent
  where: () => ({ topLevel: listedFlows('').topLevel, alias: listedFlows('').alias }),
  order: byAlias,
  permission: 'view:flows',
});

builder.prismaObjectFields(Realm, (t) => ({
  authenticationFlows: t.field({
    type: FlowConnection,
    nullable: true,
    description:
      'Top-level authentication flows of the realm, ordered by alias. Takes view-realm, view-clients or query-clients.',
    args: pageArgs,
    ...(flows as object),
  } as never),
  authenticationFlow: t.field({
    type: AuthenticationFlow,
    nullable: true,
    description: 'The authentication flow with this alias. Null if it does not exist or the caller may not view it.',
    args: { alias: t.arg.string({ required: true, description: 'Alias of the flow.' }) },
    select: ({ alias }: { alias: string }, _ctx: Context, nested: () => { select?: object } | true) => {
      const inner = nested();
      return { flows: { where: { alias }, select: { id: true, ...(typeof inner === 'object' && inner.select) } } };
    },
    resolve: async (parent: { id: string; flows: object[] }, _args: object, ctx: Context) =>
      (await permitById(ctx, parent.id)).can('view:realm') ? (parent.flows[0] ?? null) : null,
  } as never),
}));
