-- AlterTable
ALTER TABLE "UserStorageState" ADD COLUMN "entries" INTEGER;
ALTER TABLE "UserStorageState" ADD COLUMN "progress" JSONB;
