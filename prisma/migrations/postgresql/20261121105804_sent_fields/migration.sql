-- AlterTable
ALTER TABLE "AdminEvent" ADD COLUMN     "sent" TEXT COLLATE "C";
