import { heldByUser, rolesContaining } from '../../database/computed.js';
import { Prisma } from '../../generated/sqlite/client.js';
import type { Caller } from '../core/caller.js';
import { idsWith } from '../core/delegation.js';
import type { Use } from '../core/grants.js';
import { inTokenSql, isWhole } from '../core/held-rights.js';
import { adminRoles } from '../core/permissions.js';
import type { Permit } from '../core/ports.js';
import type { RealmRecord } from '../core/realm.js';

/** Who asks, and in which realm. */
export interface Grantor {
  realm: Pick<RealmRecord, 'id' | 'name'>;
  caller: Caller;
}

/** Whether a caller with these rights has at least what an administration role gives. */
function covers(rights: ReadonlySet<string>, right: string): boolean {
  if (rights.has(right) || right.startsWith('query-')) return true;
  if (right === 'create-client') return rights.has('manage-clients');
  return right.startsWith('view-') && rights.has(right.replace('view-', 'manage-'));
}

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
} as const satisfies Record<Exclude<Use, 'settings'>, unknown>;

/** What management permissions say of a use, for a caller who does not have all the rights that do without them. */
function delegatedUse({ rights, delegation }: Permit, use: Use) {
  // what may be set takes a permission for the settings
  if (use === 'settings') return undefined;
  const { ofRole, ofClient, realmRight, clientRight } = uses[use];
  const all = { realm: rights.has(realmRight), clients: rights.has(clientRight) };
  if (!delegation || (all.realm && all.clients)) return undefined;
  return { all, roles: idsWith(delegation.roles, [ofRole]), clients: idsWith(delegation.clients, [ofClient]) };
}

const within = (column: Prisma.Sql, ids: readonly string[]): Prisma.Sql =>
  ids.length === 0 ? nothing : Prisma.sql`${column} IN (${Prisma.join([...ids])})`;
const nothing = Prisma.sql`1 = 0`;

/**
 * Common table expressions, to follow WITH RECURSIVE, of which `containing` has the ids of the administration roles that the
 * caller does not have, and of the roles that have one of them among their composites. Undefined if the caller has them all.
 */
export function beyondAdministration({ realm, caller }: Grantor, permit: Permit): Prisma.Sql | undefined {
  if (isWhole(realm, permit.rights)) return undefined;
  const above = realm.name === 'master' ? aboveMaster(realm, caller) : aboveRealm(realm, permit);
  return Prisma.sql`${above}, ${rolesContaining(Prisma.sql`SELECT "id" FROM "above"`)}`;
}

/**
 * A query for the ids of the roles that the caller may not hand out: administration roles beyond the own ones, whatever has
 * one of them among its composites, and what management permissions do not name for a caller who depends on them. Nothing
 * where every role may be handed out.
 */
export function beyond(grantor: Grantor, permit: Permit, use: Use = 'holders'): Prisma.Sql | undefined {
  const higher = beyondAdministration(grantor, permit);
  const administration = higher && Prisma.sql`WITH RECURSIVE ${higher} SELECT "id" FROM "containing"`;
  const delegated = delegatedUse(permit, use);
  if (!delegated) return administration;
  // such callers may hand out what management permissions say, and nothing else
  const { all, roles, clients } = delegated;
  const named = Prisma.sql`(${within(Prisma.sql`r."id"`, roles)}
    OR ${all.realm ? Prisma.sql`r."clientId" IS NULL` : nothing}
    OR ${all.clients ? Prisma.sql`r."clientId" IS NOT NULL` : nothing}
    OR (r."clientId" IS NOT NULL AND ${within(Prisma.sql`r."clientId"`, clients)}))`;
  const lower = administration ? Prisma.sql`AND r."id" NOT IN (${administration})` : Prisma.empty;
  return Prisma.sql`SELECT r."id" FROM "Role" r WHERE r."realmId" = ${grantor.realm.id} AND NOT (${named} ${lower})`;
}

/** Keeps the roles that the caller may put into the scope of a client which it manages; all of them without a condition. */
export function scopable(permit: Permit): Prisma.RoleWhereInput {
  if (permit.can('manage:clients')) return {};
  const delegated = delegatedUse(permit, 'scopes');
  return delegated
    ? { OR: [{ id: { in: delegated.roles } }, { clientId: { in: delegated.clients } }] }
    : { id: { in: [] } };
}

function aboveRealm({ id }: Grantor['realm'], { rights }: Permit): Prisma.Sql {
  const above = adminRoles.filter((right) => !covers(rights, right));
  // whoever covers everything may hand out the role of that name, too
  const names = above.length > 0 ? ['realm-admin', ...above] : [];
  return Prisma.sql`"above"("id") AS (
    SELECT a."roleId" FROM "AdministrationRole" a JOIN "Role" r ON r."id" = a."roleId"
    WHERE a."realmId" = ${id} AND r."realmId" = ${id}
      AND ${names.length > 0 ? Prisma.sql`a."right" IN (${Prisma.join(names)})` : nothing})`;
}

/** In the master realm lie the administration roles of all realms; the caller's own roles are compared one by one. */
const aboveMaster = (realm: Grantor['realm'], caller: Caller): Prisma.Sql => Prisma.sql`
  ${heldByUser(Prisma.sql`${caller.userId}`)}, "own"("realmId", "right") AS (
    SELECT a."realmId", a."right" FROM "held" h JOIN "AdministrationRole" a ON a."roleId" = h."id"
    JOIN "Role" r ON r."id" = a."roleId" LEFT JOIN "Client" c ON c."id" = r."clientId" WHERE ${inTokenSql(caller)}
  ), "above"("id") AS (
    SELECT a."roleId" FROM "AdministrationRole" a JOIN "Role" r ON r."id" = a."roleId"
    WHERE r."realmId" = ${realm.id} AND NOT EXISTS (SELECT 1 FROM "own" o WHERE o."realmId" = a."realmId" AND (
      o."right" = a."right" OR o."right" = replace(a."right", 'view-', 'manage-') OR a."right" LIKE 'query-%'
      OR (a."right" = 'create-client' AND o."right" = 'manage-clients'))))`;
