-- CreateTable
CREATE TABLE "UserSession" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "sid" TEXT NOT NULL,
    "realmId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "offline" BOOLEAN NOT NULL DEFAULT false,
    "ipAddress" TEXT NOT NULL,
    "rememberMe" BOOLEAN NOT NULL DEFAULT false,
    "startedAt" INTEGER NOT NULL,
    "lastAccess" INTEGER NOT NULL,
    "notes" JSONB NOT NULL DEFAULT '{}',
    CONSTRAINT "UserSession_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "UserSession_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ClientSession" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "sessionId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "realmId" TEXT NOT NULL,
    "offline" BOOLEAN NOT NULL DEFAULT false,
    "startedAt" INTEGER NOT NULL,
    "lastAccess" INTEGER NOT NULL,
    "redirectUri" TEXT,
    "refreshToken" TEXT,
    "refreshUses" INTEGER NOT NULL DEFAULT 0,
    "notes" JSONB NOT NULL DEFAULT '{}',
    CONSTRAINT "ClientSession_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "UserSession" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ClientSession_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "LoginFailure" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "notBefore" INTEGER NOT NULL DEFAULT 0,
    "lastFailure" BIGINT NOT NULL DEFAULT 0,
    "lastAddress" TEXT,
    CONSTRAINT "LoginFailure_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "LoginEvent" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "time" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "clientId" TEXT,
    "userId" TEXT,
    "sessionId" TEXT,
    "ipAddress" TEXT,
    "error" TEXT,
    "details" JSONB NOT NULL DEFAULT '{}'
);

-- CreateTable
CREATE TABLE "OneTimeToken" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "payload" TEXT NOT NULL DEFAULT '',
    "expiresAt" INTEGER NOT NULL
);

-- CreateIndex
CREATE INDEX "UserSession_userId_offline_idx" ON "UserSession"("userId", "offline");

-- CreateIndex
CREATE INDEX "UserSession_realmId_offline_lastAccess_idx" ON "UserSession"("realmId", "offline", "lastAccess");

-- CreateIndex
CREATE UNIQUE INDEX "UserSession_sid_offline_key" ON "UserSession"("sid", "offline");

-- CreateIndex
CREATE INDEX "ClientSession_clientId_offline_idx" ON "ClientSession"("clientId", "offline");

-- CreateIndex
CREATE INDEX "ClientSession_realmId_offline_clientId_idx" ON "ClientSession"("realmId", "offline", "clientId");

-- CreateIndex
CREATE UNIQUE INDEX "ClientSession_sessionId_clientId_key" ON "ClientSession"("sessionId", "clientId");

-- CreateIndex
CREATE INDEX "LoginFailure_realmId_idx" ON "LoginFailure"("realmId");

-- CreateIndex
CREATE INDEX "LoginEvent_realmId_time_idx" ON "LoginEvent"("realmId", "time");

-- CreateIndex
CREATE INDEX "OneTimeToken_expiresAt_idx" ON "OneTimeToken"("expiresAt");
