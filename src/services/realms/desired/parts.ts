import type { ModelName } from '../../../database/db.js';
import type { Row } from './delta.js';
import { type Index, type Owner, roleLabel, text } from './objects.js';

interface Part {
  /** the object that a row belongs to */
  owner: (row: Row, at: Index) => Owner;
  /** the path of the row in its object */
  path: (row: Row, at: Index) => string[];
  /** the value at this place; default: the remaining columns of the row */
  value?: (row: Row, at: Index) => unknown;
  /** whether several rows can have the same path, so that they are numbered */
  repeats?: true;
}

const owned =
  (model: ModelName, column: string): Part['owner'] =>
  (row) => ({ model, id: row[column] });
const isThere = () => true;
const attribute = (model: ModelName, column: string): Part => ({
  owner: owned(model, column),
  path: ({ name, position }) => ['attributes', text(name), text(position)],
  value: ({ value }) => value,
});
const roleLink = (model: ModelName, column: string, list: string, role = 'roleId'): Part => ({
  owner: owned(model, column),
  path: (row, at) => [list, roleLabel(at, row[role])],
  value: isThere,
});
const serverOf: Part['owner'] = (row) => ({ model: 'Client', id: row.resourceServerId });
const ofServerPart =
  (model: ModelName, column: string): Part['owner'] =>
  (row, at) => ({ model: 'Client', id: at(model, row[column])?.resourceServerId });
const inServer = (
  list: string,
  model: ModelName,
  column: string,
  field: string,
  name: (row: Row, at: Index) => string,
): Part => ({
  owner: ofServerPart(model, column),
  path: (row, at) => ['authorizationSettings', list, text(at(model, row[column])?.name), field, name(row, at)],
  value: isThere,
});
const nameIn =
  (model: ModelName, column: string) =>
  (row: Row, at: Index): string =>
    text(at(model, row[column])?.name);

function subjectLabel(row: Row, at: Index): string {
  if (row.roleId) return roleLabel(at, row.roleId);
  if (row.groupId) return text(at('Group', row.groupId)?.path);
  if (row.clientId) return text(at('Client', row.clientId)?.clientId);
  if (row.clientScopeId) return text(at('ClientScope', row.clientScopeId)?.name);
  return text(at('User', row.userId)?.username ?? row.subjectId);
}

/** The rows that are parts of other objects. */
export const parts: { [M in ModelName]?: Part } = {
  AuthenticationExecution: {
    owner: owned('AuthenticationFlow', 'flowId'),
    path: (row, at) => [
      'authenticationExecutions',
      text(row.authenticator ?? at('AuthenticationFlow', row.subflowId)?.alias),
    ],
    value: ({ requirement, priority, configId }, at) => ({
      requirement,
      priority,
      ...(configId ? { authenticatorConfig: at('AuthenticatorConfig', configId)?.alias } : {}),
    }),
    repeats: true,
  },
  ClientScopeAssignment: {
    owner: owned('Client', 'clientId'),
    path: ({ optional, clientScopeId }, at) => [
      optional ? 'optionalClientScopes' : 'defaultClientScopes',
      text(at('ClientScope', clientScopeId)?.name),
    ],
    value: isThere,
  },
  ProtocolMapper: {
    owner: ({ clientId, clientScopeId }) =>
      clientId ? { model: 'Client', id: clientId } : { model: 'ClientScope', id: clientScopeId },
    path: ({ name }) => ['protocolMappers', text(name)],
  },
  RoleAttribute: attribute('Role', 'roleId'),
  GroupAttribute: attribute('Group', 'groupId'),
  UserAttribute: attribute('User', 'userId'),
  CompositeRole: roleLink('Role', 'parentId', 'composites', 'childId'),
  ClientScopeMapping: roleLink('Client', 'clientId', 'scopeMappings'),
  ClientScopeScopeMapping: roleLink('ClientScope', 'clientScopeId', 'scopeMappings'),
  GroupRole: roleLink('Group', 'groupId', 'roles'),
  UserRole: roleLink('User', 'userId', 'roles'),
  UserGroup: {
    owner: owned('User', 'userId'),
    path: ({ groupId }, at) => ['groups', text(at('Group', groupId)?.path)],
    value: isThere,
  },
  Credential: { owner: owned('User', 'userId'), path: ({ type }) => ['credentials', text(type)], repeats: true },
  FederatedIdentity: {
    owner: owned('User', 'userId'),
    path: ({ identityProvider }) => ['federatedIdentities', text(identityProvider)],
  },
  UserConsent: {
    owner: owned('User', 'userId'),
    path: ({ clientId }, at) => ['clientConsents', text(at('Client', clientId)?.clientId)],
  },
  LocalizationText: {
    owner: owned('Realm', 'realmId'),
    path: ({ locale, key }) => ['localizationTexts', text(locale), text(key)],
    value: ({ value }) => value,
  },
  Webhook: { owner: owned('Realm', 'realmId'), path: ({ name }) => ['webhooks', text(name)] },
  ResourceServer: { owner: owned('Client', 'id'), path: () => ['authorizationSettings'] },
  AuthorizationScope: { owner: serverOf, path: ({ name }) => ['authorizationSettings', 'scopes', text(name)] },
  AuthorizationResource: { owner: serverOf, path: ({ name }) => ['authorizationSettings', 'resources', text(name)] },
  AuthorizationPolicy: { owner: serverOf, path: ({ name }) => ['authorizationSettings', 'policies', text(name)] },
  AuthorizationResourceUri: inServer('resources', 'AuthorizationResource', 'resourceId', 'uris', ({ value }) =>
    text(value),
  ),
  AuthorizationResourceScope: inServer(
    'resources',
    'AuthorizationResource',
    'resourceId',
    'scopes',
    nameIn('AuthorizationScope', 'scopeId'),
  ),
  AuthorizationPolicySubject: inServer('policies', 'AuthorizationPolicy', 'policyId', 'subjects', subjectLabel),
  AuthorizationPolicyResource: inServer(
    'policies',
    'AuthorizationPolicy',
    'policyId',
    'resources',
    nameIn('AuthorizationResource', 'resourceId'),
  ),
  AuthorizationPolicyScope: inServer(
    'policies',
    'AuthorizationPolicy',
    'policyId',
    'scopes',
    nameIn('AuthorizationScope', 'scopeId'),
  ),
  AuthorizationPolicyUse: inServer(
    'policies',
    'AuthorizationPolicy',
    'policyId',
    'policies',
    nameIn('AuthorizationPolicy', 'associatedId'),
  ),
};
