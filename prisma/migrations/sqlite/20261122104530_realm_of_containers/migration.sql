-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_ProtocolMapper" (
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
INSERT INTO "new_ProtocolMapper" ("clientId", "clientScopeId", "config", "container", "id", "name", "protocol", "protocolMapper", "realmId") SELECT "clientId", "clientScopeId", "config", "container", "id", "name", "protocol", "protocolMapper",
    -- that of what it belongs to
    COALESCE((SELECT c."realmId" FROM "Client" c WHERE c."id" = m."clientId"), (SELECT s."realmId" FROM "ClientScope" s WHERE s."id" = m."clientScopeId"))
  FROM "ProtocolMapper" m;
DROP TABLE "ProtocolMapper";
ALTER TABLE "new_ProtocolMapper" RENAME TO "ProtocolMapper";
CREATE INDEX "ProtocolMapper_clientId_realmId_idx" ON "ProtocolMapper"("clientId", "realmId");
CREATE INDEX "ProtocolMapper_clientScopeId_realmId_idx" ON "ProtocolMapper"("clientScopeId", "realmId");
CREATE UNIQUE INDEX "ProtocolMapper_container_protocol_name_key" ON "ProtocolMapper"("container", "protocol", "name");
CREATE TABLE "new_Role" (
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
INSERT INTO "new_Role" ("clientId", "container", "description", "id", "name", "realmId", "search", "version") SELECT "clientId", "container", "description", "id", "name", "realmId", "search", "version" FROM "Role";
DROP TABLE "Role";
ALTER TABLE "new_Role" RENAME TO "Role";
CREATE INDEX "Role_realmId_idx" ON "Role"("realmId");
CREATE INDEX "Role_clientId_realmId_idx" ON "Role"("clientId", "realmId");
CREATE UNIQUE INDEX "Role_container_name_key" ON "Role"("container", "name");
CREATE TABLE "new_Group" (
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
INSERT INTO "new_Group" ("container", "id", "isDefault", "name", "parentId", "path", "realmId", "search", "version") SELECT "container", "id", "isDefault", "name", "parentId", "path", "realmId", "search", "version" FROM "Group";
DROP TABLE "Group";
ALTER TABLE "new_Group" RENAME TO "Group";
CREATE INDEX "Group_realmId_path_idx" ON "Group"("realmId", "path");
CREATE INDEX "Group_parentId_realmId_idx" ON "Group"("parentId", "realmId");
CREATE UNIQUE INDEX "Group_container_name_key" ON "Group"("container", "name");
CREATE UNIQUE INDEX "Group_id_realmId_key" ON "Group"("id", "realmId");
CREATE TABLE "new_AuthenticationExecution" (
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
INSERT INTO "new_AuthenticationExecution" ("authenticator", "configId", "flowId", "id", "priority", "realmId", "requirement", "subflowId") SELECT "authenticator", "configId", "flowId", "id", "priority", "realmId", "requirement", "subflowId" FROM "AuthenticationExecution";
DROP TABLE "AuthenticationExecution";
ALTER TABLE "new_AuthenticationExecution" RENAME TO "AuthenticationExecution";
CREATE INDEX "AuthenticationExecution_realmId_idx" ON "AuthenticationExecution"("realmId");
CREATE INDEX "AuthenticationExecution_flowId_realmId_idx" ON "AuthenticationExecution"("flowId", "realmId");
CREATE INDEX "AuthenticationExecution_subflowId_realmId_idx" ON "AuthenticationExecution"("subflowId", "realmId");
CREATE INDEX "AuthenticationExecution_configId_idx" ON "AuthenticationExecution"("configId");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE UNIQUE INDEX "Client_id_realmId_key" ON "Client"("id", "realmId");

-- CreateIndex
CREATE UNIQUE INDEX "ClientScope_id_realmId_key" ON "ClientScope"("id", "realmId");

-- CreateIndex
CREATE UNIQUE INDEX "AuthenticationFlow_id_realmId_key" ON "AuthenticationFlow"("id", "realmId");
