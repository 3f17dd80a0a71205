import type { Db } from '../../database/db.js';
import { deleteInParts } from '../../database/in-parts.js';
import { Prisma } from '../../database/prisma.js';
import { selectStored } from '../core/fields.js';
import { roleFields } from './fields.js';

/** What readers of roles select. */
export const brief = {
  ...selectStored(roleFields),
  container: true,
  clientId: true,
  version: true,
  _count: { select: { composites: true } },
} as const satisfies Prisma.RoleSelect;

export const full = {
  ...brief,
  attributes: { select: { name: true, value: true }, orderBy: [{ name: 'asc' }, { position: 'asc' }] },
} as const satisfies Prisma.RoleSelect;

/** The role in its current state, for the audit record and the answer. */
export const readRole = (db: Db, id: string) => db.role.findUnique({ where: { id }, select: full });

/** Roles in their current state, in the order of the ids. */
export async function readRoles(db: Db, ids: readonly string[]) {
  const roles = await db.role.findMany({ where: { id: { in: [...ids] } }, select: full });
  const byId = new Map(roles.map((role) => [role.id, role]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Those of the ids that are roles of the realm, with the client of each. */
export const rolesOfRealm = (db: Db, realmId: string, ids: string[]) =>
  db.role.findMany({
    where: { realmId, id: { in: ids } },
    select: { id: true, name: true, clientId: true, container: true },
  });

export interface Identified {
  id: string;
}

/** The condition of `rolesOf` in SQL, for the table "Role" under the name `r`. */
export const areRolesOf = (realm: Identified, container: Identified): Prisma.Sql =>
  Prisma.sql`r."container" = ${container.id} AND r."realmId" = ${realm.id} AND ${
    container.id === realm.id ? Prisma.sql`r."clientId" IS NULL` : Prisma.sql`r."clientId" = ${container.id}`
  }`;

/** A query for the ids of the roles of a realm or client. */
export const rolesIn = (containerId: string): Prisma.Sql =>
  Prisma.sql`SELECT "id" FROM "Role" WHERE "container" = ${containerId}`;

/** Takes roles (a query for their IDs) from all who have them, before they are deleted. */
export async function takeRoles(tx: Db, ids: Prisma.Sql): Promise<void> {
  for (const table of ['UserRole', 'GroupRole']) await deleteInParts(tx, table, Prisma.sql`"roleId" IN (${ids})`);
  for (const column of ['parentId', 'childId']) {
    await deleteInParts(tx, 'CompositeRole', Prisma.sql`${Prisma.raw(`"${column}"`)} IN (${ids})`);
  }
}
