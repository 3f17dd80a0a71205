-- CreateTable
CREATE TABLE "AuditBlock" (
    "id" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "previous" TEXT COLLATE "C" NOT NULL,
    "sealedAt" BIGINT NOT NULL,
    "afterPosition" BIGINT NOT NULL,
    "lastPosition" BIGINT NOT NULL,
    "lastTime" BIGINT NOT NULL,
    "lastId" TEXT COLLATE "C" NOT NULL,
    "entries" TEXT COLLATE "C" NOT NULL,
    "proof" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuditBlock_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditExpiry" (
    "realmId" TEXT COLLATE "C" NOT NULL,
    "before" BIGINT NOT NULL,

    CONSTRAINT "AuditExpiry_pkey" PRIMARY KEY ("realmId")
);

-- CreateIndex
CREATE UNIQUE INDEX "AuditBlock_number_key" ON "AuditBlock"("number");
