-- CreateTable
CREATE TABLE "Webhook" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "previousSecret" TEXT,
    "previousSecretUntil" BIGINT NOT NULL DEFAULT 0,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "loginEventTypes" JSONB NOT NULL,
    "resourceTypes" JSONB NOT NULL,
    "position" BIGINT NOT NULL,
    "positionTime" BIGINT NOT NULL DEFAULT 0,
    "positionId" TEXT NOT NULL DEFAULT '',
    "failures" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" BIGINT NOT NULL DEFAULT 0,
    "disabledReason" TEXT,
    "leaseOwner" TEXT,
    "leaseUntil" BIGINT NOT NULL DEFAULT 0,
    "createdAt" BIGINT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "Webhook_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "webhookId" TEXT NOT NULL,
    "eventId" TEXT NOT NULL,
    "eventType" TEXT NOT NULL,
    "succeeded" BOOLEAN NOT NULL,
    "responseStatus" INTEGER,
    "error" TEXT,
    "duration" INTEGER NOT NULL,
    "at" BIGINT NOT NULL,
    CONSTRAINT "WebhookDelivery_webhookId_fkey" FOREIGN KEY ("webhookId") REFERENCES "Webhook" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_LoginEvent" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "time" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "clientId" TEXT,
    "userId" TEXT,
    "sessionId" TEXT,
    "ipAddress" TEXT,
    "error" TEXT,
    "details" JSONB NOT NULL DEFAULT '{}',
    "position" BIGINT NOT NULL DEFAULT 0
);
INSERT INTO "new_LoginEvent" ("clientId", "details", "error", "id", "ipAddress", "realmId", "sessionId", "time", "type", "userId") SELECT "clientId", "details", "error", "id", "ipAddress", "realmId", "sessionId", "time", "type", "userId" FROM "LoginEvent";
DROP TABLE "LoginEvent";
ALTER TABLE "new_LoginEvent" RENAME TO "LoginEvent";
CREATE INDEX "LoginEvent_realmId_time_idx" ON "LoginEvent"("realmId", "time");
CREATE INDEX "LoginEvent_realmId_position_idx" ON "LoginEvent"("realmId", "position");
CREATE TABLE "new_AdminEvent" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "time" BIGINT NOT NULL,
    "operation" TEXT NOT NULL,
    "operationType" TEXT NOT NULL,
    "resourceType" TEXT NOT NULL,
    "resourcePath" TEXT NOT NULL,
    "authRealmId" TEXT,
    "authClientId" TEXT,
    "authUserId" TEXT,
    "authIpAddress" TEXT,
    "representation" TEXT,
    "before" TEXT,
    "listed" BOOLEAN NOT NULL DEFAULT false,
    "position" BIGINT NOT NULL DEFAULT 0
);
INSERT INTO "new_AdminEvent" ("authClientId", "authIpAddress", "authRealmId", "authUserId", "before", "id", "listed", "operation", "operationType", "realmId", "representation", "resourcePath", "resourceType", "time") SELECT "authClientId", "authIpAddress", "authRealmId", "authUserId", "before", "id", "listed", "operation", "operationType", "realmId", "representation", "resourcePath", "resourceType", "time" FROM "AdminEvent";
DROP TABLE "AdminEvent";
ALTER TABLE "new_AdminEvent" RENAME TO "AdminEvent";
CREATE INDEX "AdminEvent_realmId_time_idx" ON "AdminEvent"("realmId", "time");
CREATE INDEX "AdminEvent_realmId_position_idx" ON "AdminEvent"("realmId", "position");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE INDEX "Webhook_realmId_name_idx" ON "Webhook"("realmId", "name");

-- CreateIndex
CREATE INDEX "WebhookDelivery_webhookId_at_idx" ON "WebhookDelivery"("webhookId", "at");

-- Numbers all events in the order in which they are stored, which with one writer is that in which they are committed.
-- The number of an event that is gone is never given again.
CREATE TABLE "EventPosition" ("last" BIGINT NOT NULL);
INSERT INTO "EventPosition" ("last") VALUES (0);
CREATE TRIGGER "LoginEvent_position" AFTER INSERT ON "LoginEvent" BEGIN
    UPDATE "EventPosition" SET "last" = "last" + 1;
    UPDATE "LoginEvent" SET "position" = (SELECT "last" FROM "EventPosition") WHERE rowid = new.rowid;
END;
CREATE TRIGGER "AdminEvent_position" AFTER INSERT ON "AdminEvent" BEGIN
    UPDATE "EventPosition" SET "last" = "last" + 1;
    UPDATE "AdminEvent" SET "position" = (SELECT "last" FROM "EventPosition") WHERE rowid = new.rowid;
END;
