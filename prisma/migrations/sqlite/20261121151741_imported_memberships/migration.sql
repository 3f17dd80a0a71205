-- AlterTable
ALTER TABLE "UserGroup" ADD COLUMN "imported" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "UserRole" ADD COLUMN "imported" BOOLEAN NOT NULL DEFAULT false;

-- until now, all that users of directories had was taken for the directory's
UPDATE "UserGroup" SET "imported" = true WHERE "userId" IN (SELECT "id" FROM "User" WHERE "federationLink" IS NOT NULL);
UPDATE "UserRole" SET "imported" = true WHERE "userId" IN (SELECT "id" FROM "User" WHERE "federationLink" IS NOT NULL);
