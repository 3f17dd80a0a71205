-- CreateTable
CREATE TABLE "ClientInitialAccess" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "timestamp" INTEGER NOT NULL,
    "expiration" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    "remainingCount" INTEGER NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "ClientInitialAccess_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ClientInitialAccess_realmId_timestamp_idx" ON "ClientInitialAccess"("realmId", "timestamp");

-- AddForeignKey
ALTER TABLE "ClientInitialAccess" ADD CONSTRAINT "ClientInitialAccess_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;
