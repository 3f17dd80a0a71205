-- CreateTable
CREATE TABLE "ClientInitialAccess" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "timestamp" INTEGER NOT NULL,
    "expiration" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    "remainingCount" INTEGER NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "ClientInitialAccess_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "ClientInitialAccess_realmId_timestamp_idx" ON "ClientInitialAccess"("realmId", "timestamp");
