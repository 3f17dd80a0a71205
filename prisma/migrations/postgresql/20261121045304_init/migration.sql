-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "Realm" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT false,
    "displayName" TEXT COLLATE "C",
    "settings" JSONB NOT NULL DEFAULT '{}',
    "attributes" JSONB NOT NULL DEFAULT '{}',
    "parts" JSONB NOT NULL DEFAULT '{}',
    "smtpPassword" TEXT COLLATE "C",
    "defaultRoleId" TEXT COLLATE "C",
    "adminClientId" TEXT COLLATE "C",
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Realm_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Client" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C",
    "description" TEXT COLLATE "C",
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "protocol" TEXT COLLATE "C",
    "clientAuthenticatorType" TEXT COLLATE "C",
    "secret" TEXT COLLATE "C",
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
    "rootUrl" TEXT COLLATE "C",
    "adminUrl" TEXT COLLATE "C",
    "baseUrl" TEXT COLLATE "C",
    "nodeReRegistrationTimeout" INTEGER NOT NULL DEFAULT -1,
    "notBefore" INTEGER NOT NULL DEFAULT 0,
    "redirectUris" JSONB NOT NULL DEFAULT '[]',
    "webOrigins" JSONB NOT NULL DEFAULT '[]',
    "attributes" JSONB NOT NULL DEFAULT '{}',
    "authenticationFlowBindingOverrides" JSONB NOT NULL DEFAULT '{}',
    "registeredNodes" JSONB NOT NULL DEFAULT '{}',
    "authorizationSettings" JSONB,
    "search" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Client_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ClientScope" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C",
    "protocol" TEXT COLLATE "C",
    "attributes" JSONB NOT NULL DEFAULT '{}',
    "assignment" TEXT COLLATE "C",
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "ClientScope_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ClientScopeAssignment" (
    "clientId" TEXT COLLATE "C" NOT NULL,
    "clientScopeId" TEXT COLLATE "C" NOT NULL,
    "optional" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "ClientScopeAssignment_pkey" PRIMARY KEY ("clientId","clientScopeId")
);

-- CreateTable
CREATE TABLE "ProtocolMapper" (
    "id" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C",
    "clientScopeId" TEXT COLLATE "C",
    "container" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "protocol" TEXT COLLATE "C",
    "protocolMapper" TEXT COLLATE "C",
    "config" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "ProtocolMapper_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ClientScopeMapping" (
    "clientId" TEXT COLLATE "C" NOT NULL,
    "roleId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "ClientScopeMapping_pkey" PRIMARY KEY ("clientId","roleId")
);

-- CreateTable
CREATE TABLE "ClientScopeScopeMapping" (
    "clientScopeId" TEXT COLLATE "C" NOT NULL,
    "roleId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "ClientScopeScopeMapping_pkey" PRIMARY KEY ("clientScopeId","roleId")
);

-- CreateTable
CREATE TABLE "Role" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C",
    "container" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C",
    "search" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Role_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RoleAttribute" (
    "roleId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "RoleAttribute_pkey" PRIMARY KEY ("roleId","name","position")
);

-- CreateTable
CREATE TABLE "CompositeRole" (
    "parentId" TEXT COLLATE "C" NOT NULL,
    "childId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "CompositeRole_pkey" PRIMARY KEY ("parentId","childId")
);

-- CreateTable
CREATE TABLE "Group" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "parentId" TEXT COLLATE "C",
    "container" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "path" TEXT COLLATE "C" NOT NULL,
    "search" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "isDefault" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Group_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "GroupAttribute" (
    "groupId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "GroupAttribute_pkey" PRIMARY KEY ("groupId","name","position")
);

-- CreateTable
CREATE TABLE "GroupRole" (
    "groupId" TEXT COLLATE "C" NOT NULL,
    "roleId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "GroupRole_pkey" PRIMARY KEY ("groupId","roleId")
);

-- CreateTable
CREATE TABLE "User" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "username" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C",
    "uniqueEmail" TEXT COLLATE "C",
    "emailVerified" BOOLEAN NOT NULL DEFAULT false,
    "firstName" TEXT COLLATE "C",
    "lastName" TEXT COLLATE "C",
    "enabled" BOOLEAN NOT NULL DEFAULT false,
    "createdTimestamp" BIGINT,
    "notBefore" INTEGER NOT NULL DEFAULT 0,
    "federationLink" TEXT COLLATE "C",
    "serviceAccountClientId" TEXT COLLATE "C",
    "requiredActions" JSONB NOT NULL DEFAULT '[]',
    "search" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UserAttribute" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "UserAttribute_pkey" PRIMARY KEY ("userId","name","position")
);

-- CreateTable
CREATE TABLE "Credential" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "type" TEXT COLLATE "C" NOT NULL,
    "userLabel" TEXT COLLATE "C",
    "createdDate" BIGINT,
    "priority" INTEGER NOT NULL DEFAULT 10,
    "credentialData" TEXT COLLATE "C" NOT NULL,
    "secretData" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Credential_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "FederatedIdentity" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "identityProvider" TEXT COLLATE "C" NOT NULL,
    "externalUserId" TEXT COLLATE "C" NOT NULL,
    "externalUsername" TEXT COLLATE "C",

    CONSTRAINT "FederatedIdentity_pkey" PRIMARY KEY ("userId","identityProvider")
);

-- CreateTable
CREATE TABLE "UserConsent" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C" NOT NULL,
    "grantedScopes" JSONB NOT NULL DEFAULT '[]',
    "createdDate" BIGINT NOT NULL,
    "lastUpdatedDate" BIGINT NOT NULL,

    CONSTRAINT "UserConsent_pkey" PRIMARY KEY ("userId","clientId")
);

-- CreateTable
CREATE TABLE "UserGroup" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "groupId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "UserGroup_pkey" PRIMARY KEY ("userId","groupId")
);

-- CreateTable
CREATE TABLE "UserRole" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "roleId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "UserRole_pkey" PRIMARY KEY ("userId","roleId")
);

-- CreateTable
CREATE TABLE "AuthenticationFlow" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "alias" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C",
    "providerId" TEXT COLLATE "C" NOT NULL,
    "topLevel" BOOLEAN NOT NULL DEFAULT false,
    "builtIn" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "AuthenticationFlow_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthenticationExecution" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "flowId" TEXT COLLATE "C" NOT NULL,
    "authenticator" TEXT COLLATE "C",
    "subflowId" TEXT COLLATE "C",
    "configId" TEXT COLLATE "C",
    "requirement" TEXT COLLATE "C" NOT NULL,
    "priority" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "AuthenticationExecution_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthenticatorConfig" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "alias" TEXT COLLATE "C" NOT NULL,
    "config" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "AuthenticatorConfig_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RequiredAction" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "alias" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C",
    "providerId" TEXT COLLATE "C" NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "defaultAction" BOOLEAN NOT NULL DEFAULT false,
    "priority" INTEGER NOT NULL DEFAULT 0,
    "config" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "RequiredAction_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Component" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "parentId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C",
    "providerId" TEXT COLLATE "C" NOT NULL,
    "providerType" TEXT COLLATE "C" NOT NULL,
    "subType" TEXT COLLATE "C",
    "config" JSONB NOT NULL DEFAULT '{}',
    "secrets" TEXT COLLATE "C",

    CONSTRAINT "Component_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IdentityProvider" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "alias" TEXT COLLATE "C" NOT NULL,
    "displayName" TEXT COLLATE "C",
    "providerId" TEXT COLLATE "C" NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "storeToken" BOOLEAN NOT NULL DEFAULT false,
    "trustEmail" BOOLEAN NOT NULL DEFAULT false,
    "linkOnly" BOOLEAN NOT NULL DEFAULT false,
    "addReadTokenRoleOnCreate" BOOLEAN NOT NULL DEFAULT false,
    "authenticateByDefault" BOOLEAN NOT NULL DEFAULT false,
    "updateProfileFirstLoginMode" TEXT COLLATE "C",
    "firstBrokerLoginFlowAlias" TEXT COLLATE "C",
    "postBrokerLoginFlowAlias" TEXT COLLATE "C",
    "config" JSONB NOT NULL DEFAULT '{}',
    "secrets" TEXT COLLATE "C",

    CONSTRAINT "IdentityProvider_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IdentityProviderMapper" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "identityProviderAlias" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "identityProviderMapper" TEXT COLLATE "C" NOT NULL,
    "config" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "IdentityProviderMapper_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LocalizationText" (
    "realmId" TEXT COLLATE "C" NOT NULL,
    "locale" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "LocalizationText_pkey" PRIMARY KEY ("realmId","locale","key")
);

-- CreateTable
CREATE TABLE "ManagementPermission" (
    "kind" TEXT COLLATE "C" NOT NULL,
    "ownerId" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "resourceId" TEXT COLLATE "C" NOT NULL,
    "scopePermissions" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "ManagementPermission_pkey" PRIMARY KEY ("kind","ownerId")
);

-- CreateTable
CREATE TABLE "AdminEvent" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "time" BIGINT NOT NULL,
    "operation" TEXT COLLATE "C" NOT NULL,
    "operationType" TEXT COLLATE "C" NOT NULL,
    "resourceType" TEXT COLLATE "C" NOT NULL,
    "resourcePath" TEXT COLLATE "C" NOT NULL,
    "authRealmId" TEXT COLLATE "C",
    "authClientId" TEXT COLLATE "C",
    "authUserId" TEXT COLLATE "C",
    "authIpAddress" TEXT COLLATE "C",
    "representation" TEXT COLLATE "C",
    "before" TEXT COLLATE "C",
    "listed" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "AdminEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Change" (
    "seq" SERIAL NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "operation" TEXT COLLATE "C" NOT NULL,
    "eventId" TEXT COLLATE "C" NOT NULL,
    "touches" JSONB NOT NULL DEFAULT '[]',
    "at" BIGINT NOT NULL,

    CONSTRAINT "Change_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "IdempotencyKey" (
    "id" TEXT COLLATE "C" NOT NULL,
    "operation" TEXT COLLATE "C" NOT NULL,
    "requestHash" TEXT COLLATE "C" NOT NULL,
    "outcome" TEXT COLLATE "C" NOT NULL,
    "createdAt" BIGINT NOT NULL,

    CONSTRAINT "IdempotencyKey_pkey" PRIMARY KEY ("id")
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

-- AddForeignKey
ALTER TABLE "Client" ADD CONSTRAINT "Client_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClientScope" ADD CONSTRAINT "ClientScope_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClientScopeAssignment" ADD CONSTRAINT "ClientScopeAssignment_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClientScopeAssignment" ADD CONSTRAINT "ClientScopeAssignment_clientScopeId_fkey" FOREIGN KEY ("clientScopeId") REFERENCES "ClientScope"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ProtocolMapper" ADD CONSTRAINT "ProtocolMapper_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ProtocolMapper" ADD CONSTRAINT "ProtocolMapper_clientScopeId_fkey" FOREIGN KEY ("clientScopeId") REFERENCES "ClientScope"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClientScopeMapping" ADD CONSTRAINT "ClientScopeMapping_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClientScopeMapping" ADD CONSTRAINT "ClientScopeMapping_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClientScopeScopeMapping" ADD CONSTRAINT "ClientScopeScopeMapping_clientScopeId_fkey" FOREIGN KEY ("clientScopeId") REFERENCES "ClientScope"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClientScopeScopeMapping" ADD CONSTRAINT "ClientScopeScopeMapping_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Role" ADD CONSTRAINT "Role_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Role" ADD CONSTRAINT "Role_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RoleAttribute" ADD CONSTRAINT "RoleAttribute_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CompositeRole" ADD CONSTRAINT "CompositeRole_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "Role"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CompositeRole" ADD CONSTRAINT "CompositeRole_childId_fkey" FOREIGN KEY ("childId") REFERENCES "Role"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Group" ADD CONSTRAINT "Group_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Group" ADD CONSTRAINT "Group_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GroupAttribute" ADD CONSTRAINT "GroupAttribute_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GroupRole" ADD CONSTRAINT "GroupRole_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GroupRole" ADD CONSTRAINT "GroupRole_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "User" ADD CONSTRAINT "User_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "User" ADD CONSTRAINT "User_serviceAccountClientId_fkey" FOREIGN KEY ("serviceAccountClientId") REFERENCES "Client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UserAttribute" ADD CONSTRAINT "UserAttribute_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Credential" ADD CONSTRAINT "Credential_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "FederatedIdentity" ADD CONSTRAINT "FederatedIdentity_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UserConsent" ADD CONSTRAINT "UserConsent_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UserConsent" ADD CONSTRAINT "UserConsent_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UserGroup" ADD CONSTRAINT "UserGroup_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UserGroup" ADD CONSTRAINT "UserGroup_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UserRole" ADD CONSTRAINT "UserRole_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UserRole" ADD CONSTRAINT "UserRole_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthenticationFlow" ADD CONSTRAINT "AuthenticationFlow_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthenticationExecution" ADD CONSTRAINT "AuthenticationExecution_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthenticationExecution" ADD CONSTRAINT "AuthenticationExecution_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "AuthenticationFlow"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthenticationExecution" ADD CONSTRAINT "AuthenticationExecution_subflowId_fkey" FOREIGN KEY ("subflowId") REFERENCES "AuthenticationFlow"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthenticationExecution" ADD CONSTRAINT "AuthenticationExecution_configId_fkey" FOREIGN KEY ("configId") REFERENCES "AuthenticatorConfig"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthenticatorConfig" ADD CONSTRAINT "AuthenticatorConfig_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RequiredAction" ADD CONSTRAINT "RequiredAction_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Component" ADD CONSTRAINT "Component_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IdentityProvider" ADD CONSTRAINT "IdentityProvider_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IdentityProviderMapper" ADD CONSTRAINT "IdentityProviderMapper_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LocalizationText" ADD CONSTRAINT "LocalizationText_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ManagementPermission" ADD CONSTRAINT "ManagementPermission_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;
