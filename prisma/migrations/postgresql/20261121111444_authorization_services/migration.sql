-- DropForeignKey
ALTER TABLE "ManagementPermission" DROP CONSTRAINT "ManagementPermission_realmId_fkey";

-- AlterTable
ALTER TABLE "Client" DROP COLUMN "authorizationSettings";

-- DropTable
DROP TABLE "ManagementPermission";

-- CreateTable
CREATE TABLE "ResourceServer" (
    "id" TEXT COLLATE "C" NOT NULL,
    "allowRemoteResourceManagement" BOOLEAN NOT NULL DEFAULT true,
    "policyEnforcementMode" TEXT COLLATE "C" NOT NULL DEFAULT 'ENFORCING',
    "decisionStrategy" TEXT COLLATE "C" NOT NULL DEFAULT 'UNANIMOUS',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "ResourceServer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthorizationScope" (
    "id" TEXT COLLATE "C" NOT NULL,
    "resourceServerId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "displayName" TEXT COLLATE "C",
    "iconUri" TEXT COLLATE "C",
    "search" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "AuthorizationScope_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthorizationResource" (
    "id" TEXT COLLATE "C" NOT NULL,
    "resourceServerId" TEXT COLLATE "C" NOT NULL,
    "ownerId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C",
    "name" TEXT COLLATE "C" NOT NULL,
    "displayName" TEXT COLLATE "C",
    "type" TEXT COLLATE "C",
    "iconUri" TEXT COLLATE "C",
    "ownerManagedAccess" BOOLEAN NOT NULL DEFAULT false,
    "attributes" JSONB NOT NULL DEFAULT '{}',
    "search" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "AuthorizationResource_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthorizationResourceUri" (
    "resourceId" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuthorizationResourceUri_pkey" PRIMARY KEY ("resourceId","value")
);

-- CreateTable
CREATE TABLE "AuthorizationResourceScope" (
    "resourceId" TEXT COLLATE "C" NOT NULL,
    "scopeId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuthorizationResourceScope_pkey" PRIMARY KEY ("resourceId","scopeId")
);

-- CreateTable
CREATE TABLE "AuthorizationPolicy" (
    "id" TEXT COLLATE "C" NOT NULL,
    "resourceServerId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C",
    "type" TEXT COLLATE "C" NOT NULL,
    "logic" TEXT COLLATE "C" NOT NULL DEFAULT 'POSITIVE',
    "decisionStrategy" TEXT COLLATE "C" NOT NULL DEFAULT 'UNANIMOUS',
    "resourceType" TEXT COLLATE "C",
    "ownerId" TEXT COLLATE "C",
    "config" JSONB NOT NULL DEFAULT '{}',
    "search" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "AuthorizationPolicy_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthorizationPolicyResource" (
    "policyId" TEXT COLLATE "C" NOT NULL,
    "resourceId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuthorizationPolicyResource_pkey" PRIMARY KEY ("policyId","resourceId")
);

-- CreateTable
CREATE TABLE "AuthorizationPolicyScope" (
    "policyId" TEXT COLLATE "C" NOT NULL,
    "scopeId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuthorizationPolicyScope_pkey" PRIMARY KEY ("policyId","scopeId")
);

-- CreateTable
CREATE TABLE "AuthorizationPolicyUse" (
    "policyId" TEXT COLLATE "C" NOT NULL,
    "associatedId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuthorizationPolicyUse_pkey" PRIMARY KEY ("policyId","associatedId")
);

-- CreateTable
CREATE TABLE "AuthorizationPolicySubject" (
    "policyId" TEXT COLLATE "C" NOT NULL,
    "subjectId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C",
    "roleId" TEXT COLLATE "C",
    "groupId" TEXT COLLATE "C",
    "clientId" TEXT COLLATE "C",
    "clientScopeId" TEXT COLLATE "C",
    "strong" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "AuthorizationPolicySubject_pkey" PRIMARY KEY ("policyId","subjectId")
);

-- CreateTable
CREATE TABLE "PermissionTicket" (
    "id" TEXT COLLATE "C" NOT NULL,
    "resourceServerId" TEXT COLLATE "C" NOT NULL,
    "resourceId" TEXT COLLATE "C" NOT NULL,
    "scopeId" TEXT COLLATE "C",
    "ownerId" TEXT COLLATE "C" NOT NULL,
    "requesterId" TEXT COLLATE "C" NOT NULL,
    "createdTimestamp" BIGINT NOT NULL,
    "grantedTimestamp" BIGINT,

    CONSTRAINT "PermissionTicket_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "AuthorizationScope_resourceServerId_name_key" ON "AuthorizationScope"("resourceServerId", "name");

-- CreateIndex
CREATE INDEX "AuthorizationResource_resourceServerId_name_idx" ON "AuthorizationResource"("resourceServerId", "name");

-- CreateIndex
CREATE INDEX "AuthorizationResource_resourceServerId_type_idx" ON "AuthorizationResource"("resourceServerId", "type");

-- CreateIndex
CREATE INDEX "AuthorizationResource_userId_idx" ON "AuthorizationResource"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "AuthorizationResource_resourceServerId_ownerId_name_key" ON "AuthorizationResource"("resourceServerId", "ownerId", "name");

-- CreateIndex
CREATE INDEX "AuthorizationResourceUri_value_idx" ON "AuthorizationResourceUri"("value");

-- CreateIndex
CREATE INDEX "AuthorizationResourceScope_scopeId_idx" ON "AuthorizationResourceScope"("scopeId");

-- CreateIndex
CREATE INDEX "AuthorizationPolicy_resourceServerId_resourceType_idx" ON "AuthorizationPolicy"("resourceServerId", "resourceType");

-- CreateIndex
CREATE INDEX "AuthorizationPolicy_ownerId_idx" ON "AuthorizationPolicy"("ownerId");

-- CreateIndex
CREATE UNIQUE INDEX "AuthorizationPolicy_resourceServerId_name_key" ON "AuthorizationPolicy"("resourceServerId", "name");

-- CreateIndex
CREATE INDEX "AuthorizationPolicyResource_resourceId_idx" ON "AuthorizationPolicyResource"("resourceId");

-- CreateIndex
CREATE INDEX "AuthorizationPolicyScope_scopeId_idx" ON "AuthorizationPolicyScope"("scopeId");

-- CreateIndex
CREATE INDEX "AuthorizationPolicyUse_associatedId_idx" ON "AuthorizationPolicyUse"("associatedId");

-- CreateIndex
CREATE INDEX "AuthorizationPolicySubject_userId_idx" ON "AuthorizationPolicySubject"("userId");

-- CreateIndex
CREATE INDEX "AuthorizationPolicySubject_roleId_idx" ON "AuthorizationPolicySubject"("roleId");

-- CreateIndex
CREATE INDEX "AuthorizationPolicySubject_groupId_idx" ON "AuthorizationPolicySubject"("groupId");

-- CreateIndex
CREATE INDEX "AuthorizationPolicySubject_clientId_idx" ON "AuthorizationPolicySubject"("clientId");

-- CreateIndex
CREATE INDEX "AuthorizationPolicySubject_clientScopeId_idx" ON "AuthorizationPolicySubject"("clientScopeId");

-- CreateIndex
CREATE INDEX "PermissionTicket_resourceServerId_idx" ON "PermissionTicket"("resourceServerId");

-- CreateIndex
CREATE INDEX "PermissionTicket_scopeId_idx" ON "PermissionTicket"("scopeId");

-- CreateIndex
CREATE INDEX "PermissionTicket_requesterId_idx" ON "PermissionTicket"("requesterId");

-- CreateIndex
CREATE UNIQUE INDEX "PermissionTicket_resourceId_requesterId_scopeId_key" ON "PermissionTicket"("resourceId", "requesterId", "scopeId");

-- AddForeignKey
ALTER TABLE "ResourceServer" ADD CONSTRAINT "ResourceServer_id_fkey" FOREIGN KEY ("id") REFERENCES "Client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationScope" ADD CONSTRAINT "AuthorizationScope_resourceServerId_fkey" FOREIGN KEY ("resourceServerId") REFERENCES "ResourceServer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationResource" ADD CONSTRAINT "AuthorizationResource_resourceServerId_fkey" FOREIGN KEY ("resourceServerId") REFERENCES "ResourceServer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationResource" ADD CONSTRAINT "AuthorizationResource_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationResourceUri" ADD CONSTRAINT "AuthorizationResourceUri_resourceId_fkey" FOREIGN KEY ("resourceId") REFERENCES "AuthorizationResource"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationResourceScope" ADD CONSTRAINT "AuthorizationResourceScope_resourceId_fkey" FOREIGN KEY ("resourceId") REFERENCES "AuthorizationResource"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationResourceScope" ADD CONSTRAINT "AuthorizationResourceScope_scopeId_fkey" FOREIGN KEY ("scopeId") REFERENCES "AuthorizationScope"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicy" ADD CONSTRAINT "AuthorizationPolicy_resourceServerId_fkey" FOREIGN KEY ("resourceServerId") REFERENCES "ResourceServer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicy" ADD CONSTRAINT "AuthorizationPolicy_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicyResource" ADD CONSTRAINT "AuthorizationPolicyResource_policyId_fkey" FOREIGN KEY ("policyId") REFERENCES "AuthorizationPolicy"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicyResource" ADD CONSTRAINT "AuthorizationPolicyResource_resourceId_fkey" FOREIGN KEY ("resourceId") REFERENCES "AuthorizationResource"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicyScope" ADD CONSTRAINT "AuthorizationPolicyScope_policyId_fkey" FOREIGN KEY ("policyId") REFERENCES "AuthorizationPolicy"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicyScope" ADD CONSTRAINT "AuthorizationPolicyScope_scopeId_fkey" FOREIGN KEY ("scopeId") REFERENCES "AuthorizationScope"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicyUse" ADD CONSTRAINT "AuthorizationPolicyUse_policyId_fkey" FOREIGN KEY ("policyId") REFERENCES "AuthorizationPolicy"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicyUse" ADD CONSTRAINT "AuthorizationPolicyUse_associatedId_fkey" FOREIGN KEY ("associatedId") REFERENCES "AuthorizationPolicy"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicySubject" ADD CONSTRAINT "AuthorizationPolicySubject_policyId_fkey" FOREIGN KEY ("policyId") REFERENCES "AuthorizationPolicy"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicySubject" ADD CONSTRAINT "AuthorizationPolicySubject_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicySubject" ADD CONSTRAINT "AuthorizationPolicySubject_roleId_fkey" FOREIGN KEY ("roleId") REFERENCES "Role"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicySubject" ADD CONSTRAINT "AuthorizationPolicySubject_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "Group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicySubject" ADD CONSTRAINT "AuthorizationPolicySubject_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthorizationPolicySubject" ADD CONSTRAINT "AuthorizationPolicySubject_clientScopeId_fkey" FOREIGN KEY ("clientScopeId") REFERENCES "ClientScope"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PermissionTicket" ADD CONSTRAINT "PermissionTicket_resourceServerId_fkey" FOREIGN KEY ("resourceServerId") REFERENCES "ResourceServer"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PermissionTicket" ADD CONSTRAINT "PermissionTicket_resourceId_fkey" FOREIGN KEY ("resourceId") REFERENCES "AuthorizationResource"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PermissionTicket" ADD CONSTRAINT "PermissionTicket_scopeId_fkey" FOREIGN KEY ("scopeId") REFERENCES "AuthorizationScope"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PermissionTicket" ADD CONSTRAINT "PermissionTicket_requesterId_fkey" FOREIGN KEY ("requesterId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Clients that have authorization services start with an empty resource server.
INSERT INTO "ResourceServer" ("id") SELECT "id" FROM "Client" WHERE "authorizationServicesEnabled";
