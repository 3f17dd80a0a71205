-- DropIndex
DROP INDEX "ManagementPermission_realmId_idx";

-- DropTable
PRAGMA foreign_keys=off;
DROP TABLE "ManagementPermission";
PRAGMA foreign_keys=on;

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

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_Client" (
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
    CONSTRAINT "Client_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_Client" ("adminUrl", "alwaysDisplayInConsole", "attributes", "authenticationFlowBindingOverrides", "authorizationServicesEnabled", "baseUrl", "bearerOnly", "clientAuthenticatorType", "clientId", "consentRequired", "description", "directAccessGrantsEnabled", "enabled", "frontchannelLogout", "fullScopeAllowed", "id", "implicitFlowEnabled", "name", "nodeReRegistrationTimeout", "notBefore", "protocol", "publicClient", "realmId", "redirectUris", "registeredNodes", "registrationToken", "rootUrl", "search", "secret", "serviceAccountsEnabled", "standardFlowEnabled", "surrogateAuthRequired", "version", "webOrigins") SELECT "adminUrl", "alwaysDisplayInConsole", "attributes", "authenticationFlowBindingOverrides", "authorizationServicesEnabled", "baseUrl", "bearerOnly", "clientAuthenticatorType", "clientId", "consentRequired", "description", "directAccessGrantsEnabled", "enabled", "frontchannelLogout", "fullScopeAllowed", "id", "implicitFlowEnabled", "name", "nodeReRegistrationTimeout", "notBefore", "protocol", "publicClient", "realmId", "redirectUris", "registeredNodes", "registrationToken", "rootUrl", "search", "secret", "serviceAccountsEnabled", "standardFlowEnabled", "surrogateAuthRequired", "version", "webOrigins" FROM "Client";
DROP TABLE "Client";
ALTER TABLE "new_Client" RENAME TO "Client";
CREATE UNIQUE INDEX "Client_realmId_clientId_key" ON "Client"("realmId", "clientId");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

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

-- Clients that have authorization services start with an empty resource server.
INSERT INTO "ResourceServer" ("id") SELECT "id" FROM "Client" WHERE "authorizationServicesEnabled";
