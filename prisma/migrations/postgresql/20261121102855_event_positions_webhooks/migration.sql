-- AlterTable
ALTER TABLE "LoginEvent" ADD COLUMN     "position" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "AdminEvent" ADD COLUMN     "position" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "Webhook" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "url" TEXT COLLATE "C" NOT NULL,
    "secret" TEXT COLLATE "C" NOT NULL,
    "previousSecret" TEXT COLLATE "C",
    "previousSecretUntil" BIGINT NOT NULL DEFAULT 0,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "loginEventTypes" JSONB NOT NULL,
    "resourceTypes" JSONB NOT NULL,
    "position" BIGINT NOT NULL,
    "positionTime" BIGINT NOT NULL DEFAULT 0,
    "positionId" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "failures" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" BIGINT NOT NULL DEFAULT 0,
    "disabledReason" TEXT COLLATE "C",
    "leaseOwner" TEXT COLLATE "C",
    "leaseUntil" BIGINT NOT NULL DEFAULT 0,
    "createdAt" BIGINT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" TEXT COLLATE "C" NOT NULL,
    "webhookId" TEXT COLLATE "C" NOT NULL,
    "eventId" TEXT COLLATE "C" NOT NULL,
    "eventType" TEXT COLLATE "C" NOT NULL,
    "succeeded" BOOLEAN NOT NULL,
    "responseStatus" INTEGER,
    "error" TEXT COLLATE "C",
    "duration" INTEGER NOT NULL,
    "at" BIGINT NOT NULL,

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Webhook_realmId_name_idx" ON "Webhook"("realmId", "name");

-- CreateIndex
CREATE INDEX "WebhookDelivery_webhookId_at_idx" ON "WebhookDelivery"("webhookId", "at");

-- CreateIndex
CREATE INDEX "LoginEvent_realmId_position_idx" ON "LoginEvent"("realmId", "position");

-- CreateIndex
CREATE INDEX "AdminEvent_realmId_position_idx" ON "AdminEvent"("realmId", "position");

-- AddForeignKey
ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_webhookId_fkey" FOREIGN KEY ("webhookId") REFERENCES "Webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Events are ordered by the transaction that stored them: which ones are still under way is known, so that a reader can
-- stop before them. That is true of no clock and of no sequence. "shift" is not 0 in a database that was restored into
-- another cluster, where transactions are counted anew.
CREATE TABLE "EventPosition" ("shift" BIGINT NOT NULL);
INSERT INTO "EventPosition" ("shift") VALUES (0);
CREATE FUNCTION "eventPosition"() RETURNS BIGINT LANGUAGE sql VOLATILE AS
    'SELECT "pg_current_xact_id"()::text::bigint + "shift" FROM "EventPosition"';
ALTER TABLE "LoginEvent" ALTER COLUMN "position" SET DEFAULT "eventPosition"();
ALTER TABLE "AdminEvent" ALTER COLUMN "position" SET DEFAULT "eventPosition"();
