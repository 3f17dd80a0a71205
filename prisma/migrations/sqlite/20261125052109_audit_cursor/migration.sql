-- CreateTable
CREATE TABLE "AuditCursor" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "position" BIGINT NOT NULL,
    "positionTime" BIGINT NOT NULL DEFAULT 0,
    "positionId" TEXT NOT NULL DEFAULT '',
    "leaseOwner" TEXT,
    "leaseUntil" BIGINT NOT NULL DEFAULT 0
);

-- CreateIndex
CREATE INDEX "LoginEvent_position_time_id_idx" ON "LoginEvent"("position", "time", "id");

-- CreateIndex
CREATE INDEX "AdminEvent_position_time_id_idx" ON "AdminEvent"("position", "time", "id");
