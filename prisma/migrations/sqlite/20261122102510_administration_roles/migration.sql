-- CreateTable
CREATE TABLE "AdministrationRole" (
    "roleId" TEXT NOT NULL PRIMARY KEY,
    "realmId" TEXT NOT NULL,
    "right" TEXT NOT NULL,
    CONSTRAINT "AdministrationRole_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "AdministrationRole_realmId_fkey" FOREIGN KEY ("realmId") REFERENCES "Realm" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "AdministrationRole_realmId_idx" ON "AdministrationRole"("realmId");

-- The roles that administered by their names until now
INSERT INTO "AdministrationRole" ("roleId", "realmId", "right")
SELECT r."id", m."id", r."name" FROM "Realm" m JOIN "Role" r ON r."clientId" = m."adminClientId"
 WHERE r."name" IN ('create-client', 'impersonation', 'manage-authorization', 'manage-clients', 'manage-events', 'manage-identity-providers',
   'manage-realm', 'manage-users', 'query-clients', 'query-groups', 'query-realms', 'query-users', 'view-authorization', 'view-clients',
   'view-events', 'view-identity-providers', 'view-realm', 'view-users');

INSERT INTO "AdministrationRole" ("roleId", "realmId", "right")
SELECT r."id", c."realmId", r."name" FROM "Client" c JOIN "Realm" m ON m."id" = c."realmId" JOIN "Role" r ON r."clientId" = c."id"
 WHERE c."clientId" = 'realm-management' AND m."name" <> 'master'
   AND r."name" IN ('create-client', 'impersonation', 'manage-authorization', 'manage-clients', 'manage-events', 'manage-identity-providers',
   'manage-realm', 'manage-users', 'query-clients', 'query-groups', 'query-realms', 'query-users', 'view-authorization', 'view-clients',
   'view-events', 'view-identity-providers', 'view-realm', 'view-users', 'realm-admin');

INSERT INTO "AdministrationRole" ("roleId", "realmId", "right")
SELECT r."id", m."id", r."name" FROM "Realm" m JOIN "Role" r ON r."realmId" = m."id"
 WHERE m."name" = 'master' AND r."clientId" IS NULL AND r."name" IN ('admin', 'create-realm');
