-- AlterTable
ALTER TABLE "User" ADD COLUMN     "keptFields" JSONB NOT NULL DEFAULT '[]';
