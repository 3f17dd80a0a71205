-- without a transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "LoginEvent_position_time_id_idx" ON "LoginEvent"("position", "time", "id");
CREATE INDEX CONCURRENTLY IF NOT EXISTS "AdminEvent_position_time_id_idx" ON "AdminEvent"("position", "time", "id");
