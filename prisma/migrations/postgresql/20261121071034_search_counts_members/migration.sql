-- DropIndex
DROP INDEX "UserGroup_groupId_idx";

-- DropIndex
DROP INDEX "UserRole_roleId_idx";

-- AlterTable
ALTER TABLE "UserGroup" ADD COLUMN "username" TEXT COLLATE "C";
UPDATE "UserGroup" m SET "username" = u."username" FROM "User" u WHERE u."id" = m."userId";
ALTER TABLE "UserGroup" ALTER COLUMN "username" SET NOT NULL;

-- AlterTable
ALTER TABLE "UserRole" ADD COLUMN "username" TEXT COLLATE "C";
UPDATE "UserRole" m SET "username" = u."username" FROM "User" u WHERE u."id" = m."userId";
ALTER TABLE "UserRole" ALTER COLUMN "username" SET NOT NULL;

-- CreateTable
CREATE TABLE "UserCount" (
    "id" SERIAL NOT NULL,
    "realmId" TEXT COLLATE "C" NOT NULL,
    "users" INTEGER NOT NULL,
    "serviceAccounts" INTEGER NOT NULL,

    CONSTRAINT "UserCount_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "UserCount_realmId_idx" ON "UserCount"("realmId");

-- CreateIndex
CREATE UNIQUE INDEX "UserGroup_groupId_username_key" ON "UserGroup"("groupId", "username");

-- CreateIndex
CREATE UNIQUE INDEX "UserRole_roleId_username_key" ON "UserRole"("roleId", "username");

-- What follows is written by hand: the schema language has no words for it.

-- The copies of a user's name in join tables follow the user.
CREATE FUNCTION "renameUser"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "UserGroup" SET "username" = NEW."username" WHERE "userId" = NEW."id";
    UPDATE "UserRole" SET "username" = NEW."username" WHERE "userId" = NEW."id";
    RETURN NULL;
END $$;
CREATE TRIGGER "User_renamed" AFTER UPDATE OF "username" ON "User" FOR EACH ROW
    WHEN (OLD."username" <> NEW."username") EXECUTE FUNCTION "renameUser"();

-- Each statement adds a row with the difference that it makes, so that writers do not queue for a common row.
INSERT INTO "UserCount" ("realmId", "users", "serviceAccounts")
SELECT "realmId", count(*) - count("serviceAccountClientId"), count("serviceAccountClientId") FROM "User" GROUP BY "realmId";
CREATE FUNCTION "countUsers"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    INSERT INTO "UserCount" ("realmId", "users", "serviceAccounts")
    SELECT "realmId", sign * (count(*) - count("serviceAccountClientId")), sign * count("serviceAccountClientId")
    FROM changed GROUP BY "realmId";
    RETURN NULL;
END $$;
CREATE TRIGGER "User_counted" AFTER INSERT ON "User" REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION "countUsers"();
CREATE TRIGGER "User_uncounted" AFTER DELETE ON "User" REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION "countUsers"();

-- Trigrams for searches within names. The extension comes with PostgreSQL, in a package of its own on some systems;
-- without it all is the same, but searches read all users of the realm. Searches read the list of what is not in the
-- index yet from end to end, so it is kept short (kilobytes).
DO $$
BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE INDEX "User_search_idx" ON "User" USING gin ("search" gin_trgm_ops) WITH (gin_pending_list_limit = 128);
EXCEPTION WHEN OTHERS THEN
    RAISE NOTICE 'There is no trigram index for searches: %', SQLERRM;
END $$;
