-- AlterTable
ALTER TABLE "AuthenticationFlow" ADD COLUMN     "position" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "IdentityProvider" ADD COLUMN     "position" INTEGER NOT NULL DEFAULT 0;
