-- Rows that join two realms, or two resource servers, mean nothing: they go.
DELETE FROM "ClientScopeAssignment" WHERE (SELECT "realmId" FROM "Client" WHERE "id" = "ClientScopeAssignment"."clientId") <> (SELECT "realmId" FROM "ClientScope" WHERE "id" = "ClientScopeAssignment"."clientScopeId");
DELETE FROM "ClientScopeMapping" WHERE (SELECT "realmId" FROM "Client" WHERE "id" = "ClientScopeMapping"."clientId") <> (SELECT "realmId" FROM "Role" WHERE "id" = "ClientScopeMapping"."roleId");
DELETE FROM "ClientScopeScopeMapping" WHERE (SELECT "realmId" FROM "ClientScope" WHERE "id" = "ClientScopeScopeMapping"."clientScopeId") <> (SELECT "realmId" FROM "Role" WHERE "id" = "ClientScopeScopeMapping"."roleId");
DELETE FROM "CompositeRole" WHERE (SELECT "realmId" FROM "Role" WHERE "id" = "CompositeRole"."parentId") <> (SELECT "realmId" FROM "Role" WHERE "id" = "CompositeRole"."childId");
DELETE FROM "GroupRole" WHERE (SELECT "realmId" FROM "Group" WHERE "id" = "GroupRole"."groupId") <> (SELECT "realmId" FROM "Role" WHERE "id" = "GroupRole"."roleId");
DELETE FROM "UserGroup" WHERE (SELECT "realmId" FROM "User" WHERE "id" = "UserGroup"."userId") <> (SELECT "realmId" FROM "Group" WHERE "id" = "UserGroup"."groupId");
DELETE FROM "UserRole" WHERE (SELECT "realmId" FROM "User" WHERE "id" = "UserRole"."userId") <> (SELECT "realmId" FROM "Role" WHERE "id" = "UserRole"."roleId");
DELETE FROM "UserConsent" WHERE (SELECT "realmId" FROM "User" WHERE "id" = "UserConsent"."userId") <> (SELECT "realmId" FROM "Client" WHERE "id" = "UserConsent"."clientId");
DELETE FROM "UserSession" WHERE "UserSession"."realmId" <> (SELECT "realmId" FROM "User" WHERE "id" = "UserSession"."userId");
DELETE FROM "ClientSession" WHERE "ClientSession"."realmId" <> (SELECT "realmId" FROM "UserSession" WHERE "id" = "ClientSession"."sessionId") OR "ClientSession"."realmId" <> (SELECT "realmId" FROM "Client" WHERE "id" = "ClientSession"."clientId");
DELETE FROM "LoginFailure" WHERE "LoginFailure"."realmId" <> (SELECT "realmId" FROM "User" WHERE "id" = "LoginFailure"."userId");
UPDATE "AuthenticationExecution" SET "configId" = NULL WHERE "AuthenticationExecution"."realmId" <> (SELECT "realmId" FROM "AuthenticatorConfig" WHERE "id" = "AuthenticationExecution"."configId");
DELETE FROM "AuthorizationResource" WHERE (SELECT "realmId" FROM "Client" WHERE "id" = "AuthorizationResource"."resourceServerId") <> (SELECT "realmId" FROM "User" WHERE "id" = "AuthorizationResource"."userId");
DELETE FROM "AuthorizationPolicy" WHERE (SELECT "realmId" FROM "Client" WHERE "id" = "AuthorizationPolicy"."resourceServerId") <> (SELECT "realmId" FROM "User" WHERE "id" = "AuthorizationPolicy"."ownerId");
DELETE FROM "AuthorizationResourceScope" WHERE (SELECT "resourceServerId" FROM "AuthorizationResource" WHERE "id" = "AuthorizationResourceScope"."resourceId") <> (SELECT "resourceServerId" FROM "AuthorizationScope" WHERE "id" = "AuthorizationResourceScope"."scopeId");
DELETE FROM "AuthorizationPolicyResource" WHERE (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = "AuthorizationPolicyResource"."policyId") <> (SELECT "resourceServerId" FROM "AuthorizationResource" WHERE "id" = "AuthorizationPolicyResource"."resourceId");
DELETE FROM "AuthorizationPolicyScope" WHERE (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = "AuthorizationPolicyScope"."policyId") <> (SELECT "resourceServerId" FROM "AuthorizationScope" WHERE "id" = "AuthorizationPolicyScope"."scopeId");
DELETE FROM "AuthorizationPolicyUse" WHERE (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = "AuthorizationPolicyUse"."policyId") <> (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = "AuthorizationPolicyUse"."associatedId");
DELETE FROM "PermissionTicket" WHERE "PermissionTicket"."resourceServerId" <> (SELECT "resourceServerId" FROM "AuthorizationResource" WHERE "id" = "PermissionTicket"."resourceId") OR "PermissionTicket"."resourceServerId" <> (SELECT "resourceServerId" FROM "AuthorizationScope" WHERE "id" = "PermissionTicket"."scopeId") OR (SELECT "realmId" FROM "Client" WHERE "id" = "PermissionTicket"."resourceServerId") <> (SELECT "realmId" FROM "User" WHERE "id" = "PermissionTicket"."requesterId");
DELETE FROM "AuthorizationPolicySubject" WHERE (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = "AuthorizationPolicySubject"."policyId") <> (SELECT "realmId" FROM "User" WHERE "id" = "AuthorizationPolicySubject"."userId") OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = "AuthorizationPolicySubject"."policyId") <> (SELECT "realmId" FROM "Role" WHERE "id" = "AuthorizationPolicySubject"."roleId") OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = "AuthorizationPolicySubject"."policyId") <> (SELECT "realmId" FROM "Group" WHERE "id" = "AuthorizationPolicySubject"."groupId") OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = "AuthorizationPolicySubject"."policyId") <> (SELECT "realmId" FROM "Client" WHERE "id" = "AuthorizationPolicySubject"."clientId") OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = "AuthorizationPolicySubject"."policyId") <> (SELECT "realmId" FROM "ClientScope" WHERE "id" = "AuthorizationPolicySubject"."clientScopeId");

-- From now on none is stored, and what rows refer to stays in its realm.
CREATE FUNCTION "realmOfUser"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "realmId" FROM "User" WHERE "id" = $1);
END $$;
CREATE FUNCTION "realmOfRole"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "realmId" FROM "Role" WHERE "id" = $1);
END $$;
CREATE FUNCTION "realmOfGroup"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "realmId" FROM "Group" WHERE "id" = $1);
END $$;
CREATE FUNCTION "realmOfClient"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "realmId" FROM "Client" WHERE "id" = $1);
END $$;
CREATE FUNCTION "realmOfClientScope"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "realmId" FROM "ClientScope" WHERE "id" = $1);
END $$;
CREATE FUNCTION "realmOfSession"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "realmId" FROM "UserSession" WHERE "id" = $1);
END $$;
CREATE FUNCTION "realmOfConfig"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "realmId" FROM "AuthenticatorConfig" WHERE "id" = $1);
END $$;
CREATE FUNCTION "serverOfPolicy"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = $1);
END $$;
CREATE FUNCTION "serverOfResource"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "resourceServerId" FROM "AuthorizationResource" WHERE "id" = $1);
END $$;
CREATE FUNCTION "serverOfScope"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT "resourceServerId" FROM "AuthorizationScope" WHERE "id" = $1);
END $$;
CREATE FUNCTION "realmOfPolicy"(TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT c."realmId" FROM "AuthorizationPolicy" p JOIN "Client" c ON c."id" = p."resourceServerId" WHERE p."id" = $1);
END $$;
CREATE FUNCTION "refuseJoin"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% joins two realms', TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
END $$;
CREATE TRIGGER "ClientScopeAssignment_joined" BEFORE INSERT OR UPDATE OF "clientId", "clientScopeId" ON "ClientScopeAssignment" FOR EACH ROW
    WHEN ("realmOfClient"(NEW."clientId") IS DISTINCT FROM "realmOfClientScope"(NEW."clientScopeId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "ClientScopeMapping_joined" BEFORE INSERT OR UPDATE OF "clientId", "roleId" ON "ClientScopeMapping" FOR EACH ROW
    WHEN ("realmOfClient"(NEW."clientId") IS DISTINCT FROM "realmOfRole"(NEW."roleId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "ClientScopeScopeMapping_joined" BEFORE INSERT OR UPDATE OF "clientScopeId", "roleId" ON "ClientScopeScopeMapping" FOR EACH ROW
    WHEN ("realmOfClientScope"(NEW."clientScopeId") IS DISTINCT FROM "realmOfRole"(NEW."roleId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "CompositeRole_joined" BEFORE INSERT OR UPDATE OF "parentId", "childId" ON "CompositeRole" FOR EACH ROW
    WHEN ("realmOfRole"(NEW."parentId") IS DISTINCT FROM "realmOfRole"(NEW."childId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "GroupRole_joined" BEFORE INSERT OR UPDATE OF "groupId", "roleId" ON "GroupRole" FOR EACH ROW
    WHEN ("realmOfGroup"(NEW."groupId") IS DISTINCT FROM "realmOfRole"(NEW."roleId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "UserGroup_joined" BEFORE INSERT OR UPDATE OF "userId", "groupId" ON "UserGroup" FOR EACH ROW
    WHEN ("realmOfUser"(NEW."userId") IS DISTINCT FROM "realmOfGroup"(NEW."groupId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "UserRole_joined" BEFORE INSERT OR UPDATE OF "userId", "roleId" ON "UserRole" FOR EACH ROW
    WHEN ("realmOfUser"(NEW."userId") IS DISTINCT FROM "realmOfRole"(NEW."roleId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "UserConsent_joined" BEFORE INSERT OR UPDATE OF "userId", "clientId" ON "UserConsent" FOR EACH ROW
    WHEN ("realmOfUser"(NEW."userId") IS DISTINCT FROM "realmOfClient"(NEW."clientId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "UserSession_joined" BEFORE INSERT OR UPDATE OF "realmId", "userId" ON "UserSession" FOR EACH ROW
    WHEN (NEW."realmId" IS DISTINCT FROM "realmOfUser"(NEW."userId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "ClientSession_joined" BEFORE INSERT OR UPDATE OF "realmId", "sessionId", "clientId" ON "ClientSession" FOR EACH ROW
    WHEN (NEW."realmId" IS DISTINCT FROM "realmOfSession"(NEW."sessionId")
        OR NEW."realmId" IS DISTINCT FROM "realmOfClient"(NEW."clientId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "LoginFailure_joined" BEFORE INSERT OR UPDATE OF "realmId", "userId" ON "LoginFailure" FOR EACH ROW
    WHEN (NEW."realmId" IS DISTINCT FROM "realmOfUser"(NEW."userId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "User_joined" BEFORE INSERT OR UPDATE OF "realmId", "serviceAccountClientId" ON "User" FOR EACH ROW
    WHEN (NEW."serviceAccountClientId" IS NOT NULL AND NEW."realmId" IS DISTINCT FROM "realmOfClient"(NEW."serviceAccountClientId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthenticationExecution_joined" BEFORE INSERT OR UPDATE OF "realmId", "configId" ON "AuthenticationExecution" FOR EACH ROW
    WHEN (NEW."configId" IS NOT NULL AND NEW."realmId" IS DISTINCT FROM "realmOfConfig"(NEW."configId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationResource_joined" BEFORE INSERT OR UPDATE OF "resourceServerId", "userId" ON "AuthorizationResource" FOR EACH ROW
    WHEN (NEW."userId" IS NOT NULL AND "realmOfClient"(NEW."resourceServerId") IS DISTINCT FROM "realmOfUser"(NEW."userId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationPolicy_joined" BEFORE INSERT OR UPDATE OF "resourceServerId", "ownerId" ON "AuthorizationPolicy" FOR EACH ROW
    WHEN (NEW."ownerId" IS NOT NULL AND "realmOfClient"(NEW."resourceServerId") IS DISTINCT FROM "realmOfUser"(NEW."ownerId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationResourceScope_joined" BEFORE INSERT OR UPDATE OF "resourceId", "scopeId" ON "AuthorizationResourceScope" FOR EACH ROW
    WHEN ("serverOfResource"(NEW."resourceId") IS DISTINCT FROM "serverOfScope"(NEW."scopeId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationPolicyResource_joined" BEFORE INSERT OR UPDATE OF "policyId", "resourceId" ON "AuthorizationPolicyResource" FOR EACH ROW
    WHEN ("serverOfPolicy"(NEW."policyId") IS DISTINCT FROM "serverOfResource"(NEW."resourceId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationPolicyScope_joined" BEFORE INSERT OR UPDATE OF "policyId", "scopeId" ON "AuthorizationPolicyScope" FOR EACH ROW
    WHEN ("serverOfPolicy"(NEW."policyId") IS DISTINCT FROM "serverOfScope"(NEW."scopeId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationPolicyUse_joined" BEFORE INSERT OR UPDATE OF "policyId", "associatedId" ON "AuthorizationPolicyUse" FOR EACH ROW
    WHEN ("serverOfPolicy"(NEW."policyId") IS DISTINCT FROM "serverOfPolicy"(NEW."associatedId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "PermissionTicket_joined" BEFORE INSERT OR UPDATE OF "resourceServerId", "resourceId", "scopeId", "requesterId" ON "PermissionTicket" FOR EACH ROW
    WHEN (NEW."resourceServerId" IS DISTINCT FROM "serverOfResource"(NEW."resourceId")
        OR NEW."scopeId" IS NOT NULL AND NEW."resourceServerId" IS DISTINCT FROM "serverOfScope"(NEW."scopeId")
        OR "realmOfClient"(NEW."resourceServerId") IS DISTINCT FROM "realmOfUser"(NEW."requesterId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationPolicySubject_joined" BEFORE INSERT OR UPDATE OF "policyId", "userId", "roleId", "groupId", "clientId", "clientScopeId" ON "AuthorizationPolicySubject" FOR EACH ROW
    WHEN (NEW."userId" IS NOT NULL AND "realmOfPolicy"(NEW."policyId") IS DISTINCT FROM "realmOfUser"(NEW."userId")
        OR NEW."roleId" IS NOT NULL AND "realmOfPolicy"(NEW."policyId") IS DISTINCT FROM "realmOfRole"(NEW."roleId")
        OR NEW."groupId" IS NOT NULL AND "realmOfPolicy"(NEW."policyId") IS DISTINCT FROM "realmOfGroup"(NEW."groupId")
        OR NEW."clientId" IS NOT NULL AND "realmOfPolicy"(NEW."policyId") IS DISTINCT FROM "realmOfClient"(NEW."clientId")
        OR NEW."clientScopeId" IS NOT NULL AND "realmOfPolicy"(NEW."policyId") IS DISTINCT FROM "realmOfClientScope"(NEW."clientScopeId"))
    EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "User_moved" BEFORE UPDATE OF "realmId" ON "User" FOR EACH ROW
    WHEN (OLD."realmId" <> NEW."realmId") EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "Client_moved" BEFORE UPDATE OF "realmId" ON "Client" FOR EACH ROW
    WHEN (OLD."realmId" <> NEW."realmId") EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "ClientScope_moved" BEFORE UPDATE OF "realmId" ON "ClientScope" FOR EACH ROW
    WHEN (OLD."realmId" <> NEW."realmId") EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "Role_moved" BEFORE UPDATE OF "realmId" ON "Role" FOR EACH ROW
    WHEN (OLD."realmId" <> NEW."realmId") EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "Group_moved" BEFORE UPDATE OF "realmId" ON "Group" FOR EACH ROW
    WHEN (OLD."realmId" <> NEW."realmId") EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthenticatorConfig_moved" BEFORE UPDATE OF "realmId" ON "AuthenticatorConfig" FOR EACH ROW
    WHEN (OLD."realmId" <> NEW."realmId") EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationScope_moved" BEFORE UPDATE OF "resourceServerId" ON "AuthorizationScope" FOR EACH ROW
    WHEN (OLD."resourceServerId" <> NEW."resourceServerId") EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationResource_moved" BEFORE UPDATE OF "resourceServerId" ON "AuthorizationResource" FOR EACH ROW
    WHEN (OLD."resourceServerId" <> NEW."resourceServerId") EXECUTE FUNCTION "refuseJoin"();
CREATE TRIGGER "AuthorizationPolicy_moved" BEFORE UPDATE OF "resourceServerId" ON "AuthorizationPolicy" FOR EACH ROW
    WHEN (OLD."resourceServerId" <> NEW."resourceServerId") EXECUTE FUNCTION "refuseJoin"();
