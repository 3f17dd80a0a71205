-- CreateTable
CREATE TABLE "DatabaseCluster" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "systemIdentifier" TEXT NOT NULL,
    "timeline" INTEGER NOT NULL,
    "branch" TEXT NOT NULL
);
