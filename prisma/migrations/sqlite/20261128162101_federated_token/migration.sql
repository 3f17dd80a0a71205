-- CreateTable
CREATE TABLE "FederatedToken" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "identityProvider" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    CONSTRAINT "FederatedToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "FederatedToken_userId_identityProvider_key" ON "FederatedToken"("userId", "identityProvider");

-- Tokens go and are renamed with the link of their user.
CREATE TRIGGER "FederatedIdentity_removed" AFTER DELETE ON "FederatedIdentity" BEGIN
    DELETE FROM "FederatedToken" WHERE "userId" = old."userId" AND "identityProvider" = old."identityProvider";
END;
CREATE TRIGGER "FederatedIdentity_renamed" AFTER UPDATE OF "identityProvider" ON "FederatedIdentity"
WHEN old."identityProvider" <> new."identityProvider" BEGIN
    UPDATE "FederatedToken" SET "identityProvider" = new."identityProvider"
    WHERE "userId" = old."userId" AND "identityProvider" = old."identityProvider";
END;
