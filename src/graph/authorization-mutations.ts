import {
  authorizationScopeById,
  policyById,
  resourceById,
  type ServerTarget,
  serverOf,
} from '../services/authorization/locate.js';
import { createPolicy, removePolicy, updatePolicy } from '../services/authorization/policies.js';
import { createResource, removeResource, updateResource } from '../services/authorization/resources.js';
import { createScope, removeScope, updateScope } from '../services/authorization/scopes.js';
import { importSettings, updateServer } from '../services/authorization/server.js';
import { clientById } from '../services/clients/locate.js';
import type { Context } from '../services/core/context.js';
import {
  AuthorizationPolicy,
  AuthorizationResource,
  AuthorizationScope,
  DecisionStrategy,
  PolicyEnforcement,
  PolicyLogic,
  ResourceServer,
} from './authorization.js';
import type { builder } from './builder.js';
import { mutation } from './mutation.js';
import { locatedNode, nodeId, parseId } from './node.js';

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
const given = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));

mutation('resourceServerUpdate', {
  description: 'Changes how the authorization services of a client decide. What is left out stays.',
  operation: updateServer,
  input: (t) => ({
    ...theClient(t),
    allowRemoteManagement: t.boolean({ description: 'Whether the client may register resources by itself.' }),
    enforcement: t.field({ type: PolicyEnforcement, description: 'What comes of what no permission is about.' }),
    decisionStrategy: t.field({ type: DecisionStrategy, description: 'How several permissions become one decision.' }),
  }),
  locate: ({ client }, ctx) => server(ctx, client),
  send: async ({ client, allowRemoteManagement, enforcement, decisionStrategy }, ctx) => {
    const { server: before } = await server(ctx, client);
    return {
      allowRemoteResourceManagement: allowRemoteManagement ?? before.allowRemoteResourceManagement,
      policyEnforcementMode: enforcement ?? before.policyEnforcementMode,
      decisionStrategy: decisionStrategy ?? before.decisionStrategy,
    };
  },
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

const scopeFields = (t: InputBuilder) => ({
  name: t.string({ required: true, description: 'Unique among those of the client.' }),
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
  input: (t) => ({ ...theClient(t), ...scopeFields(t) }),
  locate: ({ client }, ctx) => server(ctx, client),
  send: ({ name, displayName, iconUri }) => given({ name, displayName, iconUri }),
  returns: returned(AuthorizationScope, 'authorizationScope', 'scope'),
});
mutation('authorizationScopeUpdate', {
  description: 'Replaces a scope.',
  operation: updateScope,
  input: (t) => ({ ...oneScope(t), ...scopeFields(t) }),
  locate: (input, ctx) => scopeAt(ctx, input),
  send: ({ name, displayName, iconUri }) => given({ name, displayName, iconUri }),
  returns: returned(AuthorizationScope, 'authorizationScope', 'updated'),
});
mutation('authorizationScopeDelete', {
  description: 'Deletes a scope that no resource has.',
  operation: removeScope,
  input: oneScope,
  locate: (input, ctx) => scopeAt(ctx, input),
  values: deleted('AuthorizationScope'),
});

const resourceFields = (t: InputBuilder) => ({
  name: t.string({ required: true, description: 'Unique among those of its owner.' }),
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
  name: string;
  displayName?: string | null;
  type?: string | null;
  iconUri?: string | null;
  uris?: string[] | null;
  scopes?: string[] | null;
  ownerManagedAccess?: boolean | null;
}
const sentResource = ({ name, displayName, type, iconUri, uris, scopes, ownerManagedAccess }: ResourceFields) =>
  given({ name, displayName, type, icon_uri: iconUri, uris, scopes, ownerManagedAccess });

mutation('authorizationResourceCreate', {
  description: 'Creates a resource, of a user or of the client itself.',
  operation: createResource,
  input: (t) => ({
    ...theClient(t),
    ...resourceFields(t),
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
  description: 'Replaces a resource; its attributes stay.',
  operation: updateResource,
  input: (t) => ({ ...oneResource(t), ...resourceFields(t) }),
  locate: (input, ctx) => resourceAt(ctx, input),
  send: (input) => sentResource(input),
  returns: returned(AuthorizationResource, 'authorizationResource', 'updated'),
});
mutation('authorizationResourceDelete', {
  description: 'Deletes a resource, with the permissions that were about nothing else.',
  operation: removeResource,
  input: oneResource,
  locate: (input, ctx) => resourceAt(ctx, input),
  values: deleted('AuthorizationResource'),
});

const policyFields = (t: InputBuilder) => ({
  name: t.string({ required: true, description: 'Unique among those of the client.' }),
  description: t.string({ description: 'What it is for.' }),
  logic: t.field({ type: PolicyLogic, description: 'Whether it says the opposite.' }),
  decisionStrategy: t.field({ type: DecisionStrategy, description: 'How what it applies becomes one decision.' }),
  policies: t.stringList({ description: 'Names of the policies that it applies.' }),
  resources: t.stringList({ description: 'Names of the resources that a permission is about.' }),
  scopes: t.stringList({ description: 'Names of the scopes that a permission is about.' }),
  config: t.field({ type: 'JSON', description: 'Settings of the type, texts by name, as the REST contract has them.' }),
});
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
    ...policyFields(t),
  }),
  locate: ({ client }, ctx) => server(ctx, client),
  send: ({ client: _, idempotencyKey: __, ...input }: Record<string, unknown>) => given(input),
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
  description: 'Replaces a policy or permission.',
  operation: updatePolicy,
  input: (t) => ({ ...onePolicy(t), ...policyFields(t) }),
  locate: (input, ctx) => policyAt(ctx, input),
  send: ({ client: _, policy: __, idempotencyKey: ___, expectedVersion: ____, ...input }: Record<string, unknown>) =>
    given(input),
  returns: returned(AuthorizationPolicy, 'authorizationPolicy', 'updated'),
});
mutation('authorizationPolicyDelete', {
  description: 'Deletes a policy or permission, with those that applied nothing else.',
  operation: removePolicy,
  input: onePolicy,
  locate: (input, ctx) => policyAt(ctx, input),
  values: deleted('AuthorizationPolicy'),
});
