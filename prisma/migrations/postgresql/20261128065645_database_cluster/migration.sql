-- CreateTable
CREATE TABLE "DatabaseCluster" (
    "id" TEXT COLLATE "C" NOT NULL,
    "systemIdentifier" TEXT COLLATE "C" NOT NULL,
    "timeline" INTEGER NOT NULL,
    "branch" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "DatabaseCluster_pkey" PRIMARY KEY ("id")
);
