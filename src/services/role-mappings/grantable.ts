import { heldByUser } from '../../database/computed.js';
import { among } from '../../database/where.js';
import { Prisma } from '../../generated/sqlite/client.js';
import type { Caller } from '../core/caller.js';
import type { Context } from '../core/context.js';
import { idsWith } from '../core/delegation.js';
import { adminRoles } from '../core/doors.js';
import { isAdminTool, type Permit } from '../core/permit.js';
import { forbidden } from '../core/refusal.js';
import type { RealmRecord } from '../realms/record.js';

interface Grantor {
  realm: RealmRecord;
  caller: Caller;
}

/** Whether a caller with these rights has at least what the administration role gives. */
function covers(rights: ReadonlySet<string>, role: string): boolean {
  if (rights.has(role) || role.startsWith('query-')) return true;
  if (role === 'create-client') return rights.has('manage-clients');
  return role.startsWith('view-') && rights.has(role.replace('view-', 'manage-'));
}

/** What a role is handed to: users and groups, other roles, or the scope of clients. */
export type Use = 'holders' | 'composites' | 'scopes';

/** The scopes of management permissions, of a role and of a client about all its roles, and which rights do without. */
const uses = {
  holders: { ofRole: 'map-role', ofClient: 'map-roles', realmRight: 'manage-users', clientRight: 'manage-users' },
  composites: {
    ofRole: 'map-role-composite',
    ofClient: 'map-roles-composite',
    realmRight: 'manage-realm',
    clientRight: 'manage-clients',
  },
  scopes: {
    ofRole: 'map-role-client-scope',
    ofClient: 'map-roles-client-scope',
    realmRight: 'manage-clients',
    clientRight: 'manage-clients',
  },
} as const;

/** What management permissions say of a use, for a caller who does not have all the rights that do without them. */
function delegatedUse({ rights, delegation }: Permit, use: Use) {
  const { ofRole, ofClient, realmRight, clientRight } = uses[use];
  const all = { realm: rights.has(realmRight), clients: rights.has(clientRight) };
  if (!delegation || (all.realm && all.clients)) return undefined;
  return { all, roles: idsWith(delegation.roles, [ofRole]), clients: idsWith(delegation.clients, [ofClient]) };
}

const within = (column: Prisma.Sql, ids: readonly string[]): Prisma.Sql =>
  ids.length === 0 ? nothing : Prisma.sql`${column} IN (${Prisma.join([...ids])})`;
const nothing = Prisma.sql`1 = 0`;

/**
 * A query for the ids of the roles that the caller may not hand out: administration roles beyond the own ones, and
 * whatever has one of them among its composites. Nothing where every role may be handed out.
 */
export function beyond({ realm, caller }: Grantor, permit: Permit, use: Use = 'holders'): Prisma.Sql | undefined {
  const above = realm.name === 'master' ? aboveMaster(realm, caller) : aboveRealm(realm, permit);
  const administration =
    above &&
    Prisma.sql`WITH RECURSIVE ${above}, "beyond"("id") AS (
      SELECT "id" FROM "above"
      UNION
      SELECT c."parentId" FROM "CompositeRole" c JOIN "beyond" b ON c."childId" = b."id"
    ) SELECT "id" FROM "beyond"`;
  const delegated = delegatedUse(permit, use);
  if (!delegated) return administration;
  // such callers may hand out what management permissions say, and nothing else
  const { all, roles, clients } = delegated;
  const named = Prisma.sql`(${within(Prisma.sql`r."id"`, roles)}
    OR ${all.realm ? Prisma.sql`r."clientId" IS NULL` : nothing}
    OR ${all.clients ? Prisma.sql`r."clientId" IS NOT NULL` : nothing})`;
  const lower = administration ? Prisma.sql`AND r."id" NOT IN (${administration})` : Prisma.empty;
  return Prisma.sql`SELECT r."id" FROM "Role" r WHERE r."realmId" = ${realm.id}
    AND (r."clientId" IS NULL OR NOT ${within(Prisma.sql`r."clientId"`, clients)}) AND NOT (${named} ${lower})`;
}

/** Keeps the roles that the caller may put into the scope of a client which it manages; all of them without a condition. */
export function scopable(permit: Permit): Prisma.RoleWhereInput {
  if (permit.can('manage:clients')) return {};
  const delegated = delegatedUse(permit, 'scopes');
  return delegated
    ? { OR: [{ id: { in: delegated.roles } }, { clientId: { in: delegated.clients } }] }
    : { id: { in: [] } };
}

function aboveRealm(realm: RealmRecord, { rights }: Permit): Prisma.Sql | undefined {
  const names = adminRoles.filter((role) => !covers(rights, role));
  if (names.length === 0) return undefined;
  return Prisma.sql`"above"("id") AS (
    SELECT r."id" FROM "Client" c JOIN "Role" r ON r."clientId" = c."id"
    WHERE c."realmId" = ${realm.id} AND c."clientId" = 'realm-management'
      AND r."name" IN (${Prisma.join(['realm-admin', ...names])}))`;
}

/** In the master realm lie the administration roles of all realms; the caller's own roles are compared one by one. */
function aboveMaster(realm: RealmRecord, caller: Caller): Prisma.Sql {
  return Prisma.sql`${heldByUser(Prisma.sql`${caller.userId}`)}, "own"("id", "clientId", "name") AS (
    SELECT r."id", r."clientId", r."name" FROM "held" h JOIN "Role" r ON r."id" = h."id"
    LEFT JOIN "Client" c ON c."id" = r."clientId" WHERE ${usable(caller)}
  ), "above"("id") AS (
    SELECT r."id" FROM "Role" r
    WHERE r."realmId" = ${realm.id}
      AND NOT EXISTS (SELECT 1 FROM "own" WHERE "name" = 'admin' AND "clientId" IS NULL)
      AND ((r."clientId" IS NULL AND r."name" IN ('admin', 'create-realm')) OR (r."name" NOT LIKE 'query-%'
        AND r."clientId" IN (SELECT "adminClientId" FROM "Realm" WHERE "adminClientId" IS NOT NULL)))
      AND NOT EXISTS (SELECT 1 FROM "own" o WHERE o."id" = r."id"
        OR (o."clientId" = r."clientId" AND o."name" = replace(r."name", 'view-', 'manage-'))))`;
}

/** Which of the user's roles count: all of them for the administration tools, those in the token for other clients. */
function usable({ clientId, tokenRoles, realmRoles }: Caller): Prisma.Sql {
  if (isAdminTool(clientId)) return Prisma.sql`1 = 1`;
  const ofClients = Object.entries(tokenRoles).flatMap(([client, names]) => names.map((name) => `${client}/${name}`));
  const all = [...realmRoles.map((name) => `/${name}`), ...ofClients];
  return all.length === 0
    ? Prisma.sql`1 = 0`
    : Prisma.sql`coalesce(c."clientId", '') || '/' || r."name" IN (${Prisma.join(all)})`;
}

/** Refuses to hand out, or take away, roles of these ids (or of this query) that are beyond the caller's own. */
export async function requireGrantable(
  ctx: Context,
  realm: RealmRecord,
  permit: Permit,
  ids: string[] | Prisma.Sql,
  use: Use = 'holders',
): Promise<void> {
  const others = beyond({ realm, caller: ctx.caller }, permit, use);
  if (!others || (Array.isArray(ids) && ids.length === 0)) return;
  const wanted = Array.isArray(ids) ? ids : among(ids);
  const found = await ctx.db.role.findFirst({
    where: { AND: [{ id: { in: wanted } }, { id: { in: among(others) } }] },
    select: { id: true },
  });
  if (found) throw forbidden();
}
