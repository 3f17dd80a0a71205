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
CREATE TRIGGER "ClientScopeAssignment_joined" BEFORE INSERT ON "ClientScopeAssignment"
    WHEN (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId") <> (SELECT "realmId" FROM "ClientScope" WHERE "id" = new."clientScopeId") BEGIN
    SELECT RAISE(ABORT, 'ClientScopeAssignment joins two realms');
END;
CREATE TRIGGER "ClientScopeAssignment_rejoined" BEFORE UPDATE OF "clientId", "clientScopeId" ON "ClientScopeAssignment"
    WHEN (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId") <> (SELECT "realmId" FROM "ClientScope" WHERE "id" = new."clientScopeId") BEGIN
    SELECT RAISE(ABORT, 'ClientScopeAssignment joins two realms');
END;
CREATE TRIGGER "ClientScopeMapping_joined" BEFORE INSERT ON "ClientScopeMapping"
    WHEN (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId") BEGIN
    SELECT RAISE(ABORT, 'ClientScopeMapping joins two realms');
END;
CREATE TRIGGER "ClientScopeMapping_rejoined" BEFORE UPDATE OF "clientId", "roleId" ON "ClientScopeMapping"
    WHEN (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId") BEGIN
    SELECT RAISE(ABORT, 'ClientScopeMapping joins two realms');
END;
CREATE TRIGGER "ClientScopeScopeMapping_joined" BEFORE INSERT ON "ClientScopeScopeMapping"
    WHEN (SELECT "realmId" FROM "ClientScope" WHERE "id" = new."clientScopeId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId") BEGIN
    SELECT RAISE(ABORT, 'ClientScopeScopeMapping joins two realms');
END;
CREATE TRIGGER "ClientScopeScopeMapping_rejoined" BEFORE UPDATE OF "clientScopeId", "roleId" ON "ClientScopeScopeMapping"
    WHEN (SELECT "realmId" FROM "ClientScope" WHERE "id" = new."clientScopeId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId") BEGIN
    SELECT RAISE(ABORT, 'ClientScopeScopeMapping joins two realms');
END;
CREATE TRIGGER "CompositeRole_joined" BEFORE INSERT ON "CompositeRole"
    WHEN (SELECT "realmId" FROM "Role" WHERE "id" = new."parentId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."childId") BEGIN
    SELECT RAISE(ABORT, 'CompositeRole joins two realms');
END;
CREATE TRIGGER "CompositeRole_rejoined" BEFORE UPDATE OF "parentId", "childId" ON "CompositeRole"
    WHEN (SELECT "realmId" FROM "Role" WHERE "id" = new."parentId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."childId") BEGIN
    SELECT RAISE(ABORT, 'CompositeRole joins two realms');
END;
CREATE TRIGGER "GroupRole_joined" BEFORE INSERT ON "GroupRole"
    WHEN (SELECT "realmId" FROM "Group" WHERE "id" = new."groupId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId") BEGIN
    SELECT RAISE(ABORT, 'GroupRole joins two realms');
END;
CREATE TRIGGER "GroupRole_rejoined" BEFORE UPDATE OF "groupId", "roleId" ON "GroupRole"
    WHEN (SELECT "realmId" FROM "Group" WHERE "id" = new."groupId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId") BEGIN
    SELECT RAISE(ABORT, 'GroupRole joins two realms');
END;
CREATE TRIGGER "UserGroup_joined" BEFORE INSERT ON "UserGroup"
    WHEN (SELECT "realmId" FROM "User" WHERE "id" = new."userId") <> (SELECT "realmId" FROM "Group" WHERE "id" = new."groupId") BEGIN
    SELECT RAISE(ABORT, 'UserGroup joins two realms');
END;
CREATE TRIGGER "UserGroup_rejoined" BEFORE UPDATE OF "userId", "groupId" ON "UserGroup"
    WHEN (SELECT "realmId" FROM "User" WHERE "id" = new."userId") <> (SELECT "realmId" FROM "Group" WHERE "id" = new."groupId") BEGIN
    SELECT RAISE(ABORT, 'UserGroup joins two realms');
END;
CREATE TRIGGER "UserRole_joined" BEFORE INSERT ON "UserRole"
    WHEN (SELECT "realmId" FROM "User" WHERE "id" = new."userId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId") BEGIN
    SELECT RAISE(ABORT, 'UserRole joins two realms');
END;
CREATE TRIGGER "UserRole_rejoined" BEFORE UPDATE OF "userId", "roleId" ON "UserRole"
    WHEN (SELECT "realmId" FROM "User" WHERE "id" = new."userId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId") BEGIN
    SELECT RAISE(ABORT, 'UserRole joins two realms');
END;
CREATE TRIGGER "UserConsent_joined" BEFORE INSERT ON "UserConsent"
    WHEN (SELECT "realmId" FROM "User" WHERE "id" = new."userId") <> (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId") BEGIN
    SELECT RAISE(ABORT, 'UserConsent joins two realms');
END;
CREATE TRIGGER "UserConsent_rejoined" BEFORE UPDATE OF "userId", "clientId" ON "UserConsent"
    WHEN (SELECT "realmId" FROM "User" WHERE "id" = new."userId") <> (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId") BEGIN
    SELECT RAISE(ABORT, 'UserConsent joins two realms');
END;
CREATE TRIGGER "UserSession_joined" BEFORE INSERT ON "UserSession"
    WHEN new."realmId" <> (SELECT "realmId" FROM "User" WHERE "id" = new."userId") BEGIN
    SELECT RAISE(ABORT, 'UserSession joins two realms');
END;
CREATE TRIGGER "UserSession_rejoined" BEFORE UPDATE OF "realmId", "userId" ON "UserSession"
    WHEN new."realmId" <> (SELECT "realmId" FROM "User" WHERE "id" = new."userId") BEGIN
    SELECT RAISE(ABORT, 'UserSession joins two realms');
END;
CREATE TRIGGER "ClientSession_joined" BEFORE INSERT ON "ClientSession"
    WHEN new."realmId" <> (SELECT "realmId" FROM "UserSession" WHERE "id" = new."sessionId")
    OR new."realmId" <> (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId") BEGIN
    SELECT RAISE(ABORT, 'ClientSession joins two realms');
END;
CREATE TRIGGER "ClientSession_rejoined" BEFORE UPDATE OF "realmId", "sessionId", "clientId" ON "ClientSession"
    WHEN new."realmId" <> (SELECT "realmId" FROM "UserSession" WHERE "id" = new."sessionId")
    OR new."realmId" <> (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId") BEGIN
    SELECT RAISE(ABORT, 'ClientSession joins two realms');
END;
CREATE TRIGGER "LoginFailure_joined" BEFORE INSERT ON "LoginFailure"
    WHEN new."realmId" <> (SELECT "realmId" FROM "User" WHERE "id" = new."userId") BEGIN
    SELECT RAISE(ABORT, 'LoginFailure joins two realms');
END;
CREATE TRIGGER "LoginFailure_rejoined" BEFORE UPDATE OF "realmId", "userId" ON "LoginFailure"
    WHEN new."realmId" <> (SELECT "realmId" FROM "User" WHERE "id" = new."userId") BEGIN
    SELECT RAISE(ABORT, 'LoginFailure joins two realms');
END;
CREATE TRIGGER "User_joined" BEFORE INSERT ON "User"
    WHEN new."realmId" <> (SELECT "realmId" FROM "Client" WHERE "id" = new."serviceAccountClientId") BEGIN
    SELECT RAISE(ABORT, 'User joins two realms');
END;
CREATE TRIGGER "User_rejoined" BEFORE UPDATE OF "realmId", "serviceAccountClientId" ON "User"
    WHEN new."realmId" <> (SELECT "realmId" FROM "Client" WHERE "id" = new."serviceAccountClientId") BEGIN
    SELECT RAISE(ABORT, 'User joins two realms');
END;
CREATE TRIGGER "AuthenticationExecution_joined" BEFORE INSERT ON "AuthenticationExecution"
    WHEN new."realmId" <> (SELECT "realmId" FROM "AuthenticatorConfig" WHERE "id" = new."configId") BEGIN
    SELECT RAISE(ABORT, 'AuthenticationExecution joins two realms');
END;
CREATE TRIGGER "AuthenticationExecution_rejoined" BEFORE UPDATE OF "realmId", "configId" ON "AuthenticationExecution"
    WHEN new."realmId" <> (SELECT "realmId" FROM "AuthenticatorConfig" WHERE "id" = new."configId") BEGIN
    SELECT RAISE(ABORT, 'AuthenticationExecution joins two realms');
END;
CREATE TRIGGER "AuthorizationResource_joined" BEFORE INSERT ON "AuthorizationResource"
    WHEN (SELECT "realmId" FROM "Client" WHERE "id" = new."resourceServerId") <> (SELECT "realmId" FROM "User" WHERE "id" = new."userId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationResource joins two realms');
END;
CREATE TRIGGER "AuthorizationResource_rejoined" BEFORE UPDATE OF "resourceServerId", "userId" ON "AuthorizationResource"
    WHEN (SELECT "realmId" FROM "Client" WHERE "id" = new."resourceServerId") <> (SELECT "realmId" FROM "User" WHERE "id" = new."userId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationResource joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicy_joined" BEFORE INSERT ON "AuthorizationPolicy"
    WHEN (SELECT "realmId" FROM "Client" WHERE "id" = new."resourceServerId") <> (SELECT "realmId" FROM "User" WHERE "id" = new."ownerId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicy joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicy_rejoined" BEFORE UPDATE OF "resourceServerId", "ownerId" ON "AuthorizationPolicy"
    WHEN (SELECT "realmId" FROM "Client" WHERE "id" = new."resourceServerId") <> (SELECT "realmId" FROM "User" WHERE "id" = new."ownerId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicy joins two realms');
END;
CREATE TRIGGER "AuthorizationResourceScope_joined" BEFORE INSERT ON "AuthorizationResourceScope"
    WHEN (SELECT "resourceServerId" FROM "AuthorizationResource" WHERE "id" = new."resourceId") <> (SELECT "resourceServerId" FROM "AuthorizationScope" WHERE "id" = new."scopeId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationResourceScope joins two realms');
END;
CREATE TRIGGER "AuthorizationResourceScope_rejoined" BEFORE UPDATE OF "resourceId", "scopeId" ON "AuthorizationResourceScope"
    WHEN (SELECT "resourceServerId" FROM "AuthorizationResource" WHERE "id" = new."resourceId") <> (SELECT "resourceServerId" FROM "AuthorizationScope" WHERE "id" = new."scopeId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationResourceScope joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicyResource_joined" BEFORE INSERT ON "AuthorizationPolicyResource"
    WHEN (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = new."policyId") <> (SELECT "resourceServerId" FROM "AuthorizationResource" WHERE "id" = new."resourceId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicyResource joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicyResource_rejoined" BEFORE UPDATE OF "policyId", "resourceId" ON "AuthorizationPolicyResource"
    WHEN (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = new."policyId") <> (SELECT "resourceServerId" FROM "AuthorizationResource" WHERE "id" = new."resourceId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicyResource joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicyScope_joined" BEFORE INSERT ON "AuthorizationPolicyScope"
    WHEN (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = new."policyId") <> (SELECT "resourceServerId" FROM "AuthorizationScope" WHERE "id" = new."scopeId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicyScope joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicyScope_rejoined" BEFORE UPDATE OF "policyId", "scopeId" ON "AuthorizationPolicyScope"
    WHEN (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = new."policyId") <> (SELECT "resourceServerId" FROM "AuthorizationScope" WHERE "id" = new."scopeId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicyScope joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicyUse_joined" BEFORE INSERT ON "AuthorizationPolicyUse"
    WHEN (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = new."policyId") <> (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = new."associatedId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicyUse joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicyUse_rejoined" BEFORE UPDATE OF "policyId", "associatedId" ON "AuthorizationPolicyUse"
    WHEN (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = new."policyId") <> (SELECT "resourceServerId" FROM "AuthorizationPolicy" WHERE "id" = new."associatedId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicyUse joins two realms');
END;
CREATE TRIGGER "PermissionTicket_joined" BEFORE INSERT ON "PermissionTicket"
    WHEN new."resourceServerId" <> (SELECT "resourceServerId" FROM "AuthorizationResource" WHERE "id" = new."resourceId")
    OR new."resourceServerId" <> (SELECT "resourceServerId" FROM "AuthorizationScope" WHERE "id" = new."scopeId")
    OR (SELECT "realmId" FROM "Client" WHERE "id" = new."resourceServerId") <> (SELECT "realmId" FROM "User" WHERE "id" = new."requesterId") BEGIN
    SELECT RAISE(ABORT, 'PermissionTicket joins two realms');
END;
CREATE TRIGGER "PermissionTicket_rejoined" BEFORE UPDATE OF "resourceServerId", "resourceId", "scopeId", "requesterId" ON "PermissionTicket"
    WHEN new."resourceServerId" <> (SELECT "resourceServerId" FROM "AuthorizationResource" WHERE "id" = new."resourceId")
    OR new."resourceServerId" <> (SELECT "resourceServerId" FROM "AuthorizationScope" WHERE "id" = new."scopeId")
    OR (SELECT "realmId" FROM "Client" WHERE "id" = new."resourceServerId") <> (SELECT "realmId" FROM "User" WHERE "id" = new."requesterId") BEGIN
    SELECT RAISE(ABORT, 'PermissionTicket joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicySubject_joined" BEFORE INSERT ON "AuthorizationPolicySubject"
    WHEN (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "User" WHERE "id" = new."userId")
    OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId")
    OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "Group" WHERE "id" = new."groupId")
    OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId")
    OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "ClientScope" WHERE "id" = new."clientScopeId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicySubject joins two realms');
END;
CREATE TRIGGER "AuthorizationPolicySubject_rejoined" BEFORE UPDATE OF "policyId", "userId", "roleId", "groupId", "clientId", "clientScopeId" ON "AuthorizationPolicySubject"
    WHEN (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "User" WHERE "id" = new."userId")
    OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "Role" WHERE "id" = new."roleId")
    OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "Group" WHERE "id" = new."groupId")
    OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "Client" WHERE "id" = new."clientId")
    OR (SELECT c."realmId" FROM "AuthorizationPolicy" o JOIN "Client" c ON c."id" = o."resourceServerId" WHERE o."id" = new."policyId") <> (SELECT "realmId" FROM "ClientScope" WHERE "id" = new."clientScopeId") BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicySubject joins two realms');
END;
CREATE TRIGGER "User_moved" BEFORE UPDATE OF "realmId" ON "User" WHEN old."realmId" <> new."realmId" BEGIN
    SELECT RAISE(ABORT, 'User stays where it is');
END;
CREATE TRIGGER "Client_moved" BEFORE UPDATE OF "realmId" ON "Client" WHEN old."realmId" <> new."realmId" BEGIN
    SELECT RAISE(ABORT, 'Client stays where it is');
END;
CREATE TRIGGER "ClientScope_moved" BEFORE UPDATE OF "realmId" ON "ClientScope" WHEN old."realmId" <> new."realmId" BEGIN
    SELECT RAISE(ABORT, 'ClientScope stays where it is');
END;
CREATE TRIGGER "Role_moved" BEFORE UPDATE OF "realmId" ON "Role" WHEN old."realmId" <> new."realmId" BEGIN
    SELECT RAISE(ABORT, 'Role stays where it is');
END;
CREATE TRIGGER "Group_moved" BEFORE UPDATE OF "realmId" ON "Group" WHEN old."realmId" <> new."realmId" BEGIN
    SELECT RAISE(ABORT, 'Group stays where it is');
END;
CREATE TRIGGER "AuthenticatorConfig_moved" BEFORE UPDATE OF "realmId" ON "AuthenticatorConfig" WHEN old."realmId" <> new."realmId" BEGIN
    SELECT RAISE(ABORT, 'AuthenticatorConfig stays where it is');
END;
CREATE TRIGGER "AuthorizationScope_moved" BEFORE UPDATE OF "resourceServerId" ON "AuthorizationScope" WHEN old."resourceServerId" <> new."resourceServerId" BEGIN
    SELECT RAISE(ABORT, 'AuthorizationScope stays where it is');
END;
CREATE TRIGGER "AuthorizationResource_moved" BEFORE UPDATE OF "resourceServerId" ON "AuthorizationResource" WHEN old."resourceServerId" <> new."resourceServerId" BEGIN
    SELECT RAISE(ABORT, 'AuthorizationResource stays where it is');
END;
CREATE TRIGGER "AuthorizationPolicy_moved" BEFORE UPDATE OF "resourceServerId" ON "AuthorizationPolicy" WHEN old."resourceServerId" <> new."resourceServerId" BEGIN
    SELECT RAISE(ABORT, 'AuthorizationPolicy stays where it is');
END;
