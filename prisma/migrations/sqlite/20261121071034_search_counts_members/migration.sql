-- CreateTable
CREATE TABLE "UserCount" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "realmId" TEXT NOT NULL,
    "users" INTEGER NOT NULL,
    "serviceAccounts" INTEGER NOT NULL
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_UserGroup" (
    "userId" TEXT NOT NULL,
    "groupId" TEXT NOT NULL,
    "username" TEXT NOT NULL,

    PRIMARY KEY ("userId", "groupId"),
    CONSTRAINT "UserGroup_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "UserGroup_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_UserGroup" ("groupId", "userId", "username") SELECT m."groupId", m."userId", u."username" FROM "UserGroup" m JOIN "User" u ON u."id" = m."userId";
DROP TABLE "UserGroup";
ALTER TABLE "new_UserGroup" RENAME TO "UserGroup";
CREATE UNIQUE INDEX "UserGroup_groupId_username_key" ON "UserGroup"("groupId", "username");
CREATE TABLE "new_UserRole" (
    "userId" TEXT NOT NULL,
    "roleId" TEXT NOT NULL,
    "username" TEXT NOT NULL,

    PRIMARY KEY ("userId", "roleId"),
    CONSTRAINT "UserRole_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "UserRole_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_UserRole" ("roleId", "userId", "username") SELECT m."roleId", m."userId", u."username" FROM "UserRole" m JOIN "User" u ON u."id" = m."userId";
DROP TABLE "UserRole";
ALTER TABLE "new_UserRole" RENAME TO "UserRole";
CREATE UNIQUE INDEX "UserRole_roleId_username_key" ON "UserRole"("roleId", "username");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE INDEX "UserCount_realmId_idx" ON "UserCount"("realmId");

-- What follows is written by hand: the schema language has no words for it.

-- The copies of a user's name in join tables follow the user.
CREATE TRIGGER "User_renamed" AFTER UPDATE OF "username" ON "User" WHEN old."username" <> new."username" BEGIN
    UPDATE "UserGroup" SET "username" = new."username" WHERE "userId" = new."id";
    UPDATE "UserRole" SET "username" = new."username" WHERE "userId" = new."id";
END;

-- One row for each realm: there is one writer at a time, so that nobody waits for it.
INSERT INTO "UserCount" ("realmId", "users", "serviceAccounts")
SELECT r."id", count(u."id") - count(u."serviceAccountClientId"), count(u."serviceAccountClientId")
FROM "Realm" r LEFT JOIN "User" u ON u."realmId" = r."id" GROUP BY r."id";
CREATE TRIGGER "Realm_counts" AFTER INSERT ON "Realm" BEGIN
    INSERT INTO "UserCount" ("realmId", "users", "serviceAccounts") VALUES (new."id", 0, 0);
END;
CREATE TRIGGER "Realm_uncounted" AFTER DELETE ON "Realm" BEGIN
    DELETE FROM "UserCount" WHERE "realmId" = old."id";
END;
CREATE TRIGGER "User_counted" AFTER INSERT ON "User" BEGIN
    UPDATE "UserCount" SET "users" = "users" + (new."serviceAccountClientId" IS NULL),
        "serviceAccounts" = "serviceAccounts" + (new."serviceAccountClientId" IS NOT NULL)
    WHERE "realmId" = new."realmId";
END;
CREATE TRIGGER "User_uncounted" AFTER DELETE ON "User" BEGIN
    UPDATE "UserCount" SET "users" = "users" - (old."serviceAccountClientId" IS NULL),
        "serviceAccounts" = "serviceAccounts" - (old."serviceAccountClientId" IS NOT NULL)
    WHERE "realmId" = old."realmId";
END;

-- The trigrams of the search column, by the rowid of the user. Indexing many rows at once costs a thirtieth of indexing
-- them one by one, so writes leave the rowid in the queue, and searches look at the queued rows besides the index.
CREATE VIRTUAL TABLE "UserSearch" USING fts5("search", content = '', contentless_delete = 1, tokenize = 'trigram');
CREATE TABLE "UserSearchQueue" ("user" INTEGER NOT NULL PRIMARY KEY);
INSERT INTO "UserSearchQueue" ("user") SELECT rowid FROM "User";
CREATE TRIGGER "User_searched" AFTER INSERT ON "User" BEGIN
    INSERT OR IGNORE INTO "UserSearchQueue" ("user") VALUES (new.rowid);
END;
CREATE TRIGGER "User_searched_anew" AFTER UPDATE OF "search" ON "User" WHEN old."search" <> new."search" BEGIN
    INSERT OR IGNORE INTO "UserSearchQueue" ("user") VALUES (new.rowid);
END;
CREATE TRIGGER "User_unsearched" AFTER DELETE ON "User" BEGIN
    INSERT OR IGNORE INTO "UserSearchQueue" ("user") VALUES (old.rowid);
END;
