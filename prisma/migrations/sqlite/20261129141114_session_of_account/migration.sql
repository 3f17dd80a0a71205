-- AlterTable
ALTER TABLE "UserSession" ADD COLUMN "account" TEXT;
ALTER TABLE "UserSession" ADD COLUMN "endsAt" INTEGER;

-- CreateIndex
CREATE INDEX "UserSession_account_idx" ON "UserSession"("account");
