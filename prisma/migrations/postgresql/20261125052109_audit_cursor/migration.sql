-- CreateTable
CREATE TABLE "AuditCursor" (
    "id" TEXT COLLATE "C" NOT NULL,
    "position" BIGINT NOT NULL,
    "positionTime" BIGINT NOT NULL DEFAULT 0,
    "positionId" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "leaseOwner" TEXT COLLATE "C",
    "leaseUntil" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "AuditCursor_pkey" PRIMARY KEY ("id")
);
