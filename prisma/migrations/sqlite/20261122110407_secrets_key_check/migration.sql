-- CreateTable
CREATE TABLE "SecretsKeyCheck" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL
);
