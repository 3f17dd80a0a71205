-- The tables of the data model. The order of columns is that of databases from before the first release.

-- CreateTable
CREATE TABLE "Realm" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT false,
    "displayName" TEXT,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "attributes" JSONB NOT NULL DEFAULT '{}',
    "parts" JSONB NOT NULL DEFAULT '{}',
    "smtpPassword" TEXT,
    "defaultRoleId" TEXT,
    "adminClientId" TEXT,
    "version" INTEGER NOT NULL DEFAULT 0,
    "managed" JSONB NOT NULL DEFAULT '{}'
);

-- CreateTable
CREATE TABLE "RealmApply" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "reverts" INTEGER,
    "source" TEXT,
    "revision" TEXT,
    "digest" TEXT NOT NULL,
    "modes" JSONB NOT NULL DEFAULT '{}',
    "created" INTEGER NOT NULL,
    "updated" INTEGER NOT NULL,
    "deleted" INTEGER NOT NULL,
    "appliedAt" BIGINT NOT NULL,
    "authRealmId" TEXT NOT NULL,
    "authClientId" TEXT NOT NULL,
    "authUserId" TEXT NOT NULL,
    "inverse" TEXT,

    CONSTRAINT "RealmApply_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ManagedObject" (
    "realmId" TEXT NOT NULL,
    "objectId" TEXT NOT NULL,

    PRIMARY KEY ("realmId", "objectId"),
    CONSTRAINT "ManagedObject_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Client" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "name" TEXT,
    "description" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "protocol" TEXT,
    "clientAuthenticatorType" TEXT,
    "secret" TEXT,
    "registrationToken" TEXT,
    "publicClient" BOOLEAN NOT NULL DEFAULT false,
    "bearerOnly" BOOLEAN NOT NULL DEFAULT false,
    "consentRequired" BOOLEAN NOT NULL DEFAULT false,
    "standardFlowEnabled" BOOLEAN NOT NULL DEFAULT true,
    "implicitFlowEnabled" BOOLEAN NOT NULL DEFAULT false,
    "directAccessGrantsEnabled" BOOLEAN NOT NULL DEFAULT false,
    "serviceAccountsEnabled" BOOLEAN NOT NULL DEFAULT false,
    "authorizationServicesEnabled" BOOLEAN NOT NULL DEFAULT false,
    "frontchannelLogout" BOOLEAN NOT NULL DEFAULT false,
    "fullScopeAllowed" BOOLEAN NOT NULL DEFAULT true,
    "surrogateAuthRequired" BOOLEAN NOT NULL DEFAULT false,
    "alwaysDisplayInConsole" BOOLEAN NOT NULL DEFAULT false,
    "rootUrl" TEXT,
    "adminUrl" TEXT,
    "baseUrl" TEXT,
    "nodeReRegistrationTimeout" INTEGER NOT NULL DEFAULT -1,
    "notBefore" INTEGER NOT NULL DEFAULT 0,
    "redirectUris" JSONB NOT NULL DEFAULT '[]',
    "webOrigins" JSONB NOT NULL DEFAULT '[]',
    "attributes" JSONB NOT NULL DEFAULT '{}',
    "authenticationFlowBindingOverrides" JSONB NOT NULL DEFAULT '{}',
    "registeredNodes" JSONB NOT NULL DEFAULT '{}',
    "search" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,
    "previousSecret" TEXT,
    "previousSecretUntil" BIGINT NOT NULL DEFAULT 0,
    "secretVersion" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Client_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ClientScope" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "protocol" TEXT,
    "attributes" JSONB NOT NULL DEFAULT '{}',
    "assignment" TEXT,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "ClientScope_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ClientScopeAssignment" (
    "clientId" TEXT NOT NULL,
    "clientScopeId" TEXT NOT NULL,
    "optional" BOOLEAN NOT NULL DEFAULT false,

    PRIMARY KEY ("clientId", "clientScopeId"),
    CONSTRAINT "ClientScopeAssignment_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ClientScopeAssignment_clientScopeId_fkey" FOREIGN KEY ("clientScopeId") REFERENCES "ClientScope" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ProtocolMapper" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "clientId" TEXT,
    "clientScopeId" TEXT,
    "container" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "protocol" TEXT,
    "protocolMapper" TEXT,
    "config" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "ProtocolMapper_clientId_realmId_fkey" FOREIGN KEY ("clientId", "realmId") REFERENCES "Client" ("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ProtocolMapper_clientScopeId_realmId_fkey" FOREIGN KEY ("clientScopeId", "realmId") REFERENCES "ClientScope" ("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ClientScopeMapping" (
    "clientId" TEXT NOT NULL,
    "roleId" TEXT NOT NULL,

    PRIMARY KEY ("clientId", "roleId"),
    CONSTRAINT "ClientScopeMapping_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ClientScopeMapping_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ClientScopeScopeMapping" (
    "clientScopeId" TEXT NOT NULL,
    "roleId" TEXT NOT NULL,

    PRIMARY KEY ("clientScopeId", "roleId"),
    CONSTRAINT "ClientScopeScopeMapping_clientScopeId_fkey" FOREIGN KEY ("clientScopeId") REFERENCES "ClientScope" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ClientScopeScopeMapping_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Role" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "clientId" TEXT,
    "container" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "search" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Role_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Role_clientId_realmId_fkey" FOREIGN KEY ("clientId", "realmId") REFERENCES "Client" ("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AdministrationRole" (
    "roleId" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "right" TEXT NOT NULL,

    CONSTRAINT "AdministrationRole_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AdministrationRole_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RoleAttribute" (
    "roleId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "value" TEXT NOT NULL,

    PRIMARY KEY ("roleId", "name", "position"),
    CONSTRAINT "RoleAttribute_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "CompositeRole" (
    "parentId" TEXT NOT NULL,
    "childId" TEXT NOT NULL,

    PRIMARY KEY ("parentId", "childId"),
    CONSTRAINT "CompositeRole_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "Role" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "CompositeRole_childId_fkey" FOREIGN KEY ("childId") REFERENCES "Role" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Group" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "parentId" TEXT,
    "container" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "search" TEXT NOT NULL DEFAULT '',
    "isDefault" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Group_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Group_parentId_realmId_fkey" FOREIGN KEY ("parentId", "realmId") REFERENCES "Group" ("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "GroupAttribute" (
    "groupId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "value" TEXT NOT NULL,

    PRIMARY KEY ("groupId", "name", "position"),
    CONSTRAINT "GroupAttribute_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "GroupRole" (
    "groupId" TEXT NOT NULL,
    "roleId" TEXT NOT NULL,

    PRIMARY KEY ("groupId", "roleId"),
    CONSTRAINT "GroupRole_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "GroupRole_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "User" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "email" TEXT,
    "uniqueEmail" TEXT,
    "emailVerified" BOOLEAN NOT NULL DEFAULT false,
    "firstName" TEXT,
    "lastName" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT false,
    "createdTimestamp" BIGINT,
    "notBefore" INTEGER NOT NULL DEFAULT 0,
    "federationLink" TEXT,
    "serviceAccountClientId" TEXT,
    "requiredActions" JSONB NOT NULL DEFAULT '[]',
    "search" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,
    "federationId" TEXT,
    "keptFields" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "User_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "User_serviceAccountClientId_fkey" FOREIGN KEY ("serviceAccountClientId") REFERENCES "Client" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "UserAttribute" (
    "userId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "value" TEXT NOT NULL,

    PRIMARY KEY ("userId", "name", "position"),
    CONSTRAINT "UserAttribute_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Credential" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "userLabel" TEXT,
    "createdDate" BIGINT,
    "priority" INTEGER NOT NULL DEFAULT 10,
    "credentialData" TEXT NOT NULL,
    "secretData" TEXT NOT NULL,

    CONSTRAINT "Credential_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "FederatedIdentity" (
    "userId" TEXT NOT NULL,
    "identityProvider" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "externalUsername" TEXT,

    PRIMARY KEY ("userId", "identityProvider"),
    CONSTRAINT "FederatedIdentity_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "UserConsent" (
    "userId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "grantedScopes" JSONB NOT NULL DEFAULT '[]',
    "createdDate" BIGINT NOT NULL,
    "lastUpdatedDate" BIGINT NOT NULL,

    PRIMARY KEY ("userId", "clientId"),
    CONSTRAINT "UserConsent_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "UserConsent_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "UserGroup" (
    "userId" TEXT NOT NULL,
    "groupId" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "imported" BOOLEAN NOT NULL DEFAULT false,

    PRIMARY KEY ("userId", "groupId"),
    CONSTRAINT "UserGroup_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "UserGroup_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "UserRole" (
    "userId" TEXT NOT NULL,
    "roleId" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "imported" BOOLEAN NOT NULL DEFAULT false,

    PRIMARY KEY ("userId", "roleId"),
    CONSTRAINT "UserRole_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "UserRole_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "UserCount" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "realmId" TEXT NOT NULL,
    "users" INTEGER NOT NULL,
    "serviceAccounts" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "UserSession" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "sid" TEXT NOT NULL,
    "realmId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "offline" BOOLEAN NOT NULL DEFAULT false,
    "ipAddress" TEXT NOT NULL,
    "rememberMe" BOOLEAN NOT NULL DEFAULT false,
    "startedAt" INTEGER NOT NULL,
    "lastAccess" INTEGER NOT NULL,
    "notes" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "UserSession_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "UserSession_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ClientSession" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "sessionId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "realmId" TEXT NOT NULL,
    "offline" BOOLEAN NOT NULL DEFAULT false,
    "startedAt" INTEGER NOT NULL,
    "lastAccess" INTEGER NOT NULL,
    "redirectUri" TEXT,
    "refreshToken" TEXT,
    "refreshUses" INTEGER NOT NULL DEFAULT 0,
    "notes" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "ClientSession_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "UserSession" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ClientSession_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "LoginFailure" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "notBefore" INTEGER NOT NULL DEFAULT 0,
    "lastFailure" BIGINT NOT NULL DEFAULT 0,
    "lastAddress" TEXT,

    CONSTRAINT "LoginFailure_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "LoginEvent" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "time" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "clientId" TEXT,
    "userId" TEXT,
    "sessionId" TEXT,
    "ipAddress" TEXT,
    "error" TEXT,
    "details" JSONB NOT NULL DEFAULT '{}',
    "position" BIGINT NOT NULL DEFAULT 0
);

-- CreateTable
CREATE TABLE "OneTimeToken" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "payload" TEXT NOT NULL DEFAULT '',
    "expiresAt" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "ClientInitialAccess" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "timestamp" INTEGER NOT NULL,
    "expiration" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    "remainingCount" INTEGER NOT NULL,

    CONSTRAINT "ClientInitialAccess_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AuthenticationFlow" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "alias" TEXT NOT NULL,
    "description" TEXT,
    "providerId" TEXT NOT NULL,
    "topLevel" BOOLEAN NOT NULL DEFAULT false,
    "builtIn" BOOLEAN NOT NULL DEFAULT false,
    "position" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "AuthenticationFlow_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AuthenticationExecution" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "flowId" TEXT NOT NULL,
    "authenticator" TEXT,
    "subflowId" TEXT,
    "configId" TEXT,
    "requirement" TEXT NOT NULL,
    "priority" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "AuthenticationExecution_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AuthenticationExecution_flowId_realmId_fkey" FOREIGN KEY ("flowId", "realmId") REFERENCES "AuthenticationFlow" ("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AuthenticationExecution_subflowId_realmId_fkey" FOREIGN KEY ("subflowId", "realmId") REFERENCES "AuthenticationFlow" ("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AuthenticationExecution_configId_fkey" FOREIGN KEY ("configId") REFERENCES "AuthenticatorConfig" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AuthenticatorConfig" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "alias" TEXT NOT NULL,
    "config" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "AuthenticatorConfig_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RequiredAction" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "alias" TEXT NOT NULL,
    "name" TEXT,
    "providerId" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "defaultAction" BOOLEAN NOT NULL DEFAULT false,
    "priority" INTEGER NOT NULL DEFAULT 0,
    "config" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "RequiredAction_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Component" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "parentId" TEXT NOT NULL,
    "name" TEXT,
    "providerId" TEXT NOT NULL,
    "providerType" TEXT NOT NULL,
    "subType" TEXT,
    "config" JSONB NOT NULL DEFAULT '{}',
    "secrets" TEXT,
    "grantable" JSONB,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Component_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "UserStorageState" (
    "componentId" TEXT NOT NULL PRIMARY KEY,
    "fullSyncAt" BIGINT,
    "changedSyncAt" BIGINT,
    "endedAt" BIGINT,
    "lastKind" TEXT,
    "lastResult" JSONB,
    "leaseOwner" TEXT,
    "leaseUntil" BIGINT,
    "entries" INTEGER,
    "progress" JSONB,

    CONSTRAINT "UserStorageState_componentId_fkey" FOREIGN KEY ("componentId") REFERENCES "Component" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "IdentityProvider" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "alias" TEXT NOT NULL,
    "displayName" TEXT,
    "providerId" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "storeToken" BOOLEAN NOT NULL DEFAULT false,
    "trustEmail" BOOLEAN NOT NULL DEFAULT false,
    "linkOnly" BOOLEAN NOT NULL DEFAULT false,
    "addReadTokenRoleOnCreate" BOOLEAN NOT NULL DEFAULT false,
    "authenticateByDefault" BOOLEAN NOT NULL DEFAULT false,
    "updateProfileFirstLoginMode" TEXT,
    "firstBrokerLoginFlowAlias" TEXT,
    "postBrokerLoginFlowAlias" TEXT,
    "position" INTEGER NOT NULL DEFAULT 0,
    "config" JSONB NOT NULL DEFAULT '{}',
    "secrets" TEXT,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "IdentityProvider_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "IdentityProviderMapper" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "identityProviderAlias" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "identityProviderMapper" TEXT NOT NULL,
    "config" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "IdentityProviderMapper_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "LocalizationText" (
    "realmId" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    PRIMARY KEY ("realmId", "locale", "key"),
    CONSTRAINT "LocalizationText_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ResourceServer" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "allowRemoteResourceManagement" BOOLEAN NOT NULL DEFAULT true,
    "policyEnforcementMode" TEXT NOT NULL DEFAULT 'ENFORCING',
    "decisionStrategy" TEXT NOT NULL DEFAULT 'UNANIMOUS',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "ResourceServer_id_fkey" FOREIGN KEY ("id") REFERENCES "Client" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AuthorizationScope" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "resourceServerId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "displayName" TEXT,
    "iconUri" TEXT,
    "search" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "AuthorizationScope_resourceServerId_fkey" FOREIGN KEY ("resourceServerId") REFERENCES "ResourceServer" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AuthorizationResource" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "resourceServerId" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "userId" TEXT,
    "name" TEXT NOT NULL,
    "displayName" TEXT,
    "type" TEXT,
    "iconUri" TEXT,
    "ownerManagedAccess" BOOLEAN NOT NULL DEFAULT false,
    "attributes" JSONB NOT NULL DEFAULT '{}',
    "search" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "AuthorizationResource_resourceServerId_fkey" FOREIGN KEY ("resourceServerId") REFERENCES "ResourceServer" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AuthorizationResource_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AuthorizationResourceUri" (
    "resourceId" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    PRIMARY KEY ("resourceId", "value"),
    CONSTRAINT "AuthorizationResourceUri_resourceId_fkey" FOREIGN KEY ("resourceId") REFERENCES "AuthorizationResource" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AuthorizationResourceScope" (
    "resourceId" TEXT NOT NULL,
    "scopeId" TEXT NOT NULL,

    PRIMARY KEY ("resourceId", "scopeId"),
    CONSTRAINT "AuthorizationResourceScope_resourceId_fkey" FOREIGN KEY ("resourceId") REFERENCES "AuthorizationResource" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AuthorizationResourceScope_scopeId_fkey" FOREIGN KEY ("scopeId") REFERENCES "AuthorizationScope" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AuthorizationPolicy" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "resourceServerId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "type" TEXT NOT NULL,
    "logic" TEXT NOT NULL DEFAULT 'POSITIVE',
    "decisionStrategy" TEXT NOT NULL DEFAULT 'UNANIMOUS',
    "resourceType" TEXT,
    "ownerId" TEXT,
    "config" JSONB NOT NULL DEFAULT '{}',
    "search" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "AuthorizationPolicy_resourceServerId_fkey" FOREIGN KEY ("resourceServerId") REFERENCES "ResourceServer" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AuthorizationPolicy_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AuthorizationPolicyResource" (
    "policyId" TEXT NOT NULL,
    "resourceId" TEXT NOT NULL,

    PRIMARY KEY ("policyId", "resourceId"),
    CONSTRAINT "AuthorizationPolicyResource_policyId_fkey" FOREIGN KEY ("policyId") REFERENCES "AuthorizationPolicy" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AuthorizationPolicyResource_resourceId_fkey" FOREIGN KEY ("resourceId") REFERENCES "AuthorizationResource" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AuthorizationPolicyScope" (
    "policyId" TEXT NOT NULL,
    "scopeId" TEXT NOT NULL,

    PRIMARY KEY ("policyId", "scopeId"),
    CONSTRAINT "AuthorizationPolicyScope_policyId_fkey" FOREIGN KEY ("policyId") REFERENCES "AuthorizationPolicy" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AuthorizationPolicyScope_scopeId_fkey" FOREIGN KEY ("scopeId") REFERENCES "AuthorizationScope" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AuthorizationPolicyUse" (
    "policyId" TEXT NOT NULL,
    "associatedId" TEXT NOT NULL,

    PRIMARY KEY ("policyId", "associatedId"),
    CONSTRAINT "AuthorizationPolicyUse_policyId_fkey" FOREIGN KEY ("policyId") REFERENCES "AuthorizationPolicy" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AuthorizationPolicyUse_associatedId_fkey" FOREIGN KEY ("associatedId") REFERENCES "AuthorizationPolicy" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AuthorizationPolicySubject" (
    "policyId" TEXT NOT NULL,
    "subjectId" TEXT NOT NULL,
    "userId" TEXT,
    "roleId" TEXT,
    "groupId" TEXT,
    "clientId" TEXT,
    "clientScopeId" TEXT,
    "strong" BOOLEAN NOT NULL DEFAULT false,

    PRIMARY KEY ("policyId", "subjectId"),
    CONSTRAINT "AuthorizationPolicySubject_policyId_fkey" FOREIGN KEY ("policyId") REFERENCES "AuthorizationPolicy" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AuthorizationPolicySubject_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AuthorizationPolicySubject_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AuthorizationPolicySubject_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AuthorizationPolicySubject_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AuthorizationPolicySubject_clientScopeId_fkey" FOREIGN KEY ("clientScopeId") REFERENCES "ClientScope" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "PermissionTicket" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "resourceServerId" TEXT NOT NULL,
    "resourceId" TEXT NOT NULL,
    "scopeId" TEXT,
    "ownerId" TEXT NOT NULL,
    "requesterId" TEXT NOT NULL,
    "createdTimestamp" BIGINT NOT NULL,
    "grantedTimestamp" BIGINT,

    CONSTRAINT "PermissionTicket_resourceServerId_fkey" FOREIGN KEY ("resourceServerId") REFERENCES "ResourceServer" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "PermissionTicket_resourceId_fkey" FOREIGN KEY ("resourceId") REFERENCES "AuthorizationResource" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "PermissionTicket_scopeId_fkey" FOREIGN KEY ("scopeId") REFERENCES "AuthorizationScope" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "PermissionTicket_requesterId_fkey" FOREIGN KEY ("requesterId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AdminEvent" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "time" BIGINT NOT NULL,
    "operation" TEXT NOT NULL,
    "operationType" TEXT NOT NULL,
    "resourceType" TEXT NOT NULL,
    "resourcePath" TEXT NOT NULL,
    "authRealmId" TEXT,
    "authClientId" TEXT,
    "authUserId" TEXT,
    "authIpAddress" TEXT,
    "representation" TEXT,
    "before" TEXT,
    "listed" BOOLEAN NOT NULL DEFAULT false,
    "position" BIGINT NOT NULL DEFAULT 0,
    "sent" TEXT,
    "resourceId" TEXT
);

-- CreateTable
CREATE TABLE "Webhook" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "previousSecret" TEXT,
    "previousSecretUntil" BIGINT NOT NULL DEFAULT 0,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "loginEventTypes" JSONB NOT NULL,
    "resourceTypes" JSONB NOT NULL,
    "position" BIGINT NOT NULL,
    "positionTime" BIGINT NOT NULL DEFAULT 0,
    "positionId" TEXT NOT NULL DEFAULT '',
    "failures" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" BIGINT NOT NULL DEFAULT 0,
    "disabledReason" TEXT,
    "leaseOwner" TEXT,
    "leaseUntil" BIGINT NOT NULL DEFAULT 0,
    "createdAt" BIGINT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Webhook_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AuditCursor" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "position" BIGINT NOT NULL,
    "positionTime" BIGINT NOT NULL DEFAULT 0,
    "positionId" TEXT NOT NULL DEFAULT '',
    "leaseOwner" TEXT,
    "leaseUntil" BIGINT NOT NULL DEFAULT 0
);

-- CreateTable
CREATE TABLE "AuditBlock" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "number" INTEGER NOT NULL,
    "previous" TEXT NOT NULL,
    "sealedAt" BIGINT NOT NULL,
    "afterPosition" BIGINT NOT NULL,
    "lastPosition" BIGINT NOT NULL,
    "lastTime" BIGINT NOT NULL,
    "lastId" TEXT NOT NULL,
    "entries" TEXT NOT NULL,
    "proof" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "AuditExpiry" (
    "realmId" TEXT NOT NULL PRIMARY KEY,
    "before" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "webhookId" TEXT NOT NULL,
    "eventId" TEXT NOT NULL,
    "eventType" TEXT NOT NULL,
    "succeeded" BOOLEAN NOT NULL,
    "responseStatus" INTEGER,
    "error" TEXT,
    "duration" INTEGER NOT NULL,
    "at" BIGINT NOT NULL,

    CONSTRAINT "WebhookDelivery_webhookId_fkey" FOREIGN KEY ("webhookId") REFERENCES "Webhook" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Change" (
    "seq" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "realmId" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "eventId" TEXT NOT NULL,
    "touches" JSONB NOT NULL DEFAULT '[]',
    "at" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "IdempotencyKey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "operation" TEXT NOT NULL,
    "requestHash" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "createdAt" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "SecretsKeyCheck" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "Realm_name_key" ON "Realm"("name");

-- CreateIndex
CREATE INDEX "Realm_adminClientId_idx" ON "Realm"("adminClientId");

-- CreateIndex
CREATE INDEX "RealmApply_appliedAt_idx" ON "RealmApply"("appliedAt");

-- CreateIndex
CREATE UNIQUE INDEX "RealmApply_realmId_number_key" ON "RealmApply"("realmId", "number");

-- CreateIndex
CREATE UNIQUE INDEX "Client_realmId_clientId_key" ON "Client"("realmId", "clientId");

-- CreateIndex
CREATE UNIQUE INDEX "Client_id_realmId_key" ON "Client"("id", "realmId");

-- CreateIndex
CREATE UNIQUE INDEX "ClientScope_realmId_name_key" ON "ClientScope"("realmId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "ClientScope_id_realmId_key" ON "ClientScope"("id", "realmId");

-- CreateIndex
CREATE INDEX "ClientScopeAssignment_clientScopeId_idx" ON "ClientScopeAssignment"("clientScopeId");

-- CreateIndex
CREATE INDEX "ProtocolMapper_clientId_realmId_idx" ON "ProtocolMapper"("clientId", "realmId");

-- CreateIndex
CREATE INDEX "ProtocolMapper_clientScopeId_realmId_idx" ON "ProtocolMapper"("clientScopeId", "realmId");

-- CreateIndex
CREATE UNIQUE INDEX "ProtocolMapper_container_protocol_name_key" ON "ProtocolMapper"("container", "protocol", "name");

-- CreateIndex
CREATE INDEX "ClientScopeMapping_roleId_idx" ON "ClientScopeMapping"("roleId");

-- CreateIndex
CREATE INDEX "ClientScopeScopeMapping_roleId_idx" ON "ClientScopeScopeMapping"("roleId");

-- CreateIndex
CREATE INDEX "Role_realmId_idx" ON "Role"("realmId");

-- CreateIndex
CREATE INDEX "Role_clientId_realmId_idx" ON "Role"("clientId", "realmId");

-- CreateIndex
CREATE UNIQUE INDEX "Role_container_name_key" ON "Role"("container", "name");

-- CreateIndex
CREATE INDEX "AdministrationRole_realmId_idx" ON "AdministrationRole"("realmId");

-- CreateIndex
CREATE INDEX "CompositeRole_childId_idx" ON "CompositeRole"("childId");

-- CreateIndex
CREATE INDEX "Group_realmId_path_idx" ON "Group"("realmId", "path");

-- CreateIndex
CREATE INDEX "Group_parentId_realmId_idx" ON "Group"("parentId", "realmId");

-- CreateIndex
CREATE UNIQUE INDEX "Group_container_name_key" ON "Group"("container", "name");

-- CreateIndex
CREATE UNIQUE INDEX "Group_id_realmId_key" ON "Group"("id", "realmId");

-- CreateIndex
CREATE INDEX "GroupAttribute_name_idx" ON "GroupAttribute"("name");

-- CreateIndex
CREATE INDEX "GroupRole_roleId_idx" ON "GroupRole"("roleId");

-- CreateIndex
CREATE UNIQUE INDEX "User_serviceAccountClientId_key" ON "User"("serviceAccountClientId");

-- CreateIndex
CREATE INDEX "User_realmId_email_idx" ON "User"("realmId", "email");

-- CreateIndex
CREATE UNIQUE INDEX "User_realmId_username_key" ON "User"("realmId", "username");

-- CreateIndex
CREATE UNIQUE INDEX "User_realmId_uniqueEmail_key" ON "User"("realmId", "uniqueEmail");

-- CreateIndex
CREATE UNIQUE INDEX "User_federationLink_federationId_key" ON "User"("federationLink", "federationId");

-- CreateIndex
CREATE INDEX "Credential_userId_idx" ON "Credential"("userId");

-- CreateIndex
CREATE INDEX "FederatedIdentity_identityProvider_externalUserId_idx" ON "FederatedIdentity"("identityProvider", "externalUserId");

-- CreateIndex
CREATE INDEX "UserConsent_clientId_idx" ON "UserConsent"("clientId");

-- CreateIndex
CREATE UNIQUE INDEX "UserGroup_groupId_username_key" ON "UserGroup"("groupId", "username");

-- CreateIndex
CREATE UNIQUE INDEX "UserRole_roleId_username_key" ON "UserRole"("roleId", "username");

-- CreateIndex
CREATE INDEX "UserCount_realmId_idx" ON "UserCount"("realmId");

-- CreateIndex
CREATE INDEX "UserSession_userId_offline_idx" ON "UserSession"("userId", "offline");

-- CreateIndex
CREATE INDEX "UserSession_realmId_offline_lastAccess_idx" ON "UserSession"("realmId", "offline", "lastAccess");

-- CreateIndex
CREATE UNIQUE INDEX "UserSession_sid_offline_key" ON "UserSession"("sid", "offline");

-- CreateIndex
CREATE INDEX "ClientSession_clientId_offline_idx" ON "ClientSession"("clientId", "offline");

-- CreateIndex
CREATE INDEX "ClientSession_realmId_offline_clientId_idx" ON "ClientSession"("realmId", "offline", "clientId");

-- CreateIndex
CREATE UNIQUE INDEX "ClientSession_sessionId_clientId_key" ON "ClientSession"("sessionId", "clientId");

-- CreateIndex
CREATE INDEX "LoginFailure_realmId_idx" ON "LoginFailure"("realmId");

-- CreateIndex
CREATE INDEX "LoginEvent_realmId_time_id_idx" ON "LoginEvent"("realmId", "time", "id");

-- CreateIndex
CREATE INDEX "LoginEvent_userId_time_id_idx" ON "LoginEvent"("userId", "time", "id");

-- CreateIndex
CREATE INDEX "LoginEvent_time_id_idx" ON "LoginEvent"("time", "id");

-- CreateIndex
CREATE INDEX "LoginEvent_realmId_position_idx" ON "LoginEvent"("realmId", "position");

-- CreateIndex
CREATE INDEX "LoginEvent_position_time_id_idx" ON "LoginEvent"("position", "time", "id");

-- CreateIndex
CREATE INDEX "OneTimeToken_expiresAt_idx" ON "OneTimeToken"("expiresAt");

-- CreateIndex
CREATE INDEX "ClientInitialAccess_realmId_timestamp_idx" ON "ClientInitialAccess"("realmId", "timestamp");

-- CreateIndex
CREATE UNIQUE INDEX "AuthenticationFlow_realmId_alias_key" ON "AuthenticationFlow"("realmId", "alias");

-- CreateIndex
CREATE UNIQUE INDEX "AuthenticationFlow_id_realmId_key" ON "AuthenticationFlow"("id", "realmId");

-- CreateIndex
CREATE INDEX "AuthenticationExecution_realmId_idx" ON "AuthenticationExecution"("realmId");

-- CreateIndex
CREATE INDEX "AuthenticationExecution_flowId_realmId_idx" ON "AuthenticationExecution"("flowId", "realmId");

-- CreateIndex
CREATE INDEX "AuthenticationExecution_subflowId_realmId_idx" ON "AuthenticationExecution"("subflowId", "realmId");

-- CreateIndex
CREATE INDEX "AuthenticationExecution_configId_idx" ON "AuthenticationExecution"("configId");

-- CreateIndex
CREATE INDEX "AuthenticatorConfig_realmId_idx" ON "AuthenticatorConfig"("realmId");

-- CreateIndex
CREATE UNIQUE INDEX "RequiredAction_realmId_alias_key" ON "RequiredAction"("realmId", "alias");

-- CreateIndex
CREATE INDEX "Component_realmId_providerType_idx" ON "Component"("realmId", "providerType");

-- CreateIndex
CREATE INDEX "Component_parentId_idx" ON "Component"("parentId");

-- CreateIndex
CREATE UNIQUE INDEX "IdentityProvider_realmId_alias_key" ON "IdentityProvider"("realmId", "alias");

-- CreateIndex
CREATE INDEX "IdentityProviderMapper_realmId_identityProviderAlias_idx" ON "IdentityProviderMapper"("realmId", "identityProviderAlias");

-- CreateIndex
CREATE UNIQUE INDEX "AuthorizationScope_resourceServerId_name_key" ON "AuthorizationScope"("resourceServerId", "name");

-- CreateIndex
CREATE INDEX "AuthorizationResource_resourceServerId_name_idx" ON "AuthorizationResource"("resourceServerId", "name");

-- CreateIndex
CREATE INDEX "AuthorizationResource_resourceServerId_type_idx" ON "AuthorizationResource"("resourceServerId", "type");

-- CreateIndex
CREATE INDEX "AuthorizationResource_userId_idx" ON "AuthorizationResource"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "AuthorizationResource_resourceServerId_ownerId_name_key" ON "AuthorizationResource"("resourceServerId", "ownerId", "name");

-- CreateIndex
CREATE INDEX "AuthorizationResourceUri_value_idx" ON "AuthorizationResourceUri"("value");

-- CreateIndex
CREATE INDEX "AuthorizationResourceScope_scopeId_idx" ON "AuthorizationResourceScope"("scopeId");

-- CreateIndex
CREATE INDEX "AuthorizationPolicy_resourceServerId_resourceType_idx" ON "AuthorizationPolicy"("resourceServerId", "resourceType");

-- CreateIndex
CREATE INDEX "AuthorizationPolicy_ownerId_idx" ON "AuthorizationPolicy"("ownerId");

-- CreateIndex
CREATE UNIQUE INDEX "AuthorizationPolicy_resourceServerId_name_key" ON "AuthorizationPolicy"("resourceServerId", "name");

-- CreateIndex
CREATE INDEX "AuthorizationPolicyResource_resourceId_idx" ON "AuthorizationPolicyResource"("resourceId");

-- CreateIndex
CREATE INDEX "AuthorizationPolicyScope_scopeId_idx" ON "AuthorizationPolicyScope"("scopeId");

-- CreateIndex
CREATE INDEX "AuthorizationPolicyUse_associatedId_idx" ON "AuthorizationPolicyUse"("associatedId");

-- CreateIndex
CREATE INDEX "AuthorizationPolicySubject_userId_idx" ON "AuthorizationPolicySubject"("userId");

-- CreateIndex
CREATE INDEX "AuthorizationPolicySubject_roleId_idx" ON "AuthorizationPolicySubject"("roleId");

-- CreateIndex
CREATE INDEX "AuthorizationPolicySubject_groupId_idx" ON "AuthorizationPolicySubject"("groupId");

-- CreateIndex
CREATE INDEX "AuthorizationPolicySubject_clientId_idx" ON "AuthorizationPolicySubject"("clientId");

-- CreateIndex
CREATE INDEX "AuthorizationPolicySubject_clientScopeId_idx" ON "AuthorizationPolicySubject"("clientScopeId");

-- CreateIndex
CREATE INDEX "PermissionTicket_resourceServerId_idx" ON "PermissionTicket"("resourceServerId");

-- CreateIndex
CREATE INDEX "PermissionTicket_scopeId_idx" ON "PermissionTicket"("scopeId");

-- CreateIndex
CREATE INDEX "PermissionTicket_requesterId_idx" ON "PermissionTicket"("requesterId");

-- CreateIndex
CREATE UNIQUE INDEX "PermissionTicket_resourceId_requesterId_scopeId_key" ON "PermissionTicket"("resourceId", "requesterId", "scopeId");

-- CreateIndex
CREATE INDEX "AdminEvent_realmId_time_id_idx" ON "AdminEvent"("realmId", "time", "id");

-- CreateIndex
CREATE INDEX "AdminEvent_resourceId_time_id_idx" ON "AdminEvent"("resourceId", "time", "id");

-- CreateIndex
CREATE INDEX "AdminEvent_time_id_idx" ON "AdminEvent"("time", "id");

-- CreateIndex
CREATE INDEX "AdminEvent_realmId_position_idx" ON "AdminEvent"("realmId", "position");

-- CreateIndex
CREATE INDEX "AdminEvent_position_time_id_idx" ON "AdminEvent"("position", "time", "id");

-- CreateIndex
CREATE INDEX "Webhook_realmId_name_idx" ON "Webhook"("realmId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "AuditBlock_number_key" ON "AuditBlock"("number");

-- CreateIndex
CREATE INDEX "WebhookDelivery_webhookId_at_idx" ON "WebhookDelivery"("webhookId", "at");

-- CreateIndex
CREATE INDEX "Change_at_idx" ON "Change"("at");

-- CreateIndex
CREATE INDEX "IdempotencyKey_createdAt_idx" ON "IdempotencyKey"("createdAt");

-- The rest is written by hand: the schema language cannot express it.

-- Join tables have a copy of the username, which changes with the user.
CREATE TRIGGER "User_renamed" AFTER UPDATE OF "username" ON "User" WHEN old."username" <> new."username" BEGIN
    UPDATE "UserGroup" SET "username" = new."username" WHERE "userId" = new."id";
    UPDATE "UserRole" SET "username" = new."username" WHERE "userId" = new."id";
END;

-- One row per realm. SQLite has one writer at a time, so no writer waits for the row.
CREATE TRIGGER "Realm_counts" AFTER INSERT ON "Realm" BEGIN
    INSERT INTO "UserCount" ("realmId", "users", "serviceAccounts") VALUES (new."id", 0, 0);
END;
CREATE TRIGGER "Realm_uncounted" AFTER DELETE ON "Realm" BEGIN
    DELETE FROM "UserCount" WHERE "realmId" = old."id";
END;
CREATE TRIGGER "User_counted" AFTER INSERT ON "User" BEGIN
    UPDATE "UserCount" SET "users" = "users" + (new."serviceAccountClientId" IS NULL),
        "serviceAccounts" = "serviceAccounts" + (new."serviceAccountClientId" IS NOT NULL)
    WHERE "realmId" = new."realmId";
END;
CREATE TRIGGER "User_uncounted" AFTER DELETE ON "User" BEGIN
    UPDATE "UserCount" SET "users" = "users" - (old."serviceAccountClientId" IS NULL),
        "serviceAccounts" = "serviceAccounts" - (old."serviceAccountClientId" IS NOT NULL)
    WHERE "realmId" = old."realmId";
END;

-- The trigrams of the search column, by the rowid of the user. Indexing many rows at once costs a thirtieth of indexing them
-- one by one. Therefore writes add the rowid to the queue, and searches read the queued rows and the index.
CREATE VIRTUAL TABLE "UserSearch" USING fts5("search", content = '', contentless_delete = 1, tokenize = 'trigram');
CREATE TABLE "UserSearchQueue" ("user" INTEGER NOT NULL PRIMARY KEY);
CREATE TRIGGER "User_searched" AFTER INSERT ON "User" BEGIN
    INSERT OR IGNORE INTO "UserSearchQueue" ("user") VALUES (new.rowid);
END;
CREATE TRIGGER "User_searched_anew" AFTER UPDATE OF "search" ON "User" WHEN old."search" <> new."search" BEGIN
    INSERT OR IGNORE INTO "UserSearchQueue" ("user") VALUES (new.rowid);
END;
CREATE TRIGGER "User_unsearched" AFTER DELETE ON "User" BEGIN
    INSERT OR IGNORE INTO "UserSearchQueue" ("user") VALUES (old.rowid);
END;

-- Numbers all events in the order in which they are stored, which is also the order of commits, as SQLite has one writer. The
-- number of a deleted event is not used again.
CREATE TABLE "EventPosition" ("last" BIGINT NOT NULL);
INSERT INTO "EventPosition" ("last") VALUES (0);
CREATE TRIGGER "LoginEvent_position" AFTER INSERT ON "LoginEvent" BEGIN
    UPDATE "EventPosition" SET "last" = "last" + 1;
    UPDATE "LoginEvent" SET "position" = (SELECT "last" FROM "EventPosition") WHERE rowid = new.rowid;
END;
CREATE TRIGGER "AdminEvent_position" AFTER INSERT ON "AdminEvent" BEGIN
    UPDATE "EventPosition" SET "last" = "last" + 1;
    UPDATE "AdminEvent" SET "position" = (SELECT "last" FROM "EventPosition") WHERE rowid = new.rowid;
END;

-- Rows that join two realms, or two resource servers, are refused, and an object that other rows refer to stays in its realm.
CREATE TRIGGER "ClientScopeAssignment_joined" BEFORE INSERT ON "ClientScopeAssignment"
    WHEN (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId") <> (SELECT "realmId" FROM "ClientScope" WHERE "id" = new."clientScopeId") BEGIN
    SELECT RAISE(ABORT, 'ClientScopeAssignment joins two realms');
END;
CREATE TRIGGER "ClientScopeAssignment_rejoined" BEFORE UPDATE OF "clientId", "clientScopeId" ON "ClientScopeAssignment"
    WHEN (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId") <> (SELECT "realmId" FROM "ClientScope" WHERE "id" = new."clientScopeId") BEGIN
    SELECT RAISE(ABORT, 'ClientScopeAssignment joins two realms');
END;
CREATE TRIGGER "ClientScopeMapping_joined" BEFORE INSERT ON "ClientScopeMapping"
    WHEN (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId") BEGIN
    SELECT RAISE(ABORT, 'ClientScopeMapping joins two realms');
END;
CREATE TRIGGER "ClientScopeMapping_rejoined" BEFORE UPDATE OF "clientId", "roleId" ON "ClientScopeMapping"
    WHEN (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId") BEGIN
    SELECT RAISE(ABORT, 'ClientScopeMapping joins two realms');
END;
CREATE TRIGGER "ClientScopeScopeMapping_joined" BEFORE INSERT ON "ClientScopeScopeMapping"
    WHEN (SELECT "realmId" FROM "ClientScope" WHERE "id" = new."clientScopeId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId") BEGIN
    SELECT RAISE(ABORT, 'ClientScopeScopeMapping joins two realms');
END;
CREATE TRIGGER "ClientScopeScopeMapping_rejoined" BEFORE UPDATE OF "clientScopeId", "roleId" ON "ClientScopeScopeMapping"
    WHEN (SELECT "realmId" FROM "ClientScope" WHERE "id" = new."clientScopeId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId") BEGIN
    SELECT RAISE(ABORT, 'ClientScopeScopeMapping joins two realms');
END;
CREATE TRIGGER "CompositeRole_joined" BEFORE INSERT ON "CompositeRole"
    WHEN (SELECT "realmId" FROM "Role" WHERE "id" = new."parentId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."childId") BEGIN
    SELECT RAISE(ABORT, 'CompositeRole joins two realms');
END;
CREATE TRIGGER "CompositeRole_rejoined" BEFORE UPDATE OF "parentId", "childId" ON "CompositeRole"
    WHEN (SELECT "realmId" FROM "Role" WHERE "id" = new."parentId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."childId") BEGIN
    SELECT RAISE(ABORT, 'CompositeRole joins two realms');
END;
CREATE TRIGGER "GroupRole_joined" BEFORE INSERT ON "GroupRole"
    WHEN (SELECT "realmId" FROM "Group" WHERE "id" = new."groupId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId") BEGIN
    SELECT RAISE(ABORT, 'GroupRole joins two realms');
END;
CREATE TRIGGER "GroupRole_rejoined" BEFORE UPDATE OF "groupId", "roleId" ON "GroupRole"
    WHEN (SELECT "realmId" FROM "Group" WHERE "id" = new."groupId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId") BEGIN
    SELECT RAISE(ABORT, 'GroupRole joins two realms');
END;
CREATE TRIGGER "UserGroup_joined" BEFORE INSERT ON "UserGroup"
    WHEN (SELECT "realmId" FROM "User" WHERE "id" = new."userId") <> (SELECT "realmId" FROM "Group" WHERE "id" = new."groupId") BEGIN
    SELECT RAISE(ABORT, 'UserGroup joins two realms');
END;
CREATE TRIGGER "UserGroup_rejoined" BEFORE UPDATE OF "userId", "groupId" ON "UserGroup"
    WHEN (SELECT "realmId" FROM "User" WHERE "id" = new."userId") <> (SELECT "realmId" FROM "Group" WHERE "id" = new."groupId") BEGIN
    SELECT RAISE(ABORT, 'UserGroup joins two realms');
END;
CREATE TRIGGER "UserRole_joined" BEFORE INSERT ON "UserRole"
    WHEN (SELECT "realmId" FROM "User" WHERE "id" = new."userId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId") BEGIN
    SELECT RAISE(ABORT, 'UserRole joins two realms');
END;
CREATE TRIGGER "UserRole_rejoined" BEFORE UPDATE OF "userId", "roleId" ON "UserRole"
    WHEN (SELECT "realmId" FROM "User" WHERE "id" = new."userId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId") BEGIN
    SELECT RAISE(ABORT, 'UserRole joins two realms');
END;
CREATE TRIGGER "UserConsent_joined" BEFORE INSERT ON "UserConsent"
    WHEN (SELECT "realmId" FROM "User" WHERE "id" = new."userId") <> (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId") BEGIN
    SELECT RAISE(ABORT, 'UserConsent joins two realms');
END;
CREATE TRIGGER "UserConsent_rejoined" BEFORE UPDATE OF "userId", "clientId" ON "UserConsent"
    WHEN (SELECT "realmId" FROM "User" WHERE "id" = new."userId") <> (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId") BEGIN
    SELECT RAISE(ABORT, 'UserConsent joins two realms');
END;
CREATE TRIGGER "UserSession_joined" BEFORE INSERT ON "UserSession"
    WHEN new."realmId" <> (SELECT "realmId" FROM "User" WHERE "id" = new."userId") BEGIN
    SELECT RAISE(ABORT, 'UserSession joins two realms');
END;
CREATE TRIGGER "UserSession_rejoined" BEFORE UPDATE OF "realmId", "userId" ON "UserSession"
    WHEN new."realmId" <> (SELECT "realmId" FROM "User" WHERE "id" = new."userId") BEGIN
    SELECT RAISE(ABORT, 'UserSession joins two realms');
END;
CREATE TRIGGER "ClientSession_joined" BEFORE INSERT ON "ClientSession"
    WHEN new."realmId" <> (SELECT "realmId" FROM "UserSession" WHERE "id" = new."sessionId")
    OR new."realmId" <> (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId") BEGIN
    SELECT RAISE(ABORT, 'ClientSession joins two realms');
END;
CREATE TRIGGER "ClientSession_rejoined" BEFORE UPDATE OF "realmId", "sessionId", "clientId" ON "ClientSession"
    WHEN new."realmId" <> (SELECT "realmId" FROM "UserSession" WHERE "id" = new."sessionId")
    OR new."realmId" <> (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId") BEGIN
    SELECT RAISE(ABORT, 'ClientSession joins two realms');
END;
CREATE TRIGGER "LoginFailure_joined" BEFORE INSERT ON "LoginFailure"
    WHEN new."realmId" <> (SELECT "realmId" FROM "User" WHERE "id" = new."userId") BEGIN
    SELECT RAISE(ABORT, 'LoginFailure joins two realms');
END;
CREATE TRIGGER "LoginFailure_rejoined" BEFORE UPDATE OF "realmId", "userId" ON "LoginFailure"
    WHEN new."realmId" <> (SELECT "realmId" FROM "User" WHERE "id" = new."userId") BEGIN
    SELECT RAISE(ABORT, 'LoginFailure joins two realms');
END;
CREATE TRIGGER "User_joined" BEFORE INSERT ON "User"
    WHEN new."realmId" <> (SELECT "realmId" FROM "Client" WHERE "id" = new."serviceAccountClientId") BEGIN
    SELECT RAISE(ABORT, 'User joins two realms');
END;
CREATE TRIGGER "User_rejoined" BEFORE UPDATE OF "realmId", "serviceAccountClientId" ON "User"
    WHEN new."realmId" <> (SELECT "realmId" FROM "Client" WHERE "id" = new."serviceAccountClientId") BEGIN
    SELECT RAISE(ABORT, 'User joins two realms');
END;
CREATE TRIGGER "AuthenticationExecution_joined" BEFORE INSERT ON "AuthenticationExecution"
    WHEN new."realmId" <> (SELECT "realmId" FROM "AuthenticatorConfig" WHERE "id" = new."configId") BEGIN
    SELECT RAISE(ABORT, 'AuthenticationExecution joins two realms');
END;
CREATE TRIGGER "AuthenticationExecution_rejoined" BEFORE UPDATE OF "realmId", "configId" ON "AuthenticationExecution"
    WHEN new."realmId" <> (SELECT "realmId" FROM "AuthenticatorConfig" WHERE "id" = new."configId") BEGIN
    SELECT RAISE(ABORT, 'AuthenticationExecution joins two realms');
END;
CREATE TRIGGER "AuthorizationResource_joined" BEFORE INSERT ON "AuthorizationResource"
    WHEN (SELECT "realmId" FROM "Client" WHERE "id" = new."resourceServerId") <> (SELECT "realmId" FROM "User" WHERE "id" = new."userId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationResource joins two realms');
END;
CREATE TRIGGER "AuthorizationResource_rejoined" BEFORE UPDATE OF "resourceServerId", "userId" ON "AuthorizationResource"
    WHEN (SELECT "realmId" FROM "Client" WHERE "id" = new."resourceServerId") <> (SELECT "realmId" FROM "User" WHERE "id" = new."userId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationResource joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicy_joined" BEFORE INSERT ON "AuthorizationPolicy"
    WHEN (SELECT "realmId" FROM "Client" WHERE "id" = new."resourceServerId") <> (SELECT "realmId" FROM "User" WHERE "id" = new."ownerId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicy joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicy_rejoined" BEFORE UPDATE OF "resourceServerId", "ownerId" ON "AuthorizationPolicy"
    WHEN (SELECT "realmId" FROM "Client" WHERE "id" = new."resourceServerId") <> (SELECT "realmId" FROM "User" WHERE "id" = new."ownerId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicy joins two realms');
END;
CREATE TRIGGER "AuthorizationResourceScope_joined" BEFORE INSERT ON "AuthorizationResourceScope"
    WHEN (SELECT "resourceServerId" FROM "AuthorizationResource" WHERE "id" = new."resourceId") <> (SELECT "resourceServerId" FROM "AuthorizationScope" WHERE "id" = new."scopeId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationResourceScope joins two realms');
END;
CREATE TRIGGER "AuthorizationResourceScope_rejoined" BEFORE UPDATE OF "resourceId", "scopeId" ON "AuthorizationResourceScope"
    WHEN (SELECT "resourceServerId" FROM "AuthorizationResource" WHERE "id" = new."resourceId") <> (SELECT "resourceServerId" FROM "AuthorizationScope" WHERE "id" = new."scopeId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationResourceScope joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicyResource_joined" BEFORE INSERT ON "AuthorizationPolicyResource"
    WHEN (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = new."policyId") <> (SELECT "resourceServerId" FROM "AuthorizationResource" WHERE "id" = new."resourceId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicyResource joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicyResource_rejoined" BEFORE UPDATE OF "policyId", "resourceId" ON "AuthorizationPolicyResource"
    WHEN (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = new."policyId") <> (SELECT "resourceServerId" FROM "AuthorizationResource" WHERE "id" = new."resourceId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicyResource joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicyScope_joined" BEFORE INSERT ON "AuthorizationPolicyScope"
    WHEN (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = new."policyId") <> (SELECT "resourceServerId" FROM "AuthorizationScope" WHERE "id" = new."scopeId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicyScope joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicyScope_rejoined" BEFORE UPDATE OF "policyId", "scopeId" ON "AuthorizationPolicyScope"
    WHEN (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = new."policyId") <> (SELECT "resourceServerId" FROM "AuthorizationScope" WHERE "id" = new."scopeId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicyScope joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicyUse_joined" BEFORE INSERT ON "AuthorizationPolicyUse"
    WHEN (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = new."policyId") <> (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = new."associatedId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicyUse joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicyUse_rejoined" BEFORE UPDATE OF "policyId", "associatedId" ON "AuthorizationPolicyUse"
    WHEN (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = new."policyId") <> (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = new."associatedId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicyUse joins two realms');
END;
CREATE TRIGGER "PermissionTicket_joined" BEFORE INSERT ON "PermissionTicket"
    WHEN new."resourceServerId" <> (SELECT "resourceServerId" FROM "AuthorizationResource" WHERE "id" = new."resourceId")
    OR new."resourceServerId" <> (SELECT "resourceServerId" FROM "AuthorizationScope" WHERE "id" = new."scopeId")
    OR (SELECT "realmId" FROM "Client" WHERE "id" = new."resourceServerId") <> (SELECT "realmId" FROM "User" WHERE "id" = new."requesterId") BEGIN
    SELECT RAISE(ABORT, 'PermissionTicket joins two realms');
END;
CREATE TRIGGER "PermissionTicket_rejoined" BEFORE UPDATE OF "resourceServerId", "resourceId", "scopeId", "requesterId" ON "PermissionTicket"
    WHEN new."resourceServerId" <> (SELECT "resourceServerId" FROM "AuthorizationResource" WHERE "id" = new."resourceId")
    OR new."resourceServerId" <> (SELECT "resourceServerId" FROM "AuthorizationScope" WHERE "id" = new."scopeId")
    OR (SELECT "realmId" FROM "Client" WHERE "id" = new."resourceServerId") <> (SELECT "realmId" FROM "User" WHERE "id" = new."requesterId") BEGIN
    SELECT RAISE(ABORT, 'PermissionTicket joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicySubject_joined" BEFORE INSERT ON "AuthorizationPolicySubject"
    WHEN (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "User" WHERE "id" = new."userId")
    OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId")
    OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "Group" WHERE "id" = new."groupId")
    OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId")
    OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "ClientScope" WHERE "id" = new."clientScopeId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicySubject joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicySubject_rejoined" BEFORE UPDATE OF "policyId", "userId", "roleId", "groupId", "clientId", "clientScopeId" ON "AuthorizationPolicySubject"
    WHEN (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "User" WHERE "id" = new."userId")
    OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId")
    OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "Group" WHERE "id" = new."groupId")
    OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId")
    OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "ClientScope" WHERE "id" = new."clientScopeId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicySubject joins two realms');
END;
CREATE TRIGGER "User_moved" BEFORE UPDATE OF "realmId" ON "User" WHEN old."realmId" <> new."realmId" BEGIN
    SELECT RAISE(ABORT, 'User stays where it is');
END;
CREATE TRIGGER "Client_moved" BEFORE UPDATE OF "realmId" ON "Client" WHEN old."realmId" <> new."realmId" BEGIN
    SELECT RAISE(ABORT, 'Client stays where it is');
END;
CREATE TRIGGER "ClientScope_moved" BEFORE UPDATE OF "realmId" ON "ClientScope" WHEN old."realmId" <> new."realmId" BEGIN
    SELECT RAISE(ABORT, 'ClientScope stays where it is');
END;
CREATE TRIGGER "Role_moved" BEFORE UPDATE OF "realmId" ON "Role" WHEN old."realmId" <> new."realmId" BEGIN
    SELECT RAISE(ABORT, 'Role stays where it is');
END;
CREATE TRIGGER "Group_moved" BEFORE UPDATE OF "realmId" ON "Group" WHEN old."realmId" <> new."realmId" BEGIN
    SELECT RAISE(ABORT, 'Group stays where it is');
END;
CREATE TRIGGER "AuthenticatorConfig_moved" BEFORE UPDATE OF "realmId" ON "AuthenticatorConfig" WHEN old."realmId" <> new."realmId" BEGIN
    SELECT RAISE(ABORT, 'AuthenticatorConfig stays where it is');
END;
CREATE TRIGGER "AuthorizationScope_moved" BEFORE UPDATE OF "resourceServerId" ON "AuthorizationScope" WHEN old."resourceServerId" <> new."resourceServerId" BEGIN
    SELECT RAISE(ABORT, 'AuthorizationScope stays where it is');
END;
CREATE TRIGGER "AuthorizationResource_moved" BEFORE UPDATE OF "resourceServerId" ON "AuthorizationResource" WHEN old."resourceServerId" <> new."resourceServerId" BEGIN
    SELECT RAISE(ABORT, 'AuthorizationResource stays where it is');
END;
CREATE TRIGGER "AuthorizationPolicy_moved" BEFORE UPDATE OF "resourceServerId" ON "AuthorizationPolicy" WHEN old."resourceServerId" <> new."resourceServerId" BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicy stays where it is');
END;
