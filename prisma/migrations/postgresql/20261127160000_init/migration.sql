-- The tables of the data model. The order of columns is that of databases from before the first release.

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
    "managed" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "Realm_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RealmApply" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "reverts" INTEGER,
    "source" TEXT COLLATE "C",
    "revision" TEXT COLLATE "C",
    "digest" TEXT COLLATE "C" NOT NULL,
    "modes" JSONB NOT NULL DEFAULT '{}',
    "created" INTEGER NOT NULL,
    "updated" INTEGER NOT NULL,
    "deleted" INTEGER NOT NULL,
    "appliedAt" BIGINT NOT NULL,
    "authRealmId" TEXT COLLATE "C" NOT NULL,
    "authClientId" TEXT COLLATE "C" NOT NULL,
    "authUserId" TEXT COLLATE "C" NOT NULL,
    "inverse" TEXT COLLATE "C",

    CONSTRAINT "RealmApply_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ManagedObject" (
    "realmId" TEXT COLLATE "C" NOT NULL,
    "objectId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "ManagedObject_pkey" PRIMARY KEY ("realmId","objectId")
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
    "search" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,
    "registrationToken" TEXT COLLATE "C",
    "previousSecret" TEXT COLLATE "C",
    "previousSecretUntil" BIGINT NOT NULL DEFAULT 0,
    "secretVersion" INTEGER NOT NULL DEFAULT 0,

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
    "realmId" TEXT COLLATE "C" NOT NULL,

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
CREATE TABLE "AdministrationRole" (
    "roleId" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "right" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AdministrationRole_pkey" PRIMARY KEY ("roleId")
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
    "federationId" TEXT COLLATE "C",
    "keptFields" JSONB NOT NULL DEFAULT '[]',

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
    "username" TEXT COLLATE "C" NOT NULL,
    "imported" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "UserGroup_pkey" PRIMARY KEY ("userId","groupId")
);

-- CreateTable
CREATE TABLE "UserRole" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "roleId" TEXT COLLATE "C" NOT NULL,
    "username" TEXT COLLATE "C" NOT NULL,
    "imported" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "UserRole_pkey" PRIMARY KEY ("userId","roleId")
);

-- CreateTable
CREATE TABLE "UserCount" (
    "id" SERIAL NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "users" INTEGER NOT NULL,
    "serviceAccounts" INTEGER NOT NULL,

    CONSTRAINT "UserCount_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UserSession" (
    "id" TEXT COLLATE "C" NOT NULL,
    "sid" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "offline" BOOLEAN NOT NULL DEFAULT false,
    "ipAddress" TEXT COLLATE "C" NOT NULL,
    "rememberMe" BOOLEAN NOT NULL DEFAULT false,
    "startedAt" INTEGER NOT NULL,
    "lastAccess" INTEGER NOT NULL,
    "notes" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "UserSession_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ClientSession" (
    "id" TEXT COLLATE "C" NOT NULL,
    "sessionId" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "offline" BOOLEAN NOT NULL DEFAULT false,
    "startedAt" INTEGER NOT NULL,
    "lastAccess" INTEGER NOT NULL,
    "redirectUri" TEXT COLLATE "C",
    "refreshToken" TEXT COLLATE "C",
    "refreshUses" INTEGER NOT NULL DEFAULT 0,
    "notes" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "ClientSession_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LoginFailure" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "notBefore" INTEGER NOT NULL DEFAULT 0,
    "lastFailure" BIGINT NOT NULL DEFAULT 0,
    "lastAddress" TEXT COLLATE "C",

    CONSTRAINT "LoginFailure_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "LoginEvent" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "time" BIGINT NOT NULL,
    "type" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C",
    "userId" TEXT COLLATE "C",
    "sessionId" TEXT COLLATE "C",
    "ipAddress" TEXT COLLATE "C",
    "error" TEXT COLLATE "C",
    "details" JSONB NOT NULL DEFAULT '{}',
    "position" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "LoginEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OneTimeToken" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "purpose" TEXT COLLATE "C" NOT NULL,
    "payload" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "expiresAt" INTEGER NOT NULL,

    CONSTRAINT "OneTimeToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ClientInitialAccess" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "timestamp" INTEGER NOT NULL,
    "expiration" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    "remainingCount" INTEGER NOT NULL,

    CONSTRAINT "ClientInitialAccess_pkey" PRIMARY KEY ("id")
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
    "version" INTEGER NOT NULL DEFAULT 0,
    "position" INTEGER NOT NULL DEFAULT 0,

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
    "version" INTEGER NOT NULL DEFAULT 0,

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
    "version" INTEGER NOT NULL DEFAULT 0,

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
    "grantable" JSONB,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Component_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UserStorageState" (
    "componentId" TEXT COLLATE "C" NOT NULL,
    "fullSyncAt" BIGINT,
    "changedSyncAt" BIGINT,
    "endedAt" BIGINT,
    "lastKind" TEXT COLLATE "C",
    "lastResult" JSONB,
    "leaseOwner" TEXT COLLATE "C",
    "leaseUntil" BIGINT,
    "entries" INTEGER,
    "progress" JSONB,

    CONSTRAINT "UserStorageState_pkey" PRIMARY KEY ("componentId")
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
    "position" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 0,

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
    "version" INTEGER NOT NULL DEFAULT 0,

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
CREATE TABLE "ResourceServer" (
    "id" TEXT COLLATE "C" NOT NULL,
    "allowRemoteResourceManagement" BOOLEAN NOT NULL DEFAULT true,
    "policyEnforcementMode" TEXT COLLATE "C" NOT NULL DEFAULT 'ENFORCING',
    "decisionStrategy" TEXT COLLATE "C" NOT NULL DEFAULT 'UNANIMOUS',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "ResourceServer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthorizationScope" (
    "id" TEXT COLLATE "C" NOT NULL,
    "resourceServerId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "displayName" TEXT COLLATE "C",
    "iconUri" TEXT COLLATE "C",
    "search" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "AuthorizationScope_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthorizationResource" (
    "id" TEXT COLLATE "C" NOT NULL,
    "resourceServerId" TEXT COLLATE "C" NOT NULL,
    "ownerId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C",
    "name" TEXT COLLATE "C" NOT NULL,
    "displayName" TEXT COLLATE "C",
    "type" TEXT COLLATE "C",
    "iconUri" TEXT COLLATE "C",
    "ownerManagedAccess" BOOLEAN NOT NULL DEFAULT false,
    "attributes" JSONB NOT NULL DEFAULT '{}',
    "search" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "AuthorizationResource_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthorizationResourceUri" (
    "resourceId" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuthorizationResourceUri_pkey" PRIMARY KEY ("resourceId","value")
);

-- CreateTable
CREATE TABLE "AuthorizationResourceScope" (
    "resourceId" TEXT COLLATE "C" NOT NULL,
    "scopeId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuthorizationResourceScope_pkey" PRIMARY KEY ("resourceId","scopeId")
);

-- CreateTable
CREATE TABLE "AuthorizationPolicy" (
    "id" TEXT COLLATE "C" NOT NULL,
    "resourceServerId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C",
    "type" TEXT COLLATE "C" NOT NULL,
    "logic" TEXT COLLATE "C" NOT NULL DEFAULT 'POSITIVE',
    "decisionStrategy" TEXT COLLATE "C" NOT NULL DEFAULT 'UNANIMOUS',
    "resourceType" TEXT COLLATE "C",
    "ownerId" TEXT COLLATE "C",
    "config" JSONB NOT NULL DEFAULT '{}',
    "search" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "AuthorizationPolicy_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthorizationPolicyResource" (
    "policyId" TEXT COLLATE "C" NOT NULL,
    "resourceId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuthorizationPolicyResource_pkey" PRIMARY KEY ("policyId","resourceId")
);

-- CreateTable
CREATE TABLE "AuthorizationPolicyScope" (
    "policyId" TEXT COLLATE "C" NOT NULL,
    "scopeId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuthorizationPolicyScope_pkey" PRIMARY KEY ("policyId","scopeId")
);

-- CreateTable
CREATE TABLE "AuthorizationPolicyUse" (
    "policyId" TEXT COLLATE "C" NOT NULL,
    "associatedId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuthorizationPolicyUse_pkey" PRIMARY KEY ("policyId","associatedId")
);

-- CreateTable
CREATE TABLE "AuthorizationPolicySubject" (
    "policyId" TEXT COLLATE "C" NOT NULL,
    "subjectId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C",
    "roleId" TEXT COLLATE "C",
    "groupId" TEXT COLLATE "C",
    "clientId" TEXT COLLATE "C",
    "clientScopeId" TEXT COLLATE "C",
    "strong" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "AuthorizationPolicySubject_pkey" PRIMARY KEY ("policyId","subjectId")
);

-- CreateTable
CREATE TABLE "PermissionTicket" (
    "id" TEXT COLLATE "C" NOT NULL,
    "resourceServerId" TEXT COLLATE "C" NOT NULL,
    "resourceId" TEXT COLLATE "C" NOT NULL,
    "scopeId" TEXT COLLATE "C",
    "ownerId" TEXT COLLATE "C" NOT NULL,
    "requesterId" TEXT COLLATE "C" NOT NULL,
    "createdTimestamp" BIGINT NOT NULL,
    "grantedTimestamp" BIGINT,

    CONSTRAINT "PermissionTicket_pkey" PRIMARY KEY ("id")
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
    "position" BIGINT NOT NULL DEFAULT 0,
    "sent" TEXT COLLATE "C",
    "resourceId" TEXT COLLATE "C",

    CONSTRAINT "AdminEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Webhook" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "url" TEXT COLLATE "C" NOT NULL,
    "secret" TEXT COLLATE "C" NOT NULL,
    "previousSecret" TEXT COLLATE "C",
    "previousSecretUntil" BIGINT NOT NULL DEFAULT 0,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "loginEventTypes" JSONB NOT NULL,
    "resourceTypes" JSONB NOT NULL,
    "position" BIGINT NOT NULL,
    "positionTime" BIGINT NOT NULL DEFAULT 0,
    "positionId" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "failures" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" BIGINT NOT NULL DEFAULT 0,
    "disabledReason" TEXT COLLATE "C",
    "leaseOwner" TEXT COLLATE "C",
    "leaseUntil" BIGINT NOT NULL DEFAULT 0,
    "createdAt" BIGINT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditCursor" (
    "id" TEXT COLLATE "C" NOT NULL,
    "position" BIGINT NOT NULL,
    "positionTime" BIGINT NOT NULL DEFAULT 0,
    "positionId" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "leaseOwner" TEXT COLLATE "C",
    "leaseUntil" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "AuditCursor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditBlock" (
    "id" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "previous" TEXT COLLATE "C" NOT NULL,
    "sealedAt" BIGINT NOT NULL,
    "afterPosition" BIGINT NOT NULL,
    "lastPosition" BIGINT NOT NULL,
    "lastTime" BIGINT NOT NULL,
    "lastId" TEXT COLLATE "C" NOT NULL,
    "entries" TEXT COLLATE "C" NOT NULL,
    "proof" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuditBlock_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditExpiry" (
    "realmId" TEXT COLLATE "C" NOT NULL,
    "before" BIGINT NOT NULL,

    CONSTRAINT "AuditExpiry_pkey" PRIMARY KEY ("realmId")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" TEXT COLLATE "C" NOT NULL,
    "webhookId" TEXT COLLATE "C" NOT NULL,
    "eventId" TEXT COLLATE "C" NOT NULL,
    "eventType" TEXT COLLATE "C" NOT NULL,
    "succeeded" BOOLEAN NOT NULL,
    "responseStatus" INTEGER,
    "error" TEXT COLLATE "C",
    "duration" INTEGER NOT NULL,
    "at" BIGINT NOT NULL,

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
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

-- CreateTable
CREATE TABLE "SecretsKeyCheck" (
    "id" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "SecretsKeyCheck_pkey" PRIMARY KEY ("id")
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

-- AddForeignKey
ALTER TABLE "RealmApply" ADD CONSTRAINT "RealmApply_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ManagedObject" ADD CONSTRAINT "ManagedObject_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Client" ADD CONSTRAINT "Client_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClientScope" ADD CONSTRAINT "ClientScope_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClientScopeAssignment" ADD CONSTRAINT "ClientScopeAssignment_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClientScopeAssignment" ADD CONSTRAINT "ClientScopeAssignment_clientScopeId_fkey" FOREIGN KEY ("clientScopeId") REFERENCES "ClientScope"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ProtocolMapper" ADD CONSTRAINT "ProtocolMapper_clientId_realmId_fkey" FOREIGN KEY ("clientId", "realmId") REFERENCES "Client"("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ProtocolMapper" ADD CONSTRAINT "ProtocolMapper_clientScopeId_realmId_fkey" FOREIGN KEY ("clientScopeId", "realmId") REFERENCES "ClientScope"("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE;

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
ALTER TABLE "Role" ADD CONSTRAINT "Role_clientId_realmId_fkey" FOREIGN KEY ("clientId", "realmId") REFERENCES "Client"("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AdministrationRole" ADD CONSTRAINT "AdministrationRole_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AdministrationRole" ADD CONSTRAINT "AdministrationRole_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RoleAttribute" ADD CONSTRAINT "RoleAttribute_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CompositeRole" ADD CONSTRAINT "CompositeRole_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "Role"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CompositeRole" ADD CONSTRAINT "CompositeRole_childId_fkey" FOREIGN KEY ("childId") REFERENCES "Role"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Group" ADD CONSTRAINT "Group_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Group" ADD CONSTRAINT "Group_parentId_realmId_fkey" FOREIGN KEY ("parentId", "realmId") REFERENCES "Group"("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE;

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
ALTER TABLE "UserSession" ADD CONSTRAINT "UserSession_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UserSession" ADD CONSTRAINT "UserSession_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClientSession" ADD CONSTRAINT "ClientSession_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "UserSession"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClientSession" ADD CONSTRAINT "ClientSession_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LoginFailure" ADD CONSTRAINT "LoginFailure_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClientInitialAccess" ADD CONSTRAINT "ClientInitialAccess_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthenticationFlow" ADD CONSTRAINT "AuthenticationFlow_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthenticationExecution" ADD CONSTRAINT "AuthenticationExecution_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthenticationExecution" ADD CONSTRAINT "AuthenticationExecution_flowId_realmId_fkey" FOREIGN KEY ("flowId", "realmId") REFERENCES "AuthenticationFlow"("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthenticationExecution" ADD CONSTRAINT "AuthenticationExecution_subflowId_realmId_fkey" FOREIGN KEY ("subflowId", "realmId") REFERENCES "AuthenticationFlow"("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthenticationExecution" ADD CONSTRAINT "AuthenticationExecution_configId_fkey" FOREIGN KEY ("configId") REFERENCES "AuthenticatorConfig"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthenticatorConfig" ADD CONSTRAINT "AuthenticatorConfig_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RequiredAction" ADD CONSTRAINT "RequiredAction_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Component" ADD CONSTRAINT "Component_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UserStorageState" ADD CONSTRAINT "UserStorageState_componentId_fkey" FOREIGN KEY ("componentId") REFERENCES "Component"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IdentityProvider" ADD CONSTRAINT "IdentityProvider_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "IdentityProviderMapper" ADD CONSTRAINT "IdentityProviderMapper_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LocalizationText" ADD CONSTRAINT "LocalizationText_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ResourceServer" ADD CONSTRAINT "ResourceServer_id_fkey" FOREIGN KEY ("id") REFERENCES "Client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationScope" ADD CONSTRAINT "AuthorizationScope_resourceServerId_fkey" FOREIGN KEY ("resourceServerId") REFERENCES "ResourceServer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationResource" ADD CONSTRAINT "AuthorizationResource_resourceServerId_fkey" FOREIGN KEY ("resourceServerId") REFERENCES "ResourceServer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationResource" ADD CONSTRAINT "AuthorizationResource_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationResourceUri" ADD CONSTRAINT "AuthorizationResourceUri_resourceId_fkey" FOREIGN KEY ("resourceId") REFERENCES "AuthorizationResource"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationResourceScope" ADD CONSTRAINT "AuthorizationResourceScope_resourceId_fkey" FOREIGN KEY ("resourceId") REFERENCES "AuthorizationResource"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationResourceScope" ADD CONSTRAINT "AuthorizationResourceScope_scopeId_fkey" FOREIGN KEY ("scopeId") REFERENCES "AuthorizationScope"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicy" ADD CONSTRAINT "AuthorizationPolicy_resourceServerId_fkey" FOREIGN KEY ("resourceServerId") REFERENCES "ResourceServer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicy" ADD CONSTRAINT "AuthorizationPolicy_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicyResource" ADD CONSTRAINT "AuthorizationPolicyResource_policyId_fkey" FOREIGN KEY ("policyId") REFERENCES "AuthorizationPolicy"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicyResource" ADD CONSTRAINT "AuthorizationPolicyResource_resourceId_fkey" FOREIGN KEY ("resourceId") REFERENCES "AuthorizationResource"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicyScope" ADD CONSTRAINT "AuthorizationPolicyScope_policyId_fkey" FOREIGN KEY ("policyId") REFERENCES "AuthorizationPolicy"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicyScope" ADD CONSTRAINT "AuthorizationPolicyScope_scopeId_fkey" FOREIGN KEY ("scopeId") REFERENCES "AuthorizationScope"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicyUse" ADD CONSTRAINT "AuthorizationPolicyUse_policyId_fkey" FOREIGN KEY ("policyId") REFERENCES "AuthorizationPolicy"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicyUse" ADD CONSTRAINT "AuthorizationPolicyUse_associatedId_fkey" FOREIGN KEY ("associatedId") REFERENCES "AuthorizationPolicy"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicySubject" ADD CONSTRAINT "AuthorizationPolicySubject_policyId_fkey" FOREIGN KEY ("policyId") REFERENCES "AuthorizationPolicy"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicySubject" ADD CONSTRAINT "AuthorizationPolicySubject_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicySubject" ADD CONSTRAINT "AuthorizationPolicySubject_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicySubject" ADD CONSTRAINT "AuthorizationPolicySubject_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicySubject" ADD CONSTRAINT "AuthorizationPolicySubject_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicySubject" ADD CONSTRAINT "AuthorizationPolicySubject_clientScopeId_fkey" FOREIGN KEY ("clientScopeId") REFERENCES "ClientScope"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PermissionTicket" ADD CONSTRAINT "PermissionTicket_resourceServerId_fkey" FOREIGN KEY ("resourceServerId") REFERENCES "ResourceServer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PermissionTicket" ADD CONSTRAINT "PermissionTicket_resourceId_fkey" FOREIGN KEY ("resourceId") REFERENCES "AuthorizationResource"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PermissionTicket" ADD CONSTRAINT "PermissionTicket_scopeId_fkey" FOREIGN KEY ("scopeId") REFERENCES "AuthorizationScope"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PermissionTicket" ADD CONSTRAINT "PermissionTicket_requesterId_fkey" FOREIGN KEY ("requesterId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_webhookId_fkey" FOREIGN KEY ("webhookId") REFERENCES "Webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The rest is written by hand: the schema language cannot express it.

-- Join tables have a copy of the username, which changes with the user.
CREATE FUNCTION "renameUser"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "UserGroup" SET "username" = NEW."username" WHERE "userId" = NEW."id";
    UPDATE "UserRole" SET "username" = NEW."username" WHERE "userId" = NEW."id";
    RETURN NULL;
END $$;
CREATE TRIGGER "User_renamed" AFTER UPDATE OF "username" ON "User" FOR EACH ROW
    WHEN (OLD."username" <> NEW."username") EXECUTE FUNCTION "renameUser"();

-- Each statement adds a row with the difference that it makes, so that writers do not wait for a common row.
CREATE FUNCTION "countUsers"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    INSERT INTO "UserCount" ("realmId", "users", "serviceAccounts")
    SELECT "realmId", sign * (count(*) - count("serviceAccountClientId")), sign * count("serviceAccountClientId")
    FROM changed GROUP BY "realmId";
    RETURN NULL;
END $$;
CREATE TRIGGER "User_counted" AFTER INSERT ON "User" REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION "countUsers"();
CREATE TRIGGER "User_uncounted" AFTER DELETE ON "User" REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION "countUsers"();

-- Trigrams for searches within names. On some systems, the extension has a package of its own. Without it, searches read all
-- users of the realm. A search reads the entries that are not merged into the index yet from end to end, so their list is
-- short (in kilobytes).
DO $$
BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE INDEX "User_search_idx" ON "User" USING gin ("search" gin_trgm_ops) WITH (gin_pending_list_limit = 128);
EXCEPTION WHEN OTHERS THEN
    RAISE NOTICE 'There is no trigram index for searches: %', SQLERRM;
END $$;

-- The position of an event is the ID of the transaction that stored it. PostgreSQL knows which transactions still run, so a
-- reader can stop before them; a clock or a sequence does not show that. "shift" is not 0 in a database that was restored into
-- another cluster, which counts its transactions from another number. event-positions.ts then changes the defaults too: a
-- constant in the expression is faster than a function that reads the table for each row.
CREATE TABLE "EventPosition" ("shift" BIGINT NOT NULL);
INSERT INTO "EventPosition" ("shift") VALUES (0);
ALTER TABLE "LoginEvent" ALTER COLUMN "position" SET DEFAULT "pg_current_xact_id"()::text::bigint + 0;
ALTER TABLE "AdminEvent" ALTER COLUMN "position" SET DEFAULT "pg_current_xact_id"()::text::bigint + 0;

-- Rows that join two realms, or two resource servers, are refused, and an object that other rows refer to stays in its realm.
CREATE FUNCTION "realmOfUser"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "realmId" FROM "User" WHERE "id" = $1);
END $$;
CREATE FUNCTION "realmOfRole"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "realmId" FROM "Role" WHERE "id" = $1);
END $$;
CREATE FUNCTION "realmOfGroup"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "realmId" FROM "Group" WHERE "id" = $1);
END $$;
CREATE FUNCTION "realmOfClient"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "realmId" FROM "Client" WHERE "id" = $1);
END $$;
CREATE FUNCTION "realmOfClientScope"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "realmId" FROM "ClientScope" WHERE "id" = $1);
END $$;
CREATE FUNCTION "realmOfSession"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "realmId" FROM "UserSession" WHERE "id" = $1);
END $$;
CREATE FUNCTION "realmOfConfig"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "realmId" FROM "AuthenticatorConfig" WHERE "id" = $1);
END $$;
CREATE FUNCTION "serverOfPolicy"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = $1);
END $$;
CREATE FUNCTION "serverOfResource"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "resourceServerId" FROM "AuthorizationResource" WHERE "id" = $1);
END $$;
CREATE FUNCTION "serverOfScope"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "resourceServerId" FROM "AuthorizationScope" WHERE "id" = $1);
END $$;
CREATE FUNCTION "realmOfPolicy"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT c."realmId" FROM "AuthorizationPolicy" p JOIN "Client" c ON c."id" = p."resourceServerId" WHERE p."id" = $1);
END $$;
CREATE FUNCTION "refuseJoin"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% joins two realms', TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
END $$;
CREATE TRIGGER "ClientScopeAssignment_joined" BEFORE INSERT OR UPDATE OF "clientId", "clientScopeId" ON "ClientScopeAssignment" FOR EACH ROW
    WHEN ("realmOfClient"(NEW."clientId") IS DISTINCT FROM "realmOfClientScope"(NEW."clientScopeId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "ClientScopeMapping_joined" BEFORE INSERT OR UPDATE OF "clientId", "roleId" ON "ClientScopeMapping" FOR EACH ROW
    WHEN ("realmOfClient"(NEW."clientId") IS DISTINCT FROM "realmOfRole"(NEW."roleId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "ClientScopeScopeMapping_joined" BEFORE INSERT OR UPDATE OF "clientScopeId", "roleId" ON "ClientScopeScopeMapping" FOR EACH ROW
    WHEN ("realmOfClientScope"(NEW."clientScopeId") IS DISTINCT FROM "realmOfRole"(NEW."roleId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "CompositeRole_joined" BEFORE INSERT OR UPDATE OF "parentId", "childId" ON "CompositeRole" FOR EACH ROW
    WHEN ("realmOfRole"(NEW."parentId") IS DISTINCT FROM "realmOfRole"(NEW."childId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "GroupRole_joined" BEFORE INSERT OR UPDATE OF "groupId", "roleId" ON "GroupRole" FOR EACH ROW
    WHEN ("realmOfGroup"(NEW."groupId") IS DISTINCT FROM "realmOfRole"(NEW."roleId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "UserGroup_joined" BEFORE INSERT OR UPDATE OF "userId", "groupId" ON "UserGroup" FOR EACH ROW
    WHEN ("realmOfUser"(NEW."userId") IS DISTINCT FROM "realmOfGroup"(NEW."groupId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "UserRole_joined" BEFORE INSERT OR UPDATE OF "userId", "roleId" ON "UserRole" FOR EACH ROW
    WHEN ("realmOfUser"(NEW."userId") IS DISTINCT FROM "realmOfRole"(NEW."roleId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "UserConsent_joined" BEFORE INSERT OR UPDATE OF "userId", "clientId" ON "UserConsent" FOR EACH ROW
    WHEN ("realmOfUser"(NEW."userId") IS DISTINCT FROM "realmOfClient"(NEW."clientId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "UserSession_joined" BEFORE INSERT OR UPDATE OF "realmId", "userId" ON "UserSession" FOR EACH ROW
    WHEN (NEW."realmId" IS DISTINCT FROM "realmOfUser"(NEW."userId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "ClientSession_joined" BEFORE INSERT OR UPDATE OF "realmId", "sessionId", "clientId" ON "ClientSession" FOR EACH ROW
    WHEN (NEW."realmId" IS DISTINCT FROM "realmOfSession"(NEW."sessionId")
        OR NEW."realmId" IS DISTINCT FROM "realmOfClient"(NEW."clientId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "LoginFailure_joined" BEFORE INSERT OR UPDATE OF "realmId", "userId" ON "LoginFailure" FOR EACH ROW
    WHEN (NEW."realmId" IS DISTINCT FROM "realmOfUser"(NEW."userId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "User_joined" BEFORE INSERT OR UPDATE OF "realmId", "serviceAccountClientId" ON "User" FOR EACH ROW
    WHEN (NEW."serviceAccountClientId" IS NOT NULL AND NEW."realmId" IS DISTINCT FROM "realmOfClient"(NEW."serviceAccountClientId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthenticationExecution_joined" BEFORE INSERT OR UPDATE OF "realmId", "configId" ON "AuthenticationExecution" FOR EACH ROW
    WHEN (NEW."configId" IS NOT NULL AND NEW."realmId" IS DISTINCT FROM "realmOfConfig"(NEW."configId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationResource_joined" BEFORE INSERT OR UPDATE OF "resourceServerId", "userId" ON "AuthorizationResource" FOR EACH ROW
    WHEN (NEW."userId" IS NOT NULL AND "realmOfClient"(NEW."resourceServerId") IS DISTINCT FROM "realmOfUser"(NEW."userId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationPolicy_joined" BEFORE INSERT OR UPDATE OF "resourceServerId", "ownerId" ON "AuthorizationPolicy" FOR EACH ROW
    WHEN (NEW."ownerId" IS NOT NULL AND "realmOfClient"(NEW."resourceServerId") IS DISTINCT FROM "realmOfUser"(NEW."ownerId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationResourceScope_joined" BEFORE INSERT OR UPDATE OF "resourceId", "scopeId" ON "AuthorizationResourceScope" FOR EACH ROW
    WHEN ("serverOfResource"(NEW."resourceId") IS DISTINCT FROM "serverOfScope"(NEW."scopeId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationPolicyResource_joined" BEFORE INSERT OR UPDATE OF "policyId", "resourceId" ON "AuthorizationPolicyResource" FOR EACH ROW
    WHEN ("serverOfPolicy"(NEW."policyId") IS DISTINCT FROM "serverOfResource"(NEW."resourceId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationPolicyScope_joined" BEFORE INSERT OR UPDATE OF "policyId", "scopeId" ON "AuthorizationPolicyScope" FOR EACH ROW
    WHEN ("serverOfPolicy"(NEW."policyId") IS DISTINCT FROM "serverOfScope"(NEW."scopeId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationPolicyUse_joined" BEFORE INSERT OR UPDATE OF "policyId", "associatedId" ON "AuthorizationPolicyUse" FOR EACH ROW
    WHEN ("serverOfPolicy"(NEW."policyId") IS DISTINCT FROM "serverOfPolicy"(NEW."associatedId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "PermissionTicket_joined" BEFORE INSERT OR UPDATE OF "resourceServerId", "resourceId", "scopeId", "requesterId" ON "PermissionTicket" FOR EACH ROW
    WHEN (NEW."resourceServerId" IS DISTINCT FROM "serverOfResource"(NEW."resourceId")
        OR NEW."scopeId" IS NOT NULL AND NEW."resourceServerId" IS DISTINCT FROM "serverOfScope"(NEW."scopeId")
        OR "realmOfClient"(NEW."resourceServerId") IS DISTINCT FROM "realmOfUser"(NEW."requesterId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationPolicySubject_joined" BEFORE INSERT OR UPDATE OF "policyId", "userId", "roleId", "groupId", "clientId", "clientScopeId" ON "AuthorizationPolicySubject" FOR EACH ROW
    WHEN (NEW."userId" IS NOT NULL AND "realmOfPolicy"(NEW."policyId") IS DISTINCT FROM "realmOfUser"(NEW."userId")
        OR NEW."roleId" IS NOT NULL AND "realmOfPolicy"(NEW."policyId") IS DISTINCT FROM "realmOfRole"(NEW."roleId")
        OR NEW."groupId" IS NOT NULL AND "realmOfPolicy"(NEW."policyId") IS DISTINCT FROM "realmOfGroup"(NEW."groupId")
        OR NEW."clientId" IS NOT NULL AND "realmOfPolicy"(NEW."policyId") IS DISTINCT FROM "realmOfClient"(NEW."clientId")
        OR NEW."clientScopeId" IS NOT NULL AND "realmOfPolicy"(NEW."policyId") IS DISTINCT FROM "realmOfClientScope"(NEW."clientScopeId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "User_moved" BEFORE UPDATE OF "realmId" ON "User" FOR EACH ROW
    WHEN (OLD."realmId" <> NEW."realmId") EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "Client_moved" BEFORE UPDATE OF "realmId" ON "Client" FOR EACH ROW
    WHEN (OLD."realmId" <> NEW."realmId") EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "ClientScope_moved" BEFORE UPDATE OF "realmId" ON "ClientScope" FOR EACH ROW
    WHEN (OLD."realmId" <> NEW."realmId") EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "Role_moved" BEFORE UPDATE OF "realmId" ON "Role" FOR EACH ROW
    WHEN (OLD."realmId" <> NEW."realmId") EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "Group_moved" BEFORE UPDATE OF "realmId" ON "Group" FOR EACH ROW
    WHEN (OLD."realmId" <> NEW."realmId") EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthenticatorConfig_moved" BEFORE UPDATE OF "realmId" ON "AuthenticatorConfig" FOR EACH ROW
    WHEN (OLD."realmId" <> NEW."realmId") EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationScope_moved" BEFORE UPDATE OF "resourceServerId" ON "AuthorizationScope" FOR EACH ROW
    WHEN (OLD."resourceServerId" <> NEW."resourceServerId") EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationResource_moved" BEFORE UPDATE OF "resourceServerId" ON "AuthorizationResource" FOR EACH ROW
    WHEN (OLD."resourceServerId" <> NEW."resourceServerId") EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationPolicy_moved" BEFORE UPDATE OF "resourceServerId" ON "AuthorizationPolicy" FOR EACH ROW
    WHEN (OLD."resourceServerId" <> NEW."resourceServerId") EXECUTE FUNCTION "refuseJoin"();
