-- AlterTable
ALTER TABLE "AuthenticationFlow" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "AuthenticatorConfig" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "RequiredAction" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 0;
