-- AlterTable
ALTER TABLE "Client" ADD COLUMN     "previousSecret" TEXT COLLATE "C",
ADD COLUMN     "previousSecretUntil" BIGINT NOT NULL DEFAULT 0;
