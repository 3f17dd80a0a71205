-- DropForeignKey
ALTER TABLE "ProtocolMapper" DROP CONSTRAINT "ProtocolMapper_clientId_fkey";

-- DropForeignKey
ALTER TABLE "ProtocolMapper" DROP CONSTRAINT "ProtocolMapper_clientScopeId_fkey";

-- DropForeignKey
ALTER TABLE "Role" DROP CONSTRAINT "Role_clientId_fkey";

-- DropForeignKey
ALTER TABLE "Group" DROP CONSTRAINT "Group_parentId_fkey";

-- DropForeignKey
ALTER TABLE "AuthenticationExecution" DROP CONSTRAINT "AuthenticationExecution_flowId_fkey";

-- DropForeignKey
ALTER TABLE "AuthenticationExecution" DROP CONSTRAINT "AuthenticationExecution_subflowId_fkey";

-- DropIndex
DROP INDEX "ProtocolMapper_clientId_idx";

-- DropIndex
DROP INDEX "ProtocolMapper_clientScopeId_idx";

-- DropIndex
DROP INDEX "Role_clientId_idx";

-- DropIndex
DROP INDEX "Group_parentId_idx";

-- DropIndex
DROP INDEX "AuthenticationExecution_flowId_idx";

-- DropIndex
DROP INDEX "AuthenticationExecution_subflowId_idx";

-- AlterTable
ALTER TABLE "ProtocolMapper" ADD COLUMN     "realmId" TEXT COLLATE "C";

-- that of what it belongs to
UPDATE "ProtocolMapper" m SET "realmId" = COALESCE(
  (SELECT c."realmId" FROM "Client" c WHERE c."id" = m."clientId"),
  (SELECT s."realmId" FROM "ClientScope" s WHERE s."id" = m."clientScopeId"));
ALTER TABLE "ProtocolMapper" ALTER COLUMN "realmId" SET NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "Client_id_realmId_key" ON "Client"("id", "realmId");

-- CreateIndex
CREATE UNIQUE INDEX "ClientScope_id_realmId_key" ON "ClientScope"("id", "realmId");

-- CreateIndex
CREATE INDEX "ProtocolMapper_clientId_realmId_idx" ON "ProtocolMapper"("clientId", "realmId");

-- CreateIndex
CREATE INDEX "ProtocolMapper_clientScopeId_realmId_idx" ON "ProtocolMapper"("clientScopeId", "realmId");

-- CreateIndex
CREATE INDEX "Role_clientId_realmId_idx" ON "Role"("clientId", "realmId");

-- CreateIndex
CREATE INDEX "Group_parentId_realmId_idx" ON "Group"("parentId", "realmId");

-- CreateIndex
CREATE UNIQUE INDEX "Group_id_realmId_key" ON "Group"("id", "realmId");

-- CreateIndex
CREATE UNIQUE INDEX "AuthenticationFlow_id_realmId_key" ON "AuthenticationFlow"("id", "realmId");

-- CreateIndex
CREATE INDEX "AuthenticationExecution_flowId_realmId_idx" ON "AuthenticationExecution"("flowId", "realmId");

-- CreateIndex
CREATE INDEX "AuthenticationExecution_subflowId_realmId_idx" ON "AuthenticationExecution"("subflowId", "realmId");

-- AddForeignKey
ALTER TABLE "ProtocolMapper" ADD CONSTRAINT "ProtocolMapper_clientId_realmId_fkey" FOREIGN KEY ("clientId", "realmId") REFERENCES "Client"("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ProtocolMapper" ADD CONSTRAINT "ProtocolMapper_clientScopeId_realmId_fkey" FOREIGN KEY ("clientScopeId", "realmId") REFERENCES "ClientScope"("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Role" ADD CONSTRAINT "Role_clientId_realmId_fkey" FOREIGN KEY ("clientId", "realmId") REFERENCES "Client"("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Group" ADD CONSTRAINT "Group_parentId_realmId_fkey" FOREIGN KEY ("parentId", "realmId") REFERENCES "Group"("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthenticationExecution" ADD CONSTRAINT "AuthenticationExecution_flowId_realmId_fkey" FOREIGN KEY ("flowId", "realmId") REFERENCES "AuthenticationFlow"("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthenticationExecution" ADD CONSTRAINT "AuthenticationExecution_subflowId_realmId_fkey" FOREIGN KEY ("subflowId", "realmId") REFERENCES "AuthenticationFlow"("id", "realmId") ON DELETE CASCADE ON UPDATE CASCADE;
