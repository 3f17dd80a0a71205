-- CreateIndex
CREATE INDEX "GroupAttribute_name_idx" ON "GroupAttribute"("name");
