import {
  configAbilities,
  executionAbilities,
  flowAbilities,
  requiredActionAbilities,
} from '../../services/authentication/abilities.js';
import {
  policyAbilities,
  resourceAbilities,
  scopeAbilities,
  serverAbilities,
} from '../../services/authorization/abilities.js';
import { initialAccessAbilities } from '../../services/client-registration/abilities.js';
import { clientScopeAbilities } from '../../services/client-scopes/abilities.js';
import { clientAbilities } from '../../services/clients/abilities.js';
import { componentAbilities, storageAbilities, storageMapperAbilities } from '../../services/components/abilities.js';
import { groupAbilities } from '../../services/groups/abilities.js';
import { providerAbilities, providerMapperAbilities } from '../../services/identity-providers/abilities.js';
import { protocolMapperAbilities } from '../../services/protocol-mappers/abilities.js';
import { realmAbilities } from '../../services/realms/abilities.js';
import { roleAbilities } from '../../services/roles/abilities.js';
import { credentialAbilities, sessionAbilities, userAbilities } from '../../services/users/abilities.js';
import { webhookAbilities } from '../../services/webhooks/abilities.js';
import { AuthenticatorConfig } from '../authentication/authenticator-configs.js';
import { AuthenticationFlow, FlowExecution } from '../authentication/flows.js';
import { RequiredAction } from '../authentication/required-actions.js';
import { AuthorizationResource, AuthorizationScope, ResourceServer } from '../authorization/authorization.js';
import { AuthorizationPolicy } from '../authorization/policies.js';
import { policyTypenames, typenameOf } from '../authorization/policy-kinds.js';
import { ClientInitialAccess } from '../client-registration/client-registration.js';
import { ClientScope } from '../client-scopes/client-scopes.js';
import { Client } from '../clients/clients.js';
import { Component } from '../components/components.js';
import { viewerCan } from '../core/abilities.js';
import type { NodeId } from '../core/node.js';
import type { NodeRow } from '../core/node-rows.js';
import { Group } from '../groups/groups.js';
import { IdentityProvider, IdentityProviderMapper } from '../identity-providers/identity-providers.js';
import { ProtocolMapper } from '../protocol-mappers/protocol-mappers.js';
import { Realm } from '../realms/realms.js';
import { Role } from '../roles/roles.js';
import { UserSession } from '../sessions/sessions.js';
import { UserStorage, UserStorageMapper } from '../user-storage/storages.js';
import { Credential, User } from '../users/users.js';
import { Webhook } from '../webhooks/webhooks.js';

viewerCan(Realm, realmAbilities, {
  update: 'realmUpdate',
  delete: 'realmDelete',
  createUser: 'userCreate',
  createGroup: 'groupCreate',
  createRole: 'roleCreate',
  createClient: 'clientCreate',
  createClientScope: 'clientScopeCreate',
  createClientInitialAccess: 'clientInitialAccessCreate',
  createIdentityProvider: 'identityProviderCreate',
  createAuthenticationFlow: 'authenticationFlowCreate',
  createComponent: 'componentCreate',
  createWebhook: 'webhookCreate',
  updateManagementPermission: 'managementPermissionUpdate',
  partialImport: 'realmPartialImport',
  pushRevocation: 'realmPushRevocation',
  logoutAll: 'realmLogoutAll',
  clearLoginFailures: 'realmClearLoginFailures',
  clearAdminEvents: 'realmClearAdminEvents',
  clearLoginEvents: 'realmClearLoginEvents',
});

viewerCan(User, userAbilities, {
  update: 'userUpdate',
  delete: 'userDelete',
  setPassword: 'userSetPassword',
  joinGroups: 'userJoinGroups',
  addRoles: 'userAddRoles',
  addFederatedIdentity: 'userAddFederatedIdentity',
  revokeConsent: 'userRevokeConsent',
  impersonate: 'userImpersonate',
  logout: 'userLogout',
  sendVerifyEmail: 'userSendVerifyEmail',
  sendActionsEmail: 'userSendActionsEmail',
  clearLoginFailures: 'userClearLoginFailures',
});

viewerCan(Credential, credentialAbilities, {
  delete: 'credentialDelete',
  setLabel: 'credentialSetLabel',
  move: 'credentialMove',
});

viewerCan(UserSession, sessionAbilities, { end: 'userSessionEnd' });

viewerCan(Group, groupAbilities, {
  update: 'groupUpdate',
  delete: 'groupDelete',
  move: 'groupMove',
  createGroup: 'groupCreate',
  addMembers: 'groupAddMembers',
  addRoles: 'groupAddRoles',
  updateManagementPermission: 'managementPermissionUpdate',
});

viewerCan(Role, roleAbilities, {
  update: 'roleUpdate',
  delete: 'roleDelete',
  addComposites: 'roleAddComposites',
  updateManagementPermission: 'managementPermissionUpdate',
});

viewerCan(Client, clientAbilities, {
  update: 'clientUpdate',
  delete: 'clientDelete',
  rotateSecret: 'clientRotateSecret',
  revokePreviousSecret: 'clientRevokePreviousSecret',
  rotateRegistrationToken: 'clientRotateRegistrationToken',
  createRole: 'roleCreate',
  addClientScope: 'clientAddClientScope',
  createProtocolMapper: 'protocolMapperCreate',
  addScopeMapping: 'scopeMappingAdd',
  pushRevocation: 'clientPushRevocation',
  updateManagementPermission: 'managementPermissionUpdate',
});

viewerCan(ClientScope, clientScopeAbilities, {
  update: 'clientScopeUpdate',
  delete: 'clientScopeDelete',
  createProtocolMapper: 'protocolMapperCreate',
  addScopeMapping: 'scopeMappingAdd',
  addToRealm: 'realmAddClientScope',
});

viewerCan(ProtocolMapper, protocolMapperAbilities, { update: 'protocolMapperUpdate', delete: 'protocolMapperDelete' });

viewerCan(ClientInitialAccess, initialAccessAbilities, { delete: 'clientInitialAccessDelete' });

viewerCan(IdentityProvider, providerAbilities, {
  update: 'identityProviderUpdate',
  delete: 'identityProviderDelete',
  createIdentityProviderMapper: 'identityProviderMapperCreate',
  updateManagementPermission: 'managementPermissionUpdate',
});

viewerCan(IdentityProviderMapper, providerMapperAbilities, {
  update: 'identityProviderMapperUpdate',
  delete: 'identityProviderMapperDelete',
});

viewerCan(AuthenticationFlow, flowAbilities, {
  update: 'authenticationFlowUpdate',
  delete: 'authenticationFlowDelete',
  copy: 'authenticationFlowCopy',
  createFlowExecution: 'flowExecutionCreate',
  createSubflow: 'authenticationFlowCreateSubflow',
});

viewerCan(FlowExecution, executionAbilities, {
  update: 'flowExecutionUpdate',
  delete: 'flowExecutionDelete',
  createAuthenticatorConfig: 'authenticatorConfigCreate',
});

viewerCan(AuthenticatorConfig, configAbilities, {
  update: 'authenticatorConfigUpdate',
  delete: 'authenticatorConfigDelete',
});

viewerCan(RequiredAction, requiredActionAbilities, {
  update: 'requiredActionUpdate',
  delete: 'requiredActionDelete',
});

viewerCan(Component, componentAbilities, { update: 'componentUpdate', delete: 'componentDelete' });

viewerCan(UserStorage, storageAbilities, {
  sync: 'userStorageSync',
  unlinkUsers: 'userStorageUnlinkUsers',
  removeUsers: 'userStorageRemoveUsers',
});

viewerCan(UserStorageMapper, storageMapperAbilities, { sync: 'userStorageMapperSync' });

const clientOf = (id: unknown): NodeId => ({ typename: 'Client', id: String(id) });

/**
 * Objects of authorization services are found by callers who may view them or their client, whose ID the authorization
 * services have.
 */
const byItselfOrClient = (typenameOf: (row: NodeRow) => string) => ({
  foundBy: (row: NodeRow): readonly [NodeId, NodeId] => [
    { typename: typenameOf(row), id: row.id },
    clientOf(row.resourceServerId),
  ],
});

viewerCan(
  AuthorizationResource,
  resourceAbilities,
  { update: 'authorizationResourceUpdate', delete: 'authorizationResourceDelete' },
  byItselfOrClient(() => 'AuthorizationResource'),
);

viewerCan(
  AuthorizationScope,
  scopeAbilities,
  { update: 'authorizationScopeUpdate', delete: 'authorizationScopeDelete' },
  byItselfOrClient(() => 'AuthorizationScope'),
);

viewerCan(
  ResourceServer,
  serverAbilities,
  {
    update: 'resourceServerUpdate',
    import: 'resourceServerImport',
    createAuthorizationResource: 'authorizationResourceCreate',
    createAuthorizationScope: 'authorizationScopeCreate',
    createAuthorizationPolicy: 'authorizationPolicyCreate',
  },
  { foundBy: ({ id }) => [clientOf(id)] },
);

viewerCan(
  AuthorizationPolicy,
  policyAbilities,
  { update: 'authorizationPolicyUpdate', delete: 'authorizationPolicyDelete' },
  { types: policyTypenames, ...byItselfOrClient(({ type }) => typenameOf(String(type))) },
);

viewerCan(Webhook, webhookAbilities, {
  update: 'webhookUpdate',
  delete: 'webhookDelete',
  rotateSecret: 'webhookRotateSecret',
  ping: 'webhookPing',
  replay: 'webhookReplay',
});
