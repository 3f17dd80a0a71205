-- AlterTable
ALTER TABLE "Realm" ADD COLUMN     "managed" JSONB NOT NULL DEFAULT '{}';

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

-- CreateIndex
CREATE INDEX "RealmApply_appliedAt_idx" ON "RealmApply"("appliedAt");

-- CreateIndex
CREATE UNIQUE INDEX "RealmApply_realmId_number_key" ON "RealmApply"("realmId", "number");

-- AddForeignKey
ALTER TABLE "RealmApply" ADD CONSTRAINT "RealmApply_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ManagedObject" ADD CONSTRAINT "ManagedObject_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;
