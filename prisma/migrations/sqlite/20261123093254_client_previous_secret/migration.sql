-- AlterTable
ALTER TABLE "Client" ADD COLUMN "previousSecret" TEXT;
ALTER TABLE "Client" ADD COLUMN "previousSecretUntil" BIGINT NOT NULL DEFAULT 0;
