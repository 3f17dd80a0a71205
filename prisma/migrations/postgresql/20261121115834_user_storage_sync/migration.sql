-- AlterTable
ALTER TABLE "User" ADD COLUMN     "federationId" TEXT COLLATE "C";

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

    CONSTRAINT "UserStorageState_pkey" PRIMARY KEY ("componentId")
);

-- CreateIndex
CREATE UNIQUE INDEX "User_federationLink_federationId_key" ON "User"("federationLink", "federationId");

-- AddForeignKey
ALTER TABLE "UserStorageState" ADD CONSTRAINT "UserStorageState_componentId_fkey" FOREIGN KEY ("componentId") REFERENCES "Component"("id") ON DELETE CASCADE ON UPDATE CASCADE;
