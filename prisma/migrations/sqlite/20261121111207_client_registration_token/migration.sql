-- AlterTable
ALTER TABLE "Client" ADD COLUMN "registrationToken" TEXT;
