-- without a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "UserSession_account_idx" ON "UserSession"("account");
