-- AlterTable
ALTER TABLE "Component" ADD COLUMN "grantable" JSONB;
