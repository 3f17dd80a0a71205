import type { Db } from '../../database/db.js';
import { among, listed } from '../../database/lists.js';
import { Prisma } from '../../database/prisma.js';
import { heldByGroup, heldByUser, rolesContaining } from '../../database/role-trees.js';
import type { Caller } from '../core/caller.js';
import type { Use } from '../core/grants.js';
import { isWhole } from '../core/held-rights.js';
import { adminRoles } from '../core/permissions.js';
import type { Permit } from '../core/ports.js';
import type { RealmRecord } from '../core/realm.js';
import { administrationRoles, inTokenSql } from '../core/store.js';
import { type MappedRole, mappedRole } from '../roles/mappings.js';
import { areRolesOf } from '../roles/store.js';
import { covers, delegatedUse } from './grantable.js';
import type { RoleOwner } from './locate.js';

/** A query for the IDs of the roles that the owner has directly. */
export const directIds = ({ kind, id }: RoleOwner): Prisma.Sql =>
  kind === 'user'
    ? Prisma.sql`SELECT "roleId" FROM "UserRole" WHERE "userId" = ${id}`
    : Prisma.sql`SELECT "roleId" FROM "GroupRole" WHERE "groupId" = ${id}`;

const held = ({ kind, id }: RoleOwner): Prisma.Sql => (kind === 'user' ? heldByUser : heldByGroup)(Prisma.sql`${id}`);

/** A query for the IDs of the effective roles of the owner, as the REST contract defines them. */
export const effectiveIds = (owner: RoleOwner): Prisma.Sql =>
  Prisma.sql`WITH RECURSIVE ${held(owner)} SELECT "id" FROM "held"`;

/** The owner's direct roles, with the clients that they belong to. */
export const directRoles = (db: Db, owner: RoleOwner, where: Prisma.RoleWhereInput = {}): Promise<MappedRole[]> =>
  db.role.findMany({
    where: { id: { in: among(directIds(owner)) }, ...where },
    select: mappedRole,
    orderBy: [{ name: 'asc' }],
  });

/** The caller who assigns roles, and the realm. */
interface Grantor {
  realm: Pick<RealmRecord, 'id' | 'name'>;
  caller: Caller;
}

const within = (column: Prisma.Sql, ids: readonly string[]): Prisma.Sql =>
  ids.length === 0 ? nothing : Prisma.sql`${column} IN (${Prisma.join([...ids])})`;

const nothing = Prisma.sql`1 = 0`;

/**
 * Common table expressions for use after WITH RECURSIVE. `containing` has the IDs of the administration roles that the
 * caller lacks, and of the roles with one of them among their composites. Undefined if the caller has them all.
 */
export function beyondAdministration({ realm, caller }: Grantor, permit: Permit): Prisma.Sql | undefined {
  if (isWhole(realm, permit.rights)) return undefined;
  const above = realm.name === 'master' ? aboveMaster(realm, caller) : aboveRealm(realm, permit);
  return Prisma.sql`${above}, ${rolesContaining(Prisma.sql`SELECT "id" FROM "above"`)}`;
}

/**
 * A query for the IDs of the roles that the caller may not assign. These are administration roles beyond the caller's
 * own, and roles with one of them among their composites. A caller who depends on management permissions may only
 * assign the roles that they name. Undefined if every role may be assigned.
 */
export function beyond(grantor: Grantor, permit: Permit, use: Use = 'holders'): Prisma.Sql | undefined {
  const higher = beyondAdministration(grantor, permit);
  const administration = higher && Prisma.sql`WITH RECURSIVE ${higher} SELECT "id" FROM "containing"`;
  const delegated = delegatedUse(permit, use);
  if (!delegated) return administration;
  // such callers may assign only the roles that management permissions name
  const { all, roles, clients } = delegated;
  const named = Prisma.sql`(${within(Prisma.sql`r."id"`, roles)}
    OR ${all.realm ? Prisma.sql`r."clientId" IS NULL` : nothing}
    OR ${all.clients ? Prisma.sql`r."clientId" IS NOT NULL` : nothing}
    OR (r."clientId" IS NOT NULL AND ${within(Prisma.sql`r."clientId"`, clients)}))`;
  const lower = administration ? Prisma.sql`AND r."id" NOT IN (${administration})` : Prisma.empty;
  return Prisma.sql`SELECT r."id" FROM "Role" r WHERE r."realmId" = ${grantor.realm.id} AND NOT (${named} ${lower})`;
}

function aboveRealm({ id }: Grantor['realm'], { rights }: Permit): Prisma.Sql {
  const above = adminRoles.filter((right) => !covers(rights, right));
  // a caller with all permissions may also grant the role of that name
  const names = above.length > 0 ? ['realm-admin', ...above] : [];
  return Prisma.sql`"above"("id") AS (
    SELECT a."roleId" FROM ${administrationRoles(id, id)}
      AND ${names.length > 0 ? Prisma.sql`a."right" IN (${Prisma.join(names)})` : nothing})`;
}

/**
 * The administration roles of all realms belong to the master realm; the caller's own roles are compared one by one.
 */
const aboveMaster = (realm: Grantor['realm'], caller: Caller): Prisma.Sql => Prisma.sql`
  ${heldByUser(Prisma.sql`${caller.userId}`)}, "own"("realmId", "right") AS (
    SELECT a."realmId", a."right" FROM "held" h JOIN "AdministrationRole" a ON a."roleId" = h."id"
    JOIN "Role" r ON r."id" = a."roleId" LEFT JOIN "Client" c ON c."id" = r."clientId" WHERE ${inTokenSql(caller)}
  ), "above"("id") AS (
    SELECT a."roleId" FROM "AdministrationRole" a JOIN "Role" r ON r."id" = a."roleId"
    WHERE r."realmId" = ${realm.id} AND NOT EXISTS (SELECT 1 FROM "own" o WHERE o."realmId" = a."realmId" AND (
      o."right" = a."right" OR o."right" = replace(a."right", 'view-', 'manage-') OR a."right" LIKE 'query-%'
      OR (a."right" = 'create-client' AND o."right" = 'manage-clients'))))`;

/**
 * A query for the IDs of the container's roles that the owner has in effect: found by their IDs, not among all of the
 * container.
 */
export const effectiveIdsIn = (owner: RoleOwner, realm: { id: string }, container: { id: string }): Prisma.Sql =>
  Prisma.sql`WITH RECURSIVE ${held(owner)}
    SELECT r."id" FROM "held" h JOIN "Role" r ON r."id" = h."id" WHERE ${areRolesOf(realm, container)}`;

/**
 * The pairs of given roles in which the first has the second among its composites, at any depth; each role is paired
 * with itself.
 */
export const partsAmong = (db: Db, ids: readonly string[]): Promise<{ root: string; id: string }[]> =>
  db.query<{ root: string; id: string }>(Prisma.sql`
    WITH RECURSIVE "wanted"("id") AS (
      SELECT "id" FROM "Role" WHERE "id" IN (${listed(db, ids)})
    ), "part"("root", "id") AS (
      SELECT "id", "id" FROM "wanted"
      UNION
      SELECT p."root", c."childId" FROM "CompositeRole" c JOIN "part" p ON c."parentId" = p."id"
    ) SELECT "root", "id" FROM "part" WHERE "id" IN (SELECT "id" FROM "wanted")`);
