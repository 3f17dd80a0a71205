-- CreateIndex
CREATE INDEX "Realm_adminClientId_idx" ON "Realm"("adminClientId");
