import type { Prisma } from '../../generated/sqlite/client.js';
import { list, read } from '../core/operation.js';
import { notFound } from '../core/refusal.js';
import { representation, text } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { encodeExecutions, executionSelect, listedFlows } from './encode.js';
import type { FlowTarget } from './locate.js';
import { encodeConfigInfo, encodeSetting, settingsOf } from './provider-settings.js';
import {
  type AuthenticatorProvider,
  authenticators,
  clientAuthenticators,
  encodeProvider,
  formActions,
  formProviders,
  providerWithSettings,
} from './providers.js';

/** A flow by its name. */
const FlowAlias = representation('FlowAlias', { alias: text });

/** A provider by its ID. */
const ProviderId = representation('ProviderId', { providerId: text });

export const listFlows = list({
  name: 'flow.list',
  summary: 'Returns the top-level authentication flows of a realm.',
  allow: 'view:flows',
  model: 'AuthenticationFlow',
  where: ({ realm }: Target): Prisma.AuthenticationFlowWhereInput => listedFlows(realm.id),
  orderBy: [{ position: 'asc' }, { alias: 'asc' }],
});

export const getFlow = read({
  name: 'flow.get',
  summary: 'Returns an authentication flow with its executions.',
  allow: 'view:realm',
  run: async (_ctx, { flow }: FlowTarget) => flow,
});

export const executions = read({
  name: 'flow.executions',
  summary: 'Returns all executions of a flow, each followed by those of its subflow. Empty for an unknown flow.',
  input: FlowAlias,
  allow: 'view:realm',
  run: async (ctx, { realm }: Target, { alias = '' }) => {
    const flow = await ctx.db.authenticationFlow.findUnique({
      where: { realmId_alias: { realmId: realm.id, alias } },
      select: { id: true },
    });
    if (!flow) return undefined;
    const steps = await ctx.db.authenticationExecution.findMany({
      where: { realmId: realm.id },
      select: executionSelect,
    });
    return encodeExecutions(flow.id, steps);
  },
});

const providerList = (name: string, summary: string, providers: readonly AuthenticatorProvider[]) =>
  read({
    name: `authentication.${name}`,
    summary,
    allow: 'view:realm',
    run: async (_ctx, _target: Target) => providers.map(encodeProvider),
  });

export const listAuthenticators = providerList(
  'authenticators',
  'Returns the authenticator providers for executions.',
  authenticators,
);
export const listFormProviders = providerList(
  'formProviders',
  'Returns the page providers for form flows.',
  formProviders,
);
export const listFormActions = providerList(
  'formActions',
  'Returns the form action providers for form flows.',
  formActions,
);

export const listClientAuthenticators = read({
  name: 'authentication.clientAuthenticators',
  summary: 'Returns the client authenticator providers.',
  allow: 'view:flows',
  run: async (_ctx, _target: Target) => clientAuthenticators.map(encodeProvider),
});

export const perClientSettings = read({
  name: 'authentication.perClientSettings',
  summary: 'Returns the settings of a client for each client authenticator provider.',
  allow: 'view:flows',
  run: async (_ctx, _target: Target) =>
    Object.fromEntries(clientAuthenticators.map(({ id }) => [id, settingsOf(id).map(encodeSetting)])),
});

export const describeConfig = read({
  name: 'authentication.describeConfig',
  summary: 'Returns the settings that the configuration of an authenticator provider can have.',
  input: ProviderId,
  allow: 'view:realm',
  run: async (_ctx, _target: Target, { providerId = '' }) => {
    const provider = providerWithSettings(providerId);
    if (!provider) throw notFound('Could not find authenticator provider', 'providerId');
    return encodeConfigInfo(provider);
  },
});
