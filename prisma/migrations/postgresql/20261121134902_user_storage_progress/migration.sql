-- AlterTable
ALTER TABLE "UserStorageState" ADD COLUMN     "entries" INTEGER,
ADD COLUMN     "progress" JSONB;
