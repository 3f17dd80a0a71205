-- CreateTable
CREATE TABLE "SecretsKeyCheck" (
    "id" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "SecretsKeyCheck_pkey" PRIMARY KEY ("id")
);
