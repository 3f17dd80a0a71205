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
    "version" INTEGER NOT NULL DEFAULT 0
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
    "authorizationSettings" JSONB,
    "search" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,
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
    "clientId" TEXT,
    "clientScopeId" TEXT,
    "container" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "protocol" TEXT,
    "protocolMapper" TEXT,
    "config" JSONB NOT NULL DEFAULT '{}',
    CONSTRAINT "ProtocolMapper_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ProtocolMapper_clientScopeId_fkey" FOREIGN KEY ("clientScopeId") REFERENCES "ClientScope" ("id") ON DELETE CASCADE ON UPDATE CASCADE
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
    CONSTRAINT "Role_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client" ("id") ON DELETE CASCADE ON UPDATE CASCADE
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
    CONSTRAINT "Group_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE
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

    PRIMARY KEY ("userId", "groupId"),
    CONSTRAINT "UserGroup_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "UserGroup_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "UserRole" (
    "userId" TEXT NOT NULL,
    "roleId" TEXT NOT NULL,

    PRIMARY KEY ("userId", "roleId"),
    CONSTRAINT "UserRole_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "UserRole_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role" ("id") ON DELETE CASCADE ON UPDATE CASCADE
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
    CONSTRAINT "AuthenticationExecution_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "AuthenticationFlow" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AuthenticationExecution_subflowId_fkey" FOREIGN KEY ("subflowId") REFERENCES "AuthenticationFlow" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AuthenticationExecution_configId_fkey" FOREIGN KEY ("configId") REFERENCES "AuthenticatorConfig" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "AuthenticatorConfig" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "alias" TEXT NOT NULL,
    "config" JSONB NOT NULL DEFAULT '{}',
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
    CONSTRAINT "Component_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
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
    "config" JSONB NOT NULL DEFAULT '{}',
    "secrets" TEXT,
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
CREATE TABLE "ManagementPermission" (
    "kind" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "realmId" TEXT NOT NULL,
    "resourceId" TEXT NOT NULL,
    "scopePermissions" JSONB NOT NULL DEFAULT '{}',

    PRIMARY KEY ("kind", "ownerId"),
    CONSTRAINT "ManagementPermission_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
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
    "listed" BOOLEAN NOT NULL DEFAULT false
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

-- CreateIndex
CREATE UNIQUE INDEX "Realm_name_key" ON "Realm"("name");

-- CreateIndex
CREATE UNIQUE INDEX "Client_realmId_clientId_key" ON "Client"("realmId", "clientId");

-- CreateIndex
CREATE UNIQUE INDEX "ClientScope_realmId_name_key" ON "ClientScope"("realmId", "name");

-- CreateIndex
CREATE INDEX "ClientScopeAssignment_clientScopeId_idx" ON "ClientScopeAssignment"("clientScopeId");

-- CreateIndex
CREATE INDEX "ProtocolMapper_clientId_idx" ON "ProtocolMapper"("clientId");

-- CreateIndex
CREATE INDEX "ProtocolMapper_clientScopeId_idx" ON "ProtocolMapper"("clientScopeId");

-- CreateIndex
CREATE UNIQUE INDEX "ProtocolMapper_container_name_key" ON "ProtocolMapper"("container", "name");

-- CreateIndex
CREATE INDEX "ClientScopeMapping_roleId_idx" ON "ClientScopeMapping"("roleId");

-- CreateIndex
CREATE INDEX "ClientScopeScopeMapping_roleId_idx" ON "ClientScopeScopeMapping"("roleId");

-- CreateIndex
CREATE INDEX "Role_realmId_idx" ON "Role"("realmId");

-- CreateIndex
CREATE INDEX "Role_clientId_idx" ON "Role"("clientId");

-- CreateIndex
CREATE UNIQUE INDEX "Role_container_name_key" ON "Role"("container", "name");

-- CreateIndex
CREATE INDEX "CompositeRole_childId_idx" ON "CompositeRole"("childId");

-- CreateIndex
CREATE INDEX "Group_realmId_path_idx" ON "Group"("realmId", "path");

-- CreateIndex
CREATE INDEX "Group_parentId_idx" ON "Group"("parentId");

-- CreateIndex
CREATE UNIQUE INDEX "Group_container_name_key" ON "Group"("container", "name");

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
CREATE INDEX "Credential_userId_idx" ON "Credential"("userId");

-- CreateIndex
CREATE INDEX "FederatedIdentity_identityProvider_externalUserId_idx" ON "FederatedIdentity"("identityProvider", "externalUserId");

-- CreateIndex
CREATE INDEX "UserConsent_clientId_idx" ON "UserConsent"("clientId");

-- CreateIndex
CREATE INDEX "UserGroup_groupId_idx" ON "UserGroup"("groupId");

-- CreateIndex
CREATE INDEX "UserRole_roleId_idx" ON "UserRole"("roleId");

-- CreateIndex
CREATE UNIQUE INDEX "AuthenticationFlow_realmId_alias_key" ON "AuthenticationFlow"("realmId", "alias");

-- CreateIndex
CREATE INDEX "AuthenticationExecution_realmId_idx" ON "AuthenticationExecution"("realmId");

-- CreateIndex
CREATE INDEX "AuthenticationExecution_flowId_idx" ON "AuthenticationExecution"("flowId");

-- CreateIndex
CREATE INDEX "AuthenticationExecution_subflowId_idx" ON "AuthenticationExecution"("subflowId");

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
CREATE INDEX "ManagementPermission_realmId_idx" ON "ManagementPermission"("realmId");

-- CreateIndex
CREATE INDEX "AdminEvent_realmId_time_idx" ON "AdminEvent"("realmId", "time");

-- CreateIndex
CREATE INDEX "Change_at_idx" ON "Change"("at");

-- CreateIndex
CREATE INDEX "IdempotencyKey_createdAt_idx" ON "IdempotencyKey"("createdAt");
