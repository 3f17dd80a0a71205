-- AlterTable
ALTER TABLE "UserSession" ADD COLUMN     "account" TEXT COLLATE "C",
ADD COLUMN     "endsAt" INTEGER;
