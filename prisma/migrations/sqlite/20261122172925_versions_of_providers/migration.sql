-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_ClientInitialAccess" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "timestamp" INTEGER NOT NULL,
    "expiration" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    "remainingCount" INTEGER NOT NULL,
    CONSTRAINT "ClientInitialAccess_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_ClientInitialAccess" ("count", "expiration", "id", "realmId", "remainingCount", "timestamp") SELECT "count", "expiration", "id", "realmId", "remainingCount", "timestamp" FROM "ClientInitialAccess";
DROP TABLE "ClientInitialAccess";
ALTER TABLE "new_ClientInitialAccess" RENAME TO "ClientInitialAccess";
CREATE INDEX "ClientInitialAccess_realmId_timestamp_idx" ON "ClientInitialAccess"("realmId", "timestamp");
CREATE TABLE "new_Component" (
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
INSERT INTO "new_Component" ("config", "grantable", "id", "name", "parentId", "providerId", "providerType", "realmId", "secrets", "subType") SELECT "config", "grantable", "id", "name", "parentId", "providerId", "providerType", "realmId", "secrets", "subType" FROM "Component";
DROP TABLE "Component";
ALTER TABLE "new_Component" RENAME TO "Component";
CREATE INDEX "Component_realmId_providerType_idx" ON "Component"("realmId", "providerType");
CREATE INDEX "Component_parentId_idx" ON "Component"("parentId");
CREATE TABLE "new_IdentityProvider" (
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
INSERT INTO "new_IdentityProvider" ("addReadTokenRoleOnCreate", "alias", "authenticateByDefault", "config", "displayName", "enabled", "firstBrokerLoginFlowAlias", "id", "linkOnly", "position", "postBrokerLoginFlowAlias", "providerId", "realmId", "secrets", "storeToken", "trustEmail", "updateProfileFirstLoginMode") SELECT "addReadTokenRoleOnCreate", "alias", "authenticateByDefault", "config", "displayName", "enabled", "firstBrokerLoginFlowAlias", "id", "linkOnly", "position", "postBrokerLoginFlowAlias", "providerId", "realmId", "secrets", "storeToken", "trustEmail", "updateProfileFirstLoginMode" FROM "IdentityProvider";
DROP TABLE "IdentityProvider";
ALTER TABLE "new_IdentityProvider" RENAME TO "IdentityProvider";
CREATE UNIQUE INDEX "IdentityProvider_realmId_alias_key" ON "IdentityProvider"("realmId", "alias");
CREATE TABLE "new_IdentityProviderMapper" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "identityProviderAlias" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "identityProviderMapper" TEXT NOT NULL,
    "config" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "IdentityProviderMapper_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_IdentityProviderMapper" ("config", "id", "identityProviderAlias", "identityProviderMapper", "name", "realmId") SELECT "config", "id", "identityProviderAlias", "identityProviderMapper", "name", "realmId" FROM "IdentityProviderMapper";
DROP TABLE "IdentityProviderMapper";
ALTER TABLE "new_IdentityProviderMapper" RENAME TO "IdentityProviderMapper";
CREATE INDEX "IdentityProviderMapper_realmId_identityProviderAlias_idx" ON "IdentityProviderMapper"("realmId", "identityProviderAlias");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
