-- AlterTable
ALTER TABLE "AdminEvent" ADD COLUMN "resourceId" TEXT;

-- CreateIndex
CREATE INDEX "LoginEvent_userId_time_idx" ON "LoginEvent"("userId", "time");

-- CreateIndex
CREATE INDEX "LoginEvent_time_id_idx" ON "LoginEvent"("time", "id");

-- CreateIndex
CREATE INDEX "AdminEvent_resourceId_time_idx" ON "AdminEvent"("resourceId", "time");

-- CreateIndex
CREATE INDEX "AdminEvent_time_id_idx" ON "AdminEvent"("time", "id");

-- what paths name by its id is told of earlier events too
UPDATE "AdminEvent" SET "resourceId" = substr("resourcePath", 7, instr(substr("resourcePath", 7) || '/', '/') - 1)
WHERE "resourcePath" LIKE 'users/%';
UPDATE "AdminEvent" SET "resourceId" = substr("resourcePath", 8, instr(substr("resourcePath", 8) || '/', '/') - 1)
WHERE "resourcePath" LIKE 'groups/%' AND "resourcePath" NOT LIKE 'groups/%/children';
UPDATE "AdminEvent" SET "resourceId" = substr("resourcePath", 9)
WHERE "resourcePath" LIKE 'clients/%' AND "resourcePath" NOT LIKE 'clients/%/%';
