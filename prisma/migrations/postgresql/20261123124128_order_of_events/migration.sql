-- DropIndex
DROP INDEX "LoginEvent_realmId_time_idx";

-- DropIndex
DROP INDEX "LoginEvent_userId_time_idx";

-- DropIndex
DROP INDEX "AdminEvent_realmId_time_idx";

-- DropIndex
DROP INDEX "AdminEvent_resourceId_time_idx";

-- CreateIndex
CREATE INDEX "LoginEvent_realmId_time_id_idx" ON "LoginEvent"("realmId", "time", "id");

-- CreateIndex
CREATE INDEX "LoginEvent_userId_time_id_idx" ON "LoginEvent"("userId", "time", "id");

-- CreateIndex
CREATE INDEX "AdminEvent_realmId_time_id_idx" ON "AdminEvent"("realmId", "time", "id");

-- CreateIndex
CREATE INDEX "AdminEvent_resourceId_time_id_idx" ON "AdminEvent"("resourceId", "time", "id");
