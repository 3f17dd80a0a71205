-- DropIndex
DROP INDEX "ProtocolMapper_container_name_key";

-- CreateIndex
CREATE UNIQUE INDEX "ProtocolMapper_container_protocol_name_key" ON "ProtocolMapper"("container", "protocol", "name");
