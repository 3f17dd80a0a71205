import { listedFlows } from '../../services/authentication/encode.js';
import { getExecution } from '../../services/authentication/execution-changes.js';
import { getFlow, listFlows } from '../../services/authentication/operations.js';
import { flowRequirementChoices, type Requirement } from '../../services/authentication/providers.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { listType, onOptionalText, onText, whether } from '../core/list-type.js';
import { guardNode } from '../core/node.js';
import { optionalText } from '../core/optional-text.js';
import { readableField } from '../core/readable.js';
import { relatedField } from '../core/related.js';
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
  }),
});

guardNode(FlowExecution, getExecution);

readableField(FlowExecution, 'config', {
  type: AuthenticatorConfig,
  relation: 'config',
  description: 'The authenticator configuration. Null if there is none.',
});

export const AuthenticationFlow = builder.prismaNode('AuthenticationFlow', {
  id: { field: 'id' },
  select: { id: true, realmId: true, alias: true, providerId: true },
  description:
    'An authentication flow: a sequence of executions for login, registration, and similar. Subflows make it a tree.',
  fields: (t) => ({
    alias: t.exposeString('alias', { description: 'Alias of the flow, unique in the realm.' }),
    description: t.string(optionalText('description', 'Description of the flow.')),
    kind: t.field({
      type: FlowKind,
      nullable: true,
      description: 'Kind of the executions in the flow. Null for a kind that this server does not support.',
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
    executions: t.relation('executions', {
      type: FlowExecution,
      description: 'Executions of the flow, ordered by priority.',
      // flows have few steps, and can be nested
      complexity: { field: 1, multiplier: 3 },
      query: { orderBy: [{ priority: 'asc' }, { id: 'asc' }] },
    }),
  }),
});

guardNode(AuthenticationFlow, getFlow);

readableField(FlowExecution, 'subflow', {
  type: AuthenticationFlow,
  relation: 'subflow',
  description: 'The subflow that this execution runs. Null if it runs an authenticator.',
});

builder.prismaObjectField(FlowExecution, 'flow', (t) =>
  t.relation('flow', { type: AuthenticationFlow, description: 'The flow that contains this execution.' }),
);

// the parent determines the realm
const { topLevel, alias } = listedFlows('');

relatedField(Realm, 'authenticationFlows', {
  relation: 'flows',
  listing: listFlows,
  connection: connectionType('AuthenticationFlow', AuthenticationFlow),
  description: 'Top-level authentication flows of the realm, ordered by alias.',
  list: listType({
    name: 'AuthenticationFlow',
    plural: 'authentication flows',
    conditions: {
      alias: onText('alias', 'Condition on the alias.'),
      description: onOptionalText('description', 'Condition on the description.'),
      isBuiltIn: whether('Matches flows that are (true) or are not (false) built in.', (builtIn) => ({ builtIn })),
    },
    orders: {
      ALIAS: { path: 'alias', description: 'Order by alias.' },
      DESCRIPTION: { path: 'description', isNullable: true, description: 'Order by description.' },
    },
  }),
  where: () => ({ topLevel, alias }),
  order: [{ path: 'alias' }, { path: 'id' }],
});

readableField(Realm, 'authenticationFlow', {
  type: AuthenticationFlow,
  relation: 'flows',
  description: 'The authentication flow with this alias. Null if it does not exist.',
  args: builder.args((t) => ({ alias: t.string({ required: true, description: 'Alias of the flow.' }) })),
  where: (args) => ({ alias: args.alias }),
});
