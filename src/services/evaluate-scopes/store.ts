import { exists } from '../../database/exists.js';
import { Prisma } from '../../database/prisma.js';
import { areRolesOf } from '../roles/store.js';
import { scopeNames } from '../tokens/scopes.js';
import type { RolesInScopeTarget } from './locate.js';

/**
 * A query for the IDs of the roles that a client may have in its tokens for a scope parameter, with their composites.
 * `container` restricts it if the client has full scope.
 */
export function inScope({ realm, client, container }: RolesInScopeTarget, scope: string | undefined): Prisma.Sql {
  const names = scopeNames(scope);
  const requested = names.length > 0 ? Prisma.sql`OR s."name" IN (${Prisma.join(names)})` : Prisma.empty;
  return Prisma.sql`WITH RECURSIVE "mapped"("id") AS (
      SELECT "roleId" FROM "ClientScopeMapping" WHERE "clientId" = ${client.id}
      UNION
      SELECT "id" FROM "Role" WHERE "clientId" = ${client.id}
      UNION
      SELECT m."roleId" FROM "ClientScopeAssignment" a JOIN "ClientScope" s ON s."id" = a."clientScopeId"
        JOIN "ClientScopeScopeMapping" m ON m."clientScopeId" = s."id"
       WHERE a."clientId" = ${client.id} AND (NOT a."optional" ${requested})
    ), "scoped"("id") AS (
      SELECT "id" FROM "mapped"
      UNION
      SELECT c."childId" FROM "CompositeRole" c JOIN "scoped" s ON c."parentId" = s."id"
    )
    SELECT r."id" FROM "scoped" s JOIN "Role" r ON r."id" = s."id" WHERE ${areRolesOf(realm, container)}
    UNION
    SELECT r."id" FROM "Role" r WHERE ${areRolesOf(realm, container)}
       AND ${exists(Prisma.sql`SELECT 1 FROM "Client" c WHERE c."id" = ${client.id} AND c."fullScopeAllowed"`)}`;
}
