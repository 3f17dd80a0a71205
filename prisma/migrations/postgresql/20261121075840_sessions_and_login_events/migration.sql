-- CreateTable
CREATE TABLE "UserSession" (
    "id" TEXT COLLATE "C" NOT NULL,
    "sid" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "offline" BOOLEAN NOT NULL DEFAULT false,
    "ipAddress" TEXT COLLATE "C" NOT NULL,
    "rememberMe" BOOLEAN NOT NULL DEFAULT false,
    "startedAt" INTEGER NOT NULL,
    "lastAccess" INTEGER NOT NULL,
    "notes" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "UserSession_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ClientSession" (
    "id" TEXT COLLATE "C" NOT NULL,
    "sessionId" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "offline" BOOLEAN NOT NULL DEFAULT false,
    "startedAt" INTEGER NOT NULL,
    "lastAccess" INTEGER NOT NULL,
    "redirectUri" TEXT COLLATE "C",
    "refreshToken" TEXT COLLATE "C",
    "refreshUses" INTEGER NOT NULL DEFAULT 0,
    "notes" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "ClientSession_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LoginFailure" (
    "userId" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "notBefore" INTEGER NOT NULL DEFAULT 0,
    "lastFailure" BIGINT NOT NULL DEFAULT 0,
    "lastAddress" TEXT COLLATE "C",

    CONSTRAINT "LoginFailure_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "LoginEvent" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "time" BIGINT NOT NULL,
    "type" TEXT COLLATE "C" NOT NULL,
    "clientId" TEXT COLLATE "C",
    "userId" TEXT COLLATE "C",
    "sessionId" TEXT COLLATE "C",
    "ipAddress" TEXT COLLATE "C",
    "error" TEXT COLLATE "C",
    "details" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "LoginEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OneTimeToken" (
    "id" TEXT COLLATE "C" NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "purpose" TEXT COLLATE "C" NOT NULL,
    "payload" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "expiresAt" INTEGER NOT NULL,

    CONSTRAINT "OneTimeToken_pkey" PRIMARY KEY ("id")
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

-- AddForeignKey
ALTER TABLE "UserSession" ADD CONSTRAINT "UserSession_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UserSession" ADD CONSTRAINT "UserSession_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClientSession" ADD CONSTRAINT "ClientSession_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "UserSession"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClientSession" ADD CONSTRAINT "ClientSession_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LoginFailure" ADD CONSTRAINT "LoginFailure_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
