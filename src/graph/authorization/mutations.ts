import {
  authorizationScopeById,
  policyById,
  resourceById,
  type ServerTarget,
  serverOf,
} from '../../services/authorization/locate.js';
import { createPolicy, patchPolicy, removePolicy } from '../../services/authorization/policies.js';
import { createResource, patchResource, removeResource } from '../../services/authorization/resources.js';
import { createScope, patchScope, removeScope } from '../../services/authorization/scopes.js';
import { importSettings, patchServer } from '../../services/authorization/server.js';
import { clientById } from '../../services/clients/locate.js';
import type { Context } from '../../services/core/context.js';
import { replacing } from '../../services/core/patch.js';
import type { builder } from '../core/builder.js';
import { mutation } from '../core/mutation.js';
import { locatedNode, nodeId, parseId } from '../core/node.js';
import {
  AuthorizationPolicy,
  AuthorizationResource,
  AuthorizationScope,
  DecisionStrategy,
  PolicyEnforcement,
  PolicyLogic,
  ResourceServer,
} from './authorization.js';

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

const theClient = (t: InputBuilder) => ({
  client: t.id({ required: true, description: 'Id of the client whose authorization services are meant.' }),
});

async function server(ctx: Context, id: string): Promise<ServerTarget> {
  const found = await locatedNode(ctx, id, 'client', 'Client');
  return serverOf(ctx, await clientById(ctx, found.realm, found.id));
}

const returned = (type: object, model: string, field: string) => ({
  [field]: { type, model, description: 'It as it is now.', id: ({ id }: { id: string }) => id },
});
const deleted = (typename: string) => ({
  deletedId: {
    type: 'ID',
    description: 'Id of what is gone.',
    of: ({ id }: { id: string }) => nodeId(typename, id),
  },
});
/** Names of the inputs, by those of the contract. */
const fieldNames: Record<string, string> = {
  allowRemoteResourceManagement: 'allowRemoteManagement',
  policyEnforcementMode: 'enforcement',
  icon_uri: 'iconUri',
};

mutation('resourceServerUpdate', {
  description: 'Changes how the authorization services of a client decide. What is left out stays.',
  operation: patchServer,
  input: (t) => ({
    ...theClient(t),
    allowRemoteManagement: t.boolean({ description: 'Whether the client may register resources by itself.' }),
    enforcement: t.field({ type: PolicyEnforcement, description: 'What comes of what no permission is about.' }),
    decisionStrategy: t.field({ type: DecisionStrategy, description: 'How several permissions become one decision.' }),
  }),
  locate: ({ client }, ctx) => server(ctx, client),
  send: ({ allowRemoteManagement, enforcement, decisionStrategy }) => ({
    allowRemoteResourceManagement: allowRemoteManagement,
    policyEnforcementMode: enforcement,
    decisionStrategy,
  }),
  fieldOf: (field) => fieldNames[field] ?? field,
  returns: returned(ResourceServer, 'resourceServer', 'resourceServer'),
});

mutation('resourceServerImport', {
  description: 'Adds resources, scopes, policies and permissions of a file. What is there by name stays as it is.',
  operation: importSettings,
  input: (t) => ({
    ...theClient(t),
    settings: t.field({ type: 'JSON', required: true, description: 'The file, as an export has it.' }),
  }),
  locate: ({ client }, ctx) => server(ctx, client),
  send: ({ settings }) => settings,
  returns: returned(ResourceServer, 'resourceServer', 'resourceServer'),
});

const scopeFields = <R extends boolean>(t: InputBuilder, required: R) => ({
  name: t.string({ required, description: 'Unique among those of the client.' }),
  displayName: t.string({ description: 'Name for people.' }),
  iconUri: t.string({ description: 'Address of a picture.' }),
});
const oneScope = (t: InputBuilder) => ({
  ...theClient(t),
  scope: t.id({ required: true, description: 'Id of the scope.' }),
});
const scopeAt = async (ctx: Context, { client, scope }: { client: string; scope: string }) =>
  authorizationScopeById(ctx, await server(ctx, client), parseId(scope, 'scope', 'AuthorizationScope').id);

mutation('authorizationScopeCreate', {
  description: 'Creates a scope; one of the same name is changed instead.',
  operation: createScope,
  input: (t) => ({ ...theClient(t), ...scopeFields(t, true) }),
  locate: ({ client }, ctx) => server(ctx, client),
  send: ({ name, displayName, iconUri }) => ({ name, displayName, iconUri }),
  returns: returned(AuthorizationScope, 'authorizationScope', 'scope'),
});
mutation('authorizationScopeUpdate', {
  description: 'Changes a scope. Fields that are left out stay; null clears a field that can be empty.',
  operation: patchScope,
  input: (t) => ({ ...oneScope(t), ...scopeFields(t, false) }),
  locate: (input, ctx) => scopeAt(ctx, input),
  send: ({ name, displayName, iconUri }) => ({ name, displayName, iconUri }),
  returns: returned(AuthorizationScope, 'authorizationScope', 'updated'),
});
mutation('authorizationScopeDelete', {
  description: 'Deletes a scope that no resource has.',
  operation: removeScope,
  input: oneScope,
  locate: (input, ctx) => scopeAt(ctx, input),
  values: deleted('AuthorizationScope'),
});

const resourceFields = <R extends boolean>(t: InputBuilder, required: R) => ({
  name: t.string({ required, description: 'Unique among those of its owner.' }),
  displayName: t.string({ description: 'Name for people.' }),
  type: t.string({ description: 'What kind of thing it is.' }),
  iconUri: t.string({ description: 'Address of a picture.' }),
  uris: t.stringList({ description: 'The addresses that it has, as patterns.' }),
  scopes: t.stringList({ description: 'Names of what can be done with it; they are made on the way.' }),
  ownerManagedAccess: t.boolean({ description: 'Whether its owner may share it.' }),
});
const oneResource = (t: InputBuilder) => ({
  ...theClient(t),
  resource: t.id({ required: true, description: 'Id of the resource.' }),
});
const resourceAt = async (ctx: Context, { client, resource }: { client: string; resource: string }) =>
  resourceById(ctx, await server(ctx, client), parseId(resource, 'resource', 'AuthorizationResource').id);

interface ResourceFields {
  name?: string | null;
  displayName?: string | null;
  type?: string | null;
  iconUri?: string | null;
  uris?: string[] | null;
  scopes?: string[] | null;
  ownerManagedAccess?: boolean | null;
}
const sentResource = ({ name, displayName, type, iconUri, uris, scopes, ownerManagedAccess }: ResourceFields) => ({
  name,
  displayName,
  type,
  icon_uri: iconUri,
  uris,
  scopes,
  ownerManagedAccess,
});

mutation('authorizationResourceCreate', {
  description: 'Creates a resource, of a user or of the client itself.',
  operation: createResource,
  input: (t) => ({
    ...theClient(t),
    ...resourceFields(t, true),
    user: t.id({ description: 'Id of the user who owns it; the client itself unless told.' }),
  }),
  locate: ({ client }, ctx) => server(ctx, client),
  send: ({ user, ...fields }) => ({
    ...sentResource(fields),
    ...(user && { owner: { id: parseId(user, 'user', 'User').id } }),
  }),
  returns: returned(AuthorizationResource, 'authorizationResource', 'resource'),
});
mutation('authorizationResourceUpdate', {
  description: 'Changes a resource. Fields that are left out stay; null clears a field that can be empty.',
  operation: patchResource,
  input: (t) => ({ ...oneResource(t), ...resourceFields(t, false) }),
  locate: (input, ctx) => resourceAt(ctx, input),
  send: (input) => sentResource(input),
  fieldOf: (field) => fieldNames[field] ?? field,
  returns: returned(AuthorizationResource, 'authorizationResource', 'updated'),
});
mutation('authorizationResourceDelete', {
  description: 'Deletes a resource, with the permissions that were about nothing else.',
  operation: removeResource,
  input: oneResource,
  locate: (input, ctx) => resourceAt(ctx, input),
  values: deleted('AuthorizationResource'),
});

const policyFields = <R extends boolean>(t: InputBuilder, required: R) => ({
  name: t.string({ required, description: 'Unique among those of the client.' }),
  description: t.string({ description: 'What it is for.' }),
  logic: t.field({ type: PolicyLogic, description: 'Whether it says the opposite.' }),
  decisionStrategy: t.field({ type: DecisionStrategy, description: 'How what it applies becomes one decision.' }),
  policies: t.stringList({ description: 'Names of the policies that it applies.' }),
  resources: t.stringList({ description: 'Names of the resources that a permission is about.' }),
  scopes: t.stringList({ description: 'Names of the scopes that a permission is about.' }),
  config: t.field({ type: 'JSON', description: 'Settings of the type, texts by name, as the REST contract has them.' }),
});
const sentPolicy = ({
  client: _client,
  policy: _policy,
  idempotencyKey: _key,
  expectedVersion: _version,
  config,
  ...input
}: Record<string, unknown>) => ({ ...input, config: isMap(config) ? replacing(config) : config });
const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
const onePolicy = (t: InputBuilder) => ({
  ...theClient(t),
  policy: t.id({ required: true, description: 'Id of the policy.' }),
});
const policyAt = async (ctx: Context, { client, policy }: { client: string; policy: string }) =>
  policyById(ctx, await server(ctx, client), parseId(policy, 'policy', 'AuthorizationPolicy').id);

mutation('authorizationPolicyCreate', {
  description: 'Creates a policy or permission of any type.',
  operation: createPolicy,
  input: (t) => ({
    ...theClient(t),
    type: t.string({ required: true, description: 'What decides, e.g. role, time, resource.' }),
    ...policyFields(t, true),
  }),
  locate: ({ client }, ctx) => server(ctx, client),
  send: (input) => sentPolicy(input),
  returns: {
    policy: {
      type: AuthorizationPolicy,
      model: 'authorizationPolicy',
      description: 'It as it is now.',
      id: ({ policy }: { policy: { id: string } }) => policy.id,
    },
  },
});
mutation('authorizationPolicyUpdate', {
  description: 'Changes a policy or permission. Fields that are left out stay; null clears a field that can be empty.',
  operation: patchPolicy,
  input: (t) => ({ ...onePolicy(t), ...policyFields(t, false) }),
  locate: (input, ctx) => policyAt(ctx, input),
  send: (input) => sentPolicy(input),
  returns: returned(AuthorizationPolicy, 'authorizationPolicy', 'updated'),
});
mutation('authorizationPolicyDelete', {
  description: 'Deletes a policy or permission, with those that applied nothing else.',
  operation: removePolicy,
  input: onePolicy,
  locate: (input, ctx) => policyAt(ctx, input),
  values: deleted('AuthorizationPolicy'),
});
