import { getResource, listResources, resourceWhere } from '../../services/authorization/resources.js';
import { getScope, listAuthorizationScopes, scopeMatching } from '../../services/authorization/scopes.js';
import { getServer } from '../../services/authorization/server.js';
import { Client } from '../clients/clients.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { listType, named, onOptionalText, onText, whether } from '../core/list-type.js';
import { guardNode, realmOfServer } from '../core/node.js';
import { optionalText } from '../core/optional-text.js';
import { relatedField } from '../core/related.js';

export const PolicyEnforcement = builder.enumType('PolicyEnforcementMode', {
  description: 'How requests are decided for a resource that no permission covers.',
  values: {
    ENFORCING: { description: 'Denied if no permission covers the resource.' },
    PERMISSIVE: { description: 'Granted if no permission covers the resource.' },
    DISABLED: { description: 'Granted always: policies are not evaluated.' },
  },
});

export const DecisionStrategy = builder.enumType('DecisionStrategy', {
  description: 'How several decisions are combined into one.',
  values: {
    UNANIMOUS: { description: 'Grants only if every decision grants.' },
    AFFIRMATIVE: { description: 'Grants if at least one decision grants.' },
    CONSENSUS: { description: 'Grants if more decisions grant than deny.' },
  },
});

export const AuthorizationScope = builder.prismaNode('AuthorizationScope', {
  id: { field: 'id' },
  description: 'An authorization scope: an action that resources of a client allow, such as `view`.',
  select: { id: true },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the scope, unique in the client.' }),
    displayName: t.string(optionalText('displayName', 'Display name of the scope.')),
    iconUri: t.exposeString('iconUri', { nullable: true, description: 'URI of an icon for the scope.' }),
    version: t.exposeInt('version', {
      description: 'Version of the object. Increases by one with every change. Pass it as `expectedVersion`.',
    }),
  }),
});

export const AuthorizationResource = builder.prismaNode('AuthorizationResource', {
  id: { field: 'id' },
  description: 'A protected resource of a client.',
  select: { id: true },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the resource, unique among the resources of its owner.' }),
    displayName: t.string(optionalText('displayName', 'Display name of the resource.')),
    type: t.exposeString('type', {
      nullable: true,
      description:
        'Type of the resource, e.g. `urn:app:resources:album`. Permissions can apply to all resources of a type.',
    }),
    iconUri: t.exposeString('iconUri', { nullable: true, description: 'URI of an icon for the resource.' }),
    allowsOwnerManagedAccess: t.exposeBoolean('ownerManagedAccess', {
      description: 'Whether the owner may manage access to the resource (User-Managed Access).',
    }),
    uris: t.stringList({
      description: 'URI patterns of the resource.',
      select: { uris: { select: { value: true }, orderBy: { value: 'asc' } } },
      resolve: ({ uris }) => uris.map(({ value }) => value),
    }),
    version: t.exposeInt('version', {
      description: 'Version of the object. Increases by one with every change. Pass it as `expectedVersion`.',
    }),
  }),
});

export const ResourceServer = builder.prismaNode('ResourceServer', {
  id: { field: 'id' },
  description: 'Authorization services settings of a client.',
  select: { id: true },
  fields: (t) => ({
    allowsRemoteManagement: t.exposeBoolean('allowRemoteResourceManagement', {
      description: 'Whether the client may manage its resources through the protection API.',
    }),
    enforcement: t.field({
      type: PolicyEnforcement,
      description: 'How requests are decided for a resource that no permission covers.',
      select: { policyEnforcementMode: true },
      resolve: ({ policyEnforcementMode }) => policyEnforcementMode as 'ENFORCING',
    }),
    decisionStrategy: t.field({
      type: DecisionStrategy,
      description: 'How the decisions of several permissions are combined.',
      select: { decisionStrategy: true },
      resolve: ({ decisionStrategy }) => decisionStrategy as 'UNANIMOUS',
    }),
    version: t.exposeInt('version', {
      description: 'Version of the object. Increases by one with every change. Pass it as `expectedVersion`.',
    }),
  }),
});

/**
 * The path from objects of authorization services to their realm. Callers who may view the settings of the client may
 * view them.
 */
export const ofResourceServer = { realmPath: ['resourceServer', 'client'] };

guardNode(ResourceServer, getServer, { realmPath: ['client'] });
guardNode(AuthorizationScope, getScope, ofResourceServer);
guardNode(AuthorizationResource, getResource, ofResourceServer);

/** The order of everything that a client with authorization services has. */
export const byName = [{ path: 'name' }, { path: 'id' }];
/** The conditions on the name in all filters of these lists. */
export const onName = (matching: (text: string) => object) => ({
  name: onText('name', 'Condition on the name. Case-sensitive.'),
  search: named('Matches items whose name contains this text. Case-insensitive.', (text) =>
    text ? matching(text) : {},
  ),
});

/** The common parts of all lists of protected resources. */
export const resourceLists = {
  connection: connectionType('AuthorizationResource', AuthorizationResource),
  list: listType({
    name: 'AuthorizationResource',
    plural: 'protected resources',
    conditions: {
      ...onName((text) => ({ AND: resourceWhere('', { name: text }).AND })),
      displayName: onOptionalText('displayName', 'Condition on the display name.'),
      type: onOptionalText('type', 'Condition on the type.'),
      isUserManaged: whether(
        'Matches resources whose owner does (true) or does not (false) manage access to them.',
        (is) => ({
          ownerManagedAccess: is,
        }),
      ),
    },
    orders: {
      NAME: { path: 'name', description: 'Order by name.' },
      DISPLAY_NAME: { path: 'displayName', isNullable: true, description: 'Order by display name.' },
      TYPE: { path: 'type', isNullable: true, description: 'Order by type.' },
    },
  }),
};

/** The common parts of all lists of authorization scopes. */
export const scopeLists = {
  connection: connectionType('AuthorizationScope', AuthorizationScope),
  list: listType({
    name: 'AuthorizationScope',
    plural: 'authorization scopes',
    conditions: {
      ...onName(scopeMatching),
      displayName: onOptionalText('displayName', 'Condition on the display name.'),
    },
    orders: {
      NAME: { path: 'name', description: 'Order by name.' },
      DISPLAY_NAME: { path: 'displayName', isNullable: true, description: 'Order by display name.' },
    },
  }),
};

relatedField(Client, 'authorizationResources', {
  ...resourceLists,
  relation: 'authorizationResources',
  requires: listResources,
  description: 'Protected resources of the client, ordered by name.',
  order: byName,
});

relatedField(Client, 'authorizationScopes', {
  ...scopeLists,
  relation: 'authorizationScopes',
  listing: listAuthorizationScopes,
  description: 'Authorization scopes of the client, ordered by name.',
});

relatedField(AuthorizationResource, 'scopes', {
  ...scopeLists,
  relation: 'scopes',
  through: 'scope',
  readsOfParent: realmOfServer,
  listing: listAuthorizationScopes,
  description: 'Scopes of the resource, ordered by name.',
});

builder.prismaObjectFields(Client, (t) => ({
  resourceServer: t.relation('resourceServer', {
    type: ResourceServer,
    nullable: true,
    description: 'Authorization services settings of the client. Null if they are not enabled.',
    requires: getServer,
  }),
}));
