-- AlterTable
ALTER TABLE "AdminEvent" ADD COLUMN     "resourceId" TEXT COLLATE "C";

-- CreateIndex
CREATE INDEX "LoginEvent_userId_time_idx" ON "LoginEvent"("userId", "time");

-- CreateIndex
CREATE INDEX "LoginEvent_time_id_idx" ON "LoginEvent"("time", "id");

-- CreateIndex
CREATE INDEX "AdminEvent_resourceId_time_idx" ON "AdminEvent"("resourceId", "time");

-- CreateIndex
CREATE INDEX "AdminEvent_time_id_idx" ON "AdminEvent"("time", "id");

-- what paths name by its id is told of earlier events too
UPDATE "AdminEvent" SET "resourceId" = split_part("resourcePath", '/', 2)
WHERE "resourcePath" LIKE 'users/%'
   OR ("resourcePath" LIKE 'groups/%' AND "resourcePath" NOT LIKE 'groups/%/children')
   OR ("resourcePath" LIKE 'clients/%' AND "resourcePath" NOT LIKE 'clients/%/%');
