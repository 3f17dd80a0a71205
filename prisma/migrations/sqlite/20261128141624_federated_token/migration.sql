-- CreateTable
CREATE TABLE "FederatedToken" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "identityProvider" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    CONSTRAINT "FederatedToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "FederatedToken_userId_identityProvider_fkey" FOREIGN KEY ("userId", "identityProvider") REFERENCES "FederatedIdentity" ("userId", "identityProvider") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "FederatedToken_userId_identityProvider_key" ON "FederatedToken"("userId", "identityProvider");
