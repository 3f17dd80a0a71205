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

-- Tokens go and are renamed with the link of their user.
CREATE FUNCTION "followLink"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM "FederatedToken" WHERE "userId" = OLD."userId" AND "identityProvider" = OLD."identityProvider";
    ELSE
        UPDATE "FederatedToken" SET "identityProvider" = NEW."identityProvider"
        WHERE "userId" = OLD."userId" AND "identityProvider" = OLD."identityProvider";
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "FederatedIdentity_removed" AFTER DELETE ON "FederatedIdentity" FOR EACH ROW
    EXECUTE FUNCTION "followLink"();
CREATE TRIGGER "FederatedIdentity_renamed" AFTER UPDATE OF "identityProvider" ON "FederatedIdentity" FOR EACH ROW
    WHEN (OLD."identityProvider" <> NEW."identityProvider") EXECUTE FUNCTION "followLink"();
