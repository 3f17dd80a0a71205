import { createdAt, json, pathSegment } from '../http/answer.js';
import {
  createConfig,
  getConfig,
  patchConfig,
  removeConfig,
  updateConfig,
} from '../services/authentication/configs.js';
import { copy } from '../services/authentication/copy.js';
import {
  authenticatorConfigView,
  encodeBareFlow,
  executionView,
  flowView,
  requiredActionView,
} from '../services/authentication/encode.js';
import * as changes from '../services/authentication/execution-changes.js';
import * as steps from '../services/authentication/executions.js';
import { create, patch, remove, update } from '../services/authentication/flows.js';
import {
  configById,
  executionById,
  findFlow,
  flowByAlias,
  flowById,
  requiredActionByAlias,
} from '../services/authentication/locate.js';
import * as authentication from '../services/authentication/operations.js';
import {
  AuthenticationExecutionInfoRepresentation,
  AuthenticationFlowRepresentation,
  AuthenticatorConfigInfoRepresentation,
  ConfigPropertyRepresentation,
  ProviderRepresentation,
  UnregisteredActionRepresentation,
} from '../services/authentication/representation.js';
import * as actions from '../services/authentication/required-actions.js';
import type { Permission } from '../services/core/permissions.js';
import { list, record } from '../services/core/shape.js';
import { all } from './paging.js';
import { below, child } from './place.js';
import { inRealm, realm } from './realm.js';
import type { RestRequest } from './request.js';
import { del, get, getList, mergePatch, post, put } from './table.js';

const at = (suffix: string) => below(inRealm, `/authentication${suffix}`);

const flow = (permission: Permission) =>
  child(realm, '/authentication/flows/{id}', (ctx, parent, { id = '' }) => flowById(ctx, parent, id, permission));
const flowNamed = (suffix: string, use: Parameters<typeof flowByAlias>[3]) =>
  child(realm, `/authentication/flows/{flowAlias}${suffix}`, (ctx, parent, { flowAlias = '' }) =>
    flowByAlias(ctx, parent, flowAlias, use),
  );
const copied = child(realm, '/authentication/flows/{flowAlias}/copy', async (ctx, parent, { flowAlias = '' }) => ({
  realm: parent,
  flow: (await findFlow(ctx, parent, flowAlias)) ?? undefined,
}));
const execution = (permission: Permission, suffix = '') =>
  child(realm, `/authentication/executions/{executionId}${suffix}`, (ctx, parent, { executionId = '' }) =>
    executionById(ctx, parent, executionId, permission),
  );
const config = (permission: Permission) =>
  child(realm, '/authentication/config/{id}', (ctx, parent, { id = '' }) => configById(ctx, parent, id, permission));
const action = (permission: Permission, end = '', suffix = '') =>
  child(realm, `/authentication/required-actions/{alias}${suffix}`, (ctx, parent, { alias = '' }) =>
    requiredActionByAlias(ctx, parent, alias, permission, end),
  );

const providers = { returns: list(ProviderRepresentation) };

/** The contract looks at nothing but the provider of a new step: it is switched off at first. */
async function onlyProvider(request: RestRequest): Promise<unknown> {
  const body = await request.body();
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return { provider: (body as { provider?: unknown }).provider };
}

export const authenticationRoutes = [
  get(at('/authenticator-providers'), authentication.listAuthenticators, providers),
  get(at('/client-authenticator-providers'), authentication.listClientAuthenticators, providers),
  get(at('/form-providers'), authentication.listFormProviders, providers),
  get(at('/form-action-providers'), authentication.listFormActions, providers),
  get(at('/per-client-config-description'), authentication.perClientSettings, {
    returns: record(list(ConfigPropertyRepresentation)),
  }),
  get(at('/config-description/{providerId}'), authentication.describeConfig, {
    returns: AuthenticatorConfigInfoRepresentation,
    input: ({ params }) => ({ providerId: params.providerId }),
  }),

  getList(at('/flows'), authentication.listFlows, { full: flowView, paging: all }),
  post(at('/flows'), create, {
    status: 201,
    answer: ({ id }) => createdAt(`authentication/flows/${pathSegment(id)}`),
  }),
  get(flow('view:realm'), authentication.getFlow, { view: flowView }),
  put(flow('manage:realm'), update, {
    status: 202,
    returns: AuthenticationFlowRepresentation,
    answer: (changed) => json(encodeBareFlow(changed), 202),
  }),
  mergePatch(flow('manage:realm'), patch),
  // the contract does not mind clients that use it
  del(flow('manage:realm'), remove, { input: () => ({ evenIfClientsUseIt: true }) }),
  post(copied, copy, { status: 201, answer: (made) => ({ status: made ? 201 : 404 }) }),

  get(at('/flows/{flowAlias}/executions'), authentication.executions, {
    returns: list(AuthenticationExecutionInfoRepresentation),
    input: ({ params }) => ({ alias: params.flowAlias }),
    answer: (lines) => (lines ? json(lines) : { status: 404 }),
  }),
  put(flowNamed('/executions', 'requirement'), changes.updateExecution, {
    status: 202,
    returns: AuthenticationFlowRepresentation,
    answer: ({ flow: found }) => json(encodeBareFlow(found), 202),
  }),
  post(flowNamed('/executions/execution', 'execution'), steps.addExecution, {
    status: 201,
    input: onlyProvider,
    takes: 'json',
    answer: ({ id }) => createdAt(`authentication/executions/${pathSegment(id)}`),
  }),
  post(flowNamed('/executions/flow', 'subflow'), steps.addSubflow, {
    status: 201,
    answer: ({ id }) => createdAt(`authentication/flows/${pathSegment(id)}`),
  }),
  post(at('/executions'), steps.createExecution, {
    status: 201,
    answer: ({ id }) => createdAt(`authentication/executions/${pathSegment(id)}`),
  }),
  get(execution('view:realm'), changes.getExecution, { view: executionView }),
  del(execution('manage:realm'), changes.removeExecution),
  post(execution('manage:realm', '/raise-priority'), changes.raiseExecution),
  post(execution('manage:realm', '/lower-priority'), changes.lowerExecution),
  post(execution('manage:realm', '/config'), createConfig, {
    status: 201,
    answer: ({ id }, _request, target) =>
      createdAt(`authentication/executions/${pathSegment(target.execution.id)}/config/${pathSegment(id)}`),
  }),

  get(config('view:realm'), getConfig, { view: authenticatorConfigView }),
  put(config('manage:realm'), updateConfig),
  mergePatch(config('manage:realm'), patchConfig),
  del(config('manage:realm'), removeConfig),

  getList(at('/required-actions'), actions.listRequiredActions, { full: requiredActionView, paging: all }),
  get(at('/unregistered-required-actions'), actions.listUnregistered, {
    returns: list(UnregisteredActionRepresentation),
  }),
  post(at('/register-required-action'), actions.register),
  get(action('view:required-actions'), actions.getRequiredAction, { view: requiredActionView }),
  put(action('manage:realm'), actions.updateRequiredAction),
  mergePatch(action('manage:realm'), actions.patchRequiredAction),
  del(action('manage:realm', '.'), actions.removeRequiredAction),
  post(action('manage:realm', '.', '/raise-priority'), actions.raiseRequiredAction),
  post(action('manage:realm', '.', '/lower-priority'), actions.lowerRequiredAction),
].flat();
