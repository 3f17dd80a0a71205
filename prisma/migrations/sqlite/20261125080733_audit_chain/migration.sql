-- CreateTable
CREATE TABLE "AuditBlock" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "number" INTEGER NOT NULL,
    "previous" TEXT NOT NULL,
    "sealedAt" BIGINT NOT NULL,
    "afterPosition" BIGINT NOT NULL,
    "lastPosition" BIGINT NOT NULL,
    "lastTime" BIGINT NOT NULL,
    "lastId" TEXT NOT NULL,
    "entries" TEXT NOT NULL,
    "proof" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "AuditExpiry" (
    "realmId" TEXT NOT NULL PRIMARY KEY,
    "before" BIGINT NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "AuditBlock_number_key" ON "AuditBlock"("number");
