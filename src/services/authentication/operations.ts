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

/** A provider by its id. */
const ProviderId = representation('ProviderId', { providerId: text });

export const listFlows = list({
  name: 'flow.list',
  summary: 'The authentication flows of a realm that are not part of others.',
  allow: 'view:flows',
  model: 'AuthenticationFlow',
  where: ({ realm }: Target): Prisma.AuthenticationFlowWhereInput => listedFlows(realm.id),
  orderBy: [{ position: 'asc' }, { alias: 'asc' }],
});

export const getFlow = read({
  name: 'flow.get',
  summary: 'One authentication flow with its steps.',
  allow: 'view:realm',
  run: async (_ctx, { flow }: FlowTarget) => flow,
});

export const executions = read({
  name: 'flow.executions',
  summary: 'All steps below a flow, each followed by those of the flow that it runs; nothing for an unknown flow.',
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
  'The authenticators that steps of a flow can be.',
  authenticators,
);
export const listFormProviders = providerList('formProviders', 'The pages that form flows can have.', formProviders);
export const listFormActions = providerList('formActions', 'The steps that form flows can have.', formActions);

export const listClientAuthenticators = read({
  name: 'authentication.clientAuthenticators',
  summary: 'The ways in which clients can prove who they are.',
  allow: 'view:flows',
  run: async (_ctx, _target: Target) => clientAuthenticators.map(encodeProvider),
});

export const perClientSettings = read({
  name: 'authentication.perClientSettings',
  summary: 'What each client can set for the way in which it proves who it is, by provider.',
  allow: 'view:flows',
  run: async (_ctx, _target: Target) =>
    Object.fromEntries(clientAuthenticators.map(({ id }) => [id, settingsOf(id).map(encodeSetting)])),
});

export const describeConfig = read({
  name: 'authentication.describeConfig',
  summary: 'The settings that the configuration of a step of this provider can have.',
  input: ProviderId,
  allow: 'view:realm',
  run: async (_ctx, _target: Target, { providerId = '' }) => {
    const provider = providerWithSettings(providerId);
    if (!provider) throw notFound('Could not find authenticator provider', 'providerId');
    return encodeConfigInfo(provider);
  },
});
