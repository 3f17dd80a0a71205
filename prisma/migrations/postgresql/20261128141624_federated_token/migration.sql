-- CreateTable
CREATE TABLE "FederatedToken" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "identityProvider" TEXT COLLATE "C" NOT NULL,
    "token" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "FederatedToken_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "FederatedToken_userId_identityProvider_key" ON "FederatedToken"("userId", "identityProvider");

-- AddForeignKey
ALTER TABLE "FederatedToken" ADD CONSTRAINT "FederatedToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "FederatedToken" ADD CONSTRAINT "FederatedToken_userId_identityProvider_fkey" FOREIGN KEY ("userId", "identityProvider") REFERENCES "FederatedIdentity"("userId", "identityProvider") ON DELETE CASCADE ON UPDATE CASCADE;
