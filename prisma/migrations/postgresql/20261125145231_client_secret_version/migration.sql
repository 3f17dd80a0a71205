-- AlterTable
ALTER TABLE "Client" ADD COLUMN     "secretVersion" INTEGER NOT NULL DEFAULT 0;
