-- AlterTable
ALTER TABLE "Realm" ADD COLUMN "managed" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "RealmApply" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "reverts" INTEGER,
    "source" TEXT,
    "revision" TEXT,
    "digest" TEXT NOT NULL,
    "modes" JSONB NOT NULL DEFAULT '{}',
    "created" INTEGER NOT NULL,
    "updated" INTEGER NOT NULL,
    "deleted" INTEGER NOT NULL,
    "appliedAt" BIGINT NOT NULL,
    "authRealmId" TEXT NOT NULL,
    "authClientId" TEXT NOT NULL,
    "authUserId" TEXT NOT NULL,
    "inverse" TEXT,
    CONSTRAINT "RealmApply_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ManagedObject" (
    "realmId" TEXT NOT NULL,
    "objectId" TEXT NOT NULL,

    PRIMARY KEY ("realmId", "objectId"),
    CONSTRAINT "ManagedObject_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "RealmApply_appliedAt_idx" ON "RealmApply"("appliedAt");

-- CreateIndex
CREATE UNIQUE INDEX "RealmApply_realmId_number_key" ON "RealmApply"("realmId", "number");
