import { grantedToUser, heldByUser } from '../../database/computed.js';
import type { Db } from '../../database/db.js';
import { Prisma } from '../../generated/sqlite/client.js';
import type { TokenClient, TokenScope } from './parties.js';

/** A role as tokens name it. */
export interface TokenRole {
  id: string;
  name: string;
  /** clientId of the client that the role belongs to; nothing for a role of the realm */
  clientId: string | undefined;
}

interface HeldRow {
  id: string;
  name: string;
  clientName: string | null;
  ownerId: string | null;
}

/** The roles that a user has in effect, and which of them a client gets to see. */
export interface EffectiveRoles {
  /** the effective roles of the user, as far as they matter to the client */
  held: TokenRole[];
  /** those that the client with these client scopes may have in its tokens */
  within(client: Pick<TokenClient, 'id' | 'fullScopeAllowed'>, scopes: readonly TokenScope[]): TokenRole[];
  /** whether the client scope may be used for the user: one with roles of its own needs one of them */
  permits(scope: TokenScope): boolean;
}

type Subject = Pick<TokenClient, 'id' | 'fullScopeAllowed'> & { realmId: string };

/**
 * The effective roles of a user, through groups, their parents and composite roles, together with the scope mappings of
 * the client and its client scopes, expanded likewise: one statement, whatever the number of roles. For a client that
 * may not see all of them only those that it may, and `offline_access`: an administrator of a thousand realms has many
 * thousands, and none of them is in the tokens of the usual tools.
 */
export async function effectiveRoles(db: Db, userId: string, client: Subject): Promise<EffectiveRoles> {
  const clientRowId = client.id;
  const rows = await db.query<HeldRow>(Prisma.sql`
WITH RECURSIVE ${(client.fullScopeAllowed ? heldByUser : grantedToUser)(Prisma.sql`${userId}`)}, "mapped"("ownerId", "id") AS (
  SELECT sm."clientScopeId", sm."roleId" FROM "ClientScopeScopeMapping" sm
    JOIN "ClientScopeAssignment" a ON a."clientScopeId" = sm."clientScopeId" WHERE a."clientId" = ${clientRowId}
  UNION
  SELECT "clientId", "roleId" FROM "ClientScopeMapping" WHERE "clientId" = ${clientRowId}
  UNION
  SELECT r."clientId", r."id" FROM "Role" r WHERE r."clientId" = ${clientRowId}
), "scoped"("ownerId", "id") AS (
  SELECT "ownerId", "id" FROM "mapped"
  UNION
  SELECT s."ownerId", c."childId" FROM "CompositeRole" c JOIN "scoped" s ON c."parentId" = s."id"
)${client.fullScopeAllowed ? Prisma.empty : heldAmongScoped(client.realmId)}
SELECT r."id" AS "id", r."name" AS "name", c."clientId" AS "clientName", s."ownerId" AS "ownerId"
FROM "held" h
JOIN "Role" r ON r."id" = h."id"
LEFT JOIN "Client" c ON c."id" = r."clientId"
LEFT JOIN "scoped" s ON s."id" = h."id"
ORDER BY r."name", r."id"`);
  return asEffective(rows);
}

/** Walks up from the roles that may be seen, as these are few, to what the user was given. */
const heldAmongScoped = (realmId: string) => Prisma.sql`, "above"("root", "id") AS (
  SELECT "id", "id" FROM "scoped"
  UNION
  SELECT "id", "id" FROM "Role" WHERE "container" = ${realmId} AND "name" = 'offline_access'
  UNION
  SELECT a."root", c."parentId" FROM "CompositeRole" c JOIN "above" a ON c."childId" = a."id"
), "held"("id") AS (
  SELECT DISTINCT "root" FROM "above" WHERE "id" IN (SELECT "id" FROM "granted")
)`;

function asEffective(rows: readonly HeldRow[]): EffectiveRoles {
  const roles = new Map<string, TokenRole>();
  const owners = new Map<string, Set<string>>();
  for (const { id, name, clientName, ownerId } of rows) {
    roles.set(id, { id, name, clientId: clientName ?? undefined });
    if (ownerId === null) continue;
    const owned = owners.get(ownerId) ?? new Set();
    owners.set(ownerId, owned.add(id));
  }
  const held = [...roles.values()];
  return {
    held,
    within(client, scopes) {
      if (client.fullScopeAllowed) return held;
      const sources = [client.id, ...scopes.map((scope) => scope.id)].map((owner) => owners.get(owner));
      return held.filter(({ id }) => sources.some((source) => source?.has(id)));
    },
    permits: (scope) => scope._count.scopeMappings === 0 || owners.has(scope.id),
  };
}
