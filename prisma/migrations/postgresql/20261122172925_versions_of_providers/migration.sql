-- AlterTable
ALTER TABLE "ClientInitialAccess" DROP COLUMN "version";

-- AlterTable
ALTER TABLE "Component" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "IdentityProvider" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "IdentityProviderMapper" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 0;
