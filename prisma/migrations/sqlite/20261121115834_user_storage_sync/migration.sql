-- AlterTable
ALTER TABLE "User" ADD COLUMN "federationId" TEXT;

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
    CONSTRAINT "UserStorageState_componentId_fkey" FOREIGN KEY ("componentId") REFERENCES "Component" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "User_federationLink_federationId_key" ON "User"("federationLink", "federationId");
