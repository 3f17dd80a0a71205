-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_AuthenticationFlow" (
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
INSERT INTO "new_AuthenticationFlow" ("alias", "builtIn", "description", "id", "providerId", "realmId", "topLevel", "version") SELECT "alias", "builtIn", "description", "id", "providerId", "realmId", "topLevel", "version" FROM "AuthenticationFlow";
DROP TABLE "AuthenticationFlow";
ALTER TABLE "new_AuthenticationFlow" RENAME TO "AuthenticationFlow";
CREATE UNIQUE INDEX "AuthenticationFlow_realmId_alias_key" ON "AuthenticationFlow"("realmId", "alias");
CREATE UNIQUE INDEX "AuthenticationFlow_id_realmId_key" ON "AuthenticationFlow"("id", "realmId");
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
    CONSTRAINT "IdentityProvider_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_IdentityProvider" ("addReadTokenRoleOnCreate", "alias", "authenticateByDefault", "config", "displayName", "enabled", "firstBrokerLoginFlowAlias", "id", "linkOnly", "postBrokerLoginFlowAlias", "providerId", "realmId", "secrets", "storeToken", "trustEmail", "updateProfileFirstLoginMode") SELECT "addReadTokenRoleOnCreate", "alias", "authenticateByDefault", "config", "displayName", "enabled", "firstBrokerLoginFlowAlias", "id", "linkOnly", "postBrokerLoginFlowAlias", "providerId", "realmId", "secrets", "storeToken", "trustEmail", "updateProfileFirstLoginMode" FROM "IdentityProvider";
DROP TABLE "IdentityProvider";
ALTER TABLE "new_IdentityProvider" RENAME TO "IdentityProvider";
CREATE UNIQUE INDEX "IdentityProvider_realmId_alias_key" ON "IdentityProvider"("realmId", "alias");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
