import { authorizationScopeById, resourceById } from '../../services/authorization/locate.js';
import { createResource, patchResource, removeResource } from '../../services/authorization/resources.js';
import { createScope, patchScope, removeScope } from '../../services/authorization/scopes.js';
import { importSettings, patchServer } from '../../services/authorization/server.js';
import type { Context } from '../../services/core/context.js';
import { mutation } from '../core/mutation.js';
import { nodeId, parseId } from '../core/node.js';
import { JsonFileInput, jsonOf, pathInFile } from '../core/upload.js';
import { fieldNamed } from '../core/wire-names.js';
import {
  AuthorizationResource,
  AuthorizationScope,
  DecisionStrategy,
  PolicyEnforcement,
  ResourceServer,
} from './authorization.js';
import { type InputBuilder, serverOfClient, serverWith, theClient } from './located-server.js';

const returned = (type: { readonly name: string }, model: string, field: string) => ({
  [field]: { type, model, description: 'The object after the change.', id: ({ id }: { id: string }) => id },
});
const deleted = (typename: string) => ({
  deletedId: {
    type: 'ID',
    description: 'ID of the deleted object.',
    of: ({ id }: { id: string }) => nodeId(typename, id),
  },
});
/** Names of the inputs, by their contract names. */
const fieldOf = fieldNamed({
  allowRemoteResourceManagement: 'allowsRemoteManagement',
  policyEnforcementMode: 'enforcement',
  icon_uri: 'iconUri',
  ownerManagedAccess: 'allowsOwnerManagedAccess',
});
/** Names of the inputs of resources, which have a name for their scopes. */
const resourceFieldOf = (field: string) => fieldOf(field).replace(/^scopes\b/, 'scopeNames');

mutation('resourceServerUpdate', {
  description: 'Changes the authorization services settings of a client. Omitted fields keep their values.',
  operation: patchServer,
  input: (t) => ({
    ...theClient(t),
    allowsRemoteManagement: t.boolean({
      description: 'Whether the client may manage its resources through the protection API.',
    }),
    enforcement: t.field({
      type: PolicyEnforcement,
      description: 'How requests are decided for a resource that no permission covers.',
    }),
    decisionStrategy: t.field({
      type: DecisionStrategy,
      description: 'How the decisions of several permissions are combined.',
    }),
  }),
  locate: ({ client }, ctx) => serverOfClient(ctx, client),
  send: ({ allowsRemoteManagement, enforcement, decisionStrategy }) => ({
    allowRemoteResourceManagement: allowsRemoteManagement,
    policyEnforcementMode: enforcement,
    decisionStrategy,
  }),
  fieldOf,
  returns: returned(ResourceServer, 'resourceServer', 'resourceServer'),
});

mutation('resourceServerImport', {
  description:
    'Imports resources, scopes, policies, and permissions from an export. Objects whose name already exists stay unchanged.',
  operation: importSettings,
  input: (t) => ({
    ...theClient(t),
    settings: t.field({
      type: JsonFileInput,
      required: true,
      description: 'Exported settings as ResourceServerRepresentation of the REST API.',
    }),
  }),
  locate: ({ client }, ctx) => serverOfClient(ctx, client),
  send: ({ settings }, ctx) => jsonOf(settings, ctx.services.config.importBodyLimit),
  fieldsOf: ({ settings }) => pathInFile('settings', settings),
  returns: returned(ResourceServer, 'resourceServer', 'resourceServer'),
});

const scopeFields = <R extends boolean>(t: InputBuilder, required: R) => ({
  name: t.string({ required, description: 'Name of the scope, unique in the client.' }),
  displayName: t.string({ description: 'Display name of the scope.' }),
  iconUri: t.string({ description: 'URI of an icon for the scope.' }),
});
const oneScope = (t: InputBuilder) => ({ id: t.id({ required: true, description: 'ID of the scope.' }) });
const scopeAt = async (ctx: Context, globalId: string) => {
  const node = parseId(globalId, 'id', 'AuthorizationScope');
  return authorizationScopeById(ctx, await serverWith(ctx, node), node.id);
};

mutation('authorizationScopeCreate', {
  description: 'Creates a scope. If a scope with this name exists, it is changed instead.',
  operation: createScope,
  input: (t) => ({ ...theClient(t), ...scopeFields(t, true) }),
  locate: ({ client }, ctx) => serverOfClient(ctx, client),
  send: ({ name, displayName, iconUri }) => ({ name, displayName, iconUri }),
  returns: returned(AuthorizationScope, 'authorizationScope', 'authorizationScope'),
});
mutation('authorizationScopeUpdate', {
  description: 'Changes a scope. Omitted fields keep their values; null clears a nullable field.',
  operation: patchScope,
  input: (t) => ({ ...oneScope(t), ...scopeFields(t, false) }),
  locate: ({ id }, ctx) => scopeAt(ctx, id),
  send: ({ name, displayName, iconUri }) => ({ name, displayName, iconUri }),
  returns: returned(AuthorizationScope, 'authorizationScope', 'authorizationScope'),
});
mutation('authorizationScopeDelete', {
  description: 'Deletes a scope. Refused if a resource uses it.',
  operation: removeScope,
  input: oneScope,
  locate: ({ id }, ctx) => scopeAt(ctx, id),
  values: deleted('AuthorizationScope'),
});

const resourceFields = <R extends boolean>(t: InputBuilder, required: R) => ({
  name: t.string({ required, description: 'Name of the resource, unique among the resources of its owner.' }),
  displayName: t.string({ description: 'Display name of the resource.' }),
  type: t.string({ description: 'Type of the resource, e.g. `urn:app:resources:album`.' }),
  iconUri: t.string({ description: 'URI of an icon for the resource.' }),
  uris: t.stringList({ description: 'URI patterns of the resource.' }),
  scopeNames: t.stringList({ description: 'Names of the scopes of the resource. Missing scopes are created.' }),
  allowsOwnerManagedAccess: t.boolean({
    description: 'Whether the owner may manage access to the resource (User-Managed Access).',
  }),
});
const oneResource = (t: InputBuilder) => ({ id: t.id({ required: true, description: 'ID of the resource.' }) });
const resourceAt = async (ctx: Context, globalId: string) => {
  const node = parseId(globalId, 'id', 'AuthorizationResource');
  return resourceById(ctx, await serverWith(ctx, node), node.id);
};

interface ResourceFields {
  name?: string | null;
  displayName?: string | null;
  type?: string | null;
  iconUri?: string | null;
  uris?: string[] | null;
  scopeNames?: string[] | null;
  allowsOwnerManagedAccess?: boolean | null;
}
const sentResource = ({
  name,
  displayName,
  type,
  iconUri,
  uris,
  scopeNames,
  allowsOwnerManagedAccess,
}: ResourceFields) => ({
  name,
  displayName,
  type,
  icon_uri: iconUri,
  uris,
  scopes: scopeNames,
  ownerManagedAccess: allowsOwnerManagedAccess,
});

mutation('authorizationResourceCreate', {
  description: 'Creates a resource, owned by a user or by the client.',
  operation: createResource,
  input: (t) => ({
    ...theClient(t),
    ...resourceFields(t, true),
    user: t.id({ description: 'ID of the user who owns the resource. Omit for the client itself.' }),
  }),
  locate: ({ client }, ctx) => serverOfClient(ctx, client),
  send: ({ user, ...fields }) => ({
    ...sentResource(fields),
    ...(user && { owner: { id: parseId(user, 'user', 'User').id } }),
  }),
  fieldOf: resourceFieldOf,
  returns: returned(AuthorizationResource, 'authorizationResource', 'authorizationResource'),
});
mutation('authorizationResourceUpdate', {
  description: 'Changes a resource. Omitted fields keep their values; null clears a nullable field.',
  operation: patchResource,
  input: (t) => ({ ...oneResource(t), ...resourceFields(t, false) }),
  locate: ({ id }, ctx) => resourceAt(ctx, id),
  send: (input) => sentResource(input),
  fieldOf: resourceFieldOf,
  returns: returned(AuthorizationResource, 'authorizationResource', 'authorizationResource'),
});
mutation('authorizationResourceDelete', {
  description: 'Deletes a resource, and the permissions that apply to no other resource.',
  operation: removeResource,
  input: oneResource,
  locate: ({ id }, ctx) => resourceAt(ctx, id),
  values: deleted('AuthorizationResource'),
});
