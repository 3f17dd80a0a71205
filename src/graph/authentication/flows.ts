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
  description: 'What the steps of a flow are.',
  values: {
    BASIC: { value: 'basic-flow', description: 'Steps that users go through, and other flows.' },
    FORM: { value: 'form-flow', description: 'Parts of one form, such as that for signing up.' },
    CLIENT: { value: 'client-flow', description: 'Ways in which clients prove who they are.' },
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
  description: 'A step of a flow: something that is done, or another flow that is gone through.',
  fields: (t) => ({
    requirement: t.field({
      type: ExecutionRequirement,
      description: 'What its outcome means for the flow.',
      select: { requirement: true },
      resolve: ({ requirement }) => requirement as Requirement,
    }),
    requirementChoices: t.field({
      type: [ExecutionRequirement],
      description: 'The requirements that it can have.',
      resolve: ({ authenticator, subflow }): Requirement[] => [
        ...(subflow
          ? flowRequirementChoices(subflow.providerId)
          : (shownProvider(authenticator)?.requirementChoices ?? [])),
      ],
    }),
    priority: t.exposeInt('priority', { description: 'Steps come in the order of their priorities.' }),
    displayName: t.string({
      description: 'Name of its provider for people, or the alias of the flow that it runs.',
      resolve: ({ authenticator, subflow }) =>
        subflow?.alias ?? shownProvider(authenticator)?.displayName ?? authenticator ?? '',
    }),
    providerId: t.string({
      nullable: true,
      description: 'What it does, by name; for a form its page.',
      resolve: ({ authenticator }) => authenticator,
    }),
    provider: t.field({
      type: AuthenticationProvider,
      nullable: true,
      description: 'What it does; null for a step that only runs a flow, and for what this server does not have.',
      resolve: ({ authenticator }) => shownProvider(authenticator),
    }),
    config: t.field({
      type: AuthenticatorConfig,
      nullable: true,
      description: 'Its configuration, if it has one. Null for callers without view-realm.',
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
    'The steps of a login, of signing up and the like. A step may run a flow in turn, which makes it a tree.',
  fields: (t) => ({
    alias: t.exposeString('alias', { description: 'Unique in the realm.' }),
    description: t.exposeString('description', { nullable: true, description: 'What it is for.' }),
    kind: t.field({
      type: FlowKind,
      nullable: true,
      description: 'What its steps are; null for a kind that this server does not have.',
      resolve: ({ providerId }) => kindOf(providerId),
    }),
    isTopLevel: t.exposeBoolean('topLevel', { description: 'Whether it can be used on its own.' }),
    isBuiltIn: t.exposeBoolean('builtIn', { description: 'Whether it is protected: copy it to have other steps.' }),
    version: t.exposeInt('version', {
      description: 'Grows with every change of it and its steps; give it as expectedVersion.',
    }),
    realm: t.relation('realm', { description: 'The realm that it is in.' }),
    executions: t.field({
      type: [FlowExecution],
      description: 'Its steps, in their order.',
      // flows have few steps, and lie in one another
      complexity: { field: 1, multiplier: 3 },
      select: (_args, _ctx, nested) => ({
        executions: nested({ orderBy: [{ priority: 'asc' }, { id: 'asc' }] }) as { select: { id: true } },
      }),
      resolve: (flow) => (flow as unknown as { executions: never[] }).executions,
    }),
    viewerCanManage: t.boolean({
      description: 'Whether the caller may change it and its steps.',
      resolve: async ({ realmId }, _args, ctx) => (await permitById(ctx, realmId)).can('manage:realm'),
    }),
  }),
});

guardNode('AuthenticationFlow', 'AuthenticationFlow', 'view:realm');

builder.prismaObjectField(FlowExecution, 'subflow', (t) =>
  t.field({
    type: AuthenticationFlow,
    nullable: true,
    description: 'The flow that it runs, if it does. Null for callers without view-realm.',
    select: (_args, _ctx, nested) => ({ subflow: nested() as { select: { id: true; providerId: true; alias: true } } }),
    resolve: behind('view:realm', 'subflow'),
  }),
);
builder.prismaObjectField(FlowExecution, 'flow', (t) =>
  t.relation('flow', { type: AuthenticationFlow, description: 'The flow that it is a step of.' }),
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
    description: 'The flows that are not part of others, by alias. Takes view-realm, view-clients or query-clients.',
    args: pageArgs,
    ...(flows as object),
  } as never),
  authenticationFlow: t.field({
    type: AuthenticationFlow,
    nullable: true,
    description: 'The flow of this alias; null when it is not there or the caller may not see it.',
    args: { alias: t.arg.string({ required: true, description: 'Unique in the realm.' }) },
    select: ({ alias }: { alias: string }, _ctx: Context, nested: () => { select?: object } | true) => {
      const inner = nested();
      return { flows: { where: { alias }, select: { id: true, ...(typeof inner === 'object' && inner.select) } } };
    },
    resolve: async (parent: { id: string; flows: object[] }, _args: object, ctx: Context) =>
      (await permitById(ctx, parent.id)).can('view:realm') ? (parent.flows[0] ?? null) : null,
  } as never),
}));
