import { type Answer, json, noContent, tagged } from '../http/answer.js';
import {
  encodeBriefResource,
  encodeCreated,
  encodeCreatedTyped,
  encodePolicy,
  encodeRelatedPolicy,
  encodeResource,
  encodeScope,
  encodeTyped,
  scopesOf,
} from '../services/authorization/encode.js';
import { encodeEvaluation, evaluatePolicies } from '../services/authorization/evaluation/operation.js';
import {
  authorizationScopeById,
  policyById,
  policyOfType,
  resourceById,
  serverOf,
} from '../services/authorization/locate.js';
import * as policies from '../services/authorization/policies.js';
import { PolicyProvider, policyTypes, TypedPolicyRepresentation } from '../services/authorization/policy-types.js';
import {
  PolicyRepresentation,
  ResourceRepresentation,
  ResourceServerRepresentation,
  ScopeRepresentation,
} from '../services/authorization/representation.js';
import * as resources from '../services/authorization/resources.js';
import * as scopes from '../services/authorization/scopes.js';
import * as server from '../services/authorization/server.js';
import {
  type PolicyRow,
  policySelect,
  type ResourceRow,
  resourceSelect,
  type ScopeRow,
  scopeSelect,
} from '../services/authorization/store.js';
import * as policyWrites from '../services/authorization/write-policy.js';
import { clientById } from '../services/clients/locate.js';
import { list, record, texts } from '../services/core/shape.js';
import { view } from '../services/core/view.js';
import { PolicyEvaluationResponse } from './answer-shapes.js';
import { all, each } from './paging.js';
import { below, child } from './place.js';
import { realm } from './realm.js';
import { flagParameter, type RestRequest } from './request.js';
import { del, get, getList, mergePatch, post, postToRead, put } from './table.js';

const resourceView = view<ResourceRow>(ResourceRepresentation, resourceSelect, encodeResource);
const namedResource = view<{ id: string; name: string }>(
  ResourceRepresentation,
  { id: true, name: true },
  ({ id, name }) => ({ _id: id, name }),
);
const scopeView = view<ScopeRow>(ScopeRepresentation, scopeSelect, encodeScope);
const namedScope = view<{ id: string; name: string }>(
  ScopeRepresentation,
  { id: true, name: true },
  ({ id, name }) => ({
    id,
    name,
  }),
);
const policyView = view<PolicyRow>(PolicyRepresentation, policySelect, encodePolicy);
const typedView = view<PolicyRow>(TypedPolicyRepresentation, policySelect, encodeTyped);
const relatedView = view<PolicyRow>(PolicyRepresentation, policySelect, encodeRelatedPolicy);

const dependentView = view<PolicyRow>(PolicyRepresentation, policySelect, (row) =>
  encodeRelatedPolicy({ ...row, description: null }),
);

const client = child(realm, '/clients/{id}', (ctx, parent, { id = '' }) => clientById(ctx, parent, id));
const place = child(client, '/authz/resource-server', serverOf);
const resource = child(place, '/resource/{resource-id}', (ctx, parent, params) =>
  resourceById(ctx, parent, params['resource-id'] ?? ''),
);
const scope = child(place, '/scope/{scope-id}', (ctx, parent, params) =>
  authorizationScopeById(ctx, parent, params['scope-id'] ?? ''),
);

const page = each(100);
const made = (body: unknown): Answer => json(body, 201);
/** What the contract answers where an operation found nothing. */
const changed = { status: 201, answer: () => ({ status: 201 }) } as const;
const orNothing =
  <T>(encode: (found: T) => unknown) =>
  (found: T | null): Answer =>
    found === null ? noContent : json(encode(found));
const name = ({ query }: RestRequest) => ({ name: query.get('name') ?? undefined });
const parameters =
  (...names: string[]) =>
  ({ query }: RestRequest) =>
    Object.fromEntries(names.map((one) => [one, query.get(one) ?? undefined]));

const paged = (...names: string[]) => {
  const given = parameters(...names);
  return (request: RestRequest) => ({ ...given(request), ...page(request.query) });
};

const flagged = (request: RestRequest, ...names: string[]) =>
  Object.fromEntries(names.map((one) => [one, flagParameter(request.query, one)]));

const resourceParameters = ['_id', 'name', 'uri', 'type', 'scope', 'owner'];
const resourceForm = {
  query: [...resourceParameters, 'exactName', 'matchingUri', 'deep', 'first', 'max'],
  input: (request: RestRequest) => ({
    ...paged(...resourceParameters)(request),
    ...flagged(request, 'exactName', 'matchingUri'),
    brief: flagParameter(request.query, 'deep') === false,
  }),
};

const resourceRoutes = [
  get(below(place, '/resource'), resources.listResources, {
    ...resourceForm,
    returns: list(ResourceRepresentation),
    answer: ({ rows, brief }) => json(rows.map(brief ? encodeBriefResource : encodeResource)),
  }),
  post(below(place, '/resource'), resources.createResource, {
    status: 201,
    returns: ResourceRepresentation,
    answer: (row) => made(encodeResource(row)),
  }),
  get(below(place, '/resource/search'), resources.findResource, {
    query: ['name'],
    input: name,
    returns: ResourceRepresentation,
    answer: orNothing(encodeResource),
  }),
  get(resource, resources.getResource, { view: resourceView }),
  put(resource, resources.updateResource),
  mergePatch(resource, resources.patchResource),
  del(resource, resources.removeResource),
  get(below(resource, '/scopes'), resources.getResource, {
    returns: list(ScopeRepresentation),
    answer: (row) => json(scopesOf(row)),
  }),
  get(below(resource, '/attributes'), resources.getResource, {
    returns: record(texts),
    answer: ({ attributes }) => json(attributes),
  }),
  getList(below(resource, '/permissions'), resources.permissionsOfResource, { full: relatedView, paging: all }),
].flat();

const scopeRoutes = [
  getList(below(place, '/scope'), scopes.listAuthorizationScopes, {
    full: scopeView,
    paging: page,
    query: ['scopeId', 'name'],
    input: parameters('scopeId', 'name'),
  }),
  post(below(place, '/scope'), scopes.createScope, {
    status: 201,
    returns: ScopeRepresentation,
    answer: (row) => made(encodeScope(row)),
  }),
  get(below(place, '/scope/search'), scopes.findScope, {
    query: ['name'],
    input: name,
    returns: ScopeRepresentation,
    answer: orNothing(encodeScope),
  }),
  get(scope, scopes.getScope, { view: scopeView }),
  put(scope, scopes.updateScope),
  mergePatch(scope, scopes.patchScope),
  del(scope, scopes.removeScope),
  getList(below(scope, '/resources'), scopes.resourcesOfScope, { full: namedResource, paging: all }),
  getList(below(scope, '/permissions'), scopes.permissionsOfScope, { full: relatedView, paging: all }),
].flat();

/** Policies and permissions have the same operations, in the general form and in that of their type. */
function policyRoutes(root: 'policy' | 'permission') {
  const isPermission = root === 'permission';
  const here = below(place, `/${root}`);
  const one = child(here, '/{policy-id}', (ctx, parent, params) => policyById(ctx, parent, params['policy-id'] ?? ''));
  const typed = child(here, '/{type}/{policy-id}', (ctx, parent, { type = '', ...params }) =>
    policyOfType(ctx, parent, type, params['policy-id'] ?? ''),
  );
  const encode = isPermission ? encodeTyped : encodePolicy;
  const shape = isPermission ? TypedPolicyRepresentation : PolicyRepresentation;
  const criteria = ['policyId', 'name', 'type', 'owner', 'resource', 'scope'];
  const search = { query: ['name'], input: name };
  const ofTypes = policyTypes.filter(({ permission = false }) => permission === isPermission);
  return [
    get(here, policies.listPolicies, {
      query: [...criteria, ...(isPermission ? [] : ['permission']), 'first', 'max'],
      input: (request) => ({
        ...paged(...criteria)(request),
        permission: isPermission ? true : flagParameter(request.query, 'permission'),
      }),
      returns: list(shape),
      answer: orNothing((rows) => rows.map(encode)),
    }),
    get(below(here, '/search'), policies.findPolicy, { ...search, returns: shape, answer: orNothing(encode) }),
    get(below(here, '/{type}/search'), policies.findPolicy, {
      ...search,
      returns: TypedPolicyRepresentation,
      answer: orNothing(encodeTyped),
    }),
    get(one, policies.getPolicy, { view: isPermission ? typedView : policyView }),
    get(typed, policies.getPolicy, { view: typedView }),
    isPermission ? put(one, policyWrites.updatePermission, changed) : put(one, policyWrites.updatePolicy, changed),
    put(typed, isPermission ? policyWrites.updatePermission : policyWrites.updateTypedPolicy, changed),
    isPermission ? mergePatch(one, policyWrites.patchPermission) : mergePatch(one, policyWrites.patchPolicy),
    mergePatch(typed, isPermission ? policyWrites.patchPermission : policyWrites.patchTypedPolicy),
    del(one, policyWrites.removePolicy),
    del(typed, policyWrites.removePolicy),
    ...[one, typed].flatMap((policy) => [
      getList(below(policy, '/associatedPolicies'), policies.associatedPolicies, { full: relatedView, paging: all }),
      getList(below(policy, '/dependentPolicies'), policies.dependentPolicies, { full: dependentView, paging: all }),
      getList(below(policy, '/resources'), policies.resourcesOfPolicy, { full: namedResource, paging: all }),
      getList(below(policy, '/scopes'), policies.scopesOfPolicy, { full: namedScope, paging: all }),
    ]),
    postToRead(below(here, '/evaluate'), evaluatePolicies, {
      returns: PolicyEvaluationResponse,
      input: (request) => request.body(),
      answer: async (result) => ({ status: 200, body: await encodeEvaluation(result), type: 'application/json' }),
    }),
    ...ofTypes.map(({ type }) =>
      get(below(here, `/${type}`), policies.listPolicies, {
        query: ['name', 'first', 'max'],
        input: (request) => ({ ...paged('name')(request), exactType: type }),
        returns: list(TypedPolicyRepresentation),
        answer: orNothing((rows) => rows.map(encodeTyped)),
      }),
    ),
    ...ofTypes.map(({ type }) => {
      const create = policyWrites.createOfType.get(type);
      if (!create) throw new Error(`No operation creates policies of type ${type}`);
      return post(below(here, `/${type}`), create, {
        status: 201,
        returns: TypedPolicyRepresentation,
        answer: (result) => made(encodeCreatedTyped(result)),
      });
    }),
  ].flat();
}

const providers = { returns: list(PolicyProvider) };

/** The settings, resources, scopes, policies and permissions of a client's authorization services. */
export const authorizationRoutes = [
  get(place, server.getServer, {
    returns: ResourceServerRepresentation,
    answer: ({ representation, version }) => tagged(json(representation), version),
  }),
  put(place, server.updateServer),
  mergePatch(place, server.patchServer),
  get(below(place, '/settings'), server.exportSettings, { returns: ResourceServerRepresentation }),
  post(below(place, '/import'), server.importSettings, { large: true }),
  resourceRoutes,
  scopeRoutes,
  get(below(client, '/authz/resource-server/policy/providers'), server.listProviders, providers),
  get(below(client, '/authz/resource-server/permission/providers'), server.listProviders, providers),
  post(below(place, '/policy'), policyWrites.createPolicy, {
    status: 201,
    returns: PolicyRepresentation,
    answer: (result) => made(encodeCreated(result)),
  }),
  policyRoutes('policy'),
  policyRoutes('permission'),
].flat();
