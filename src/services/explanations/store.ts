import type { Db } from '../../database/db.js';
import { unionOf } from '../../database/lists.js';
import { Prisma } from '../../database/prisma.js';
import { grantedThroughGroups, groupsOfUser, rolesContaining } from '../../database/role-trees.js';
import { administrationRoles } from '../core/store.js';

/** A step on the way from a user to an administration role. */
export interface Step {
  /**
   * The kind of a step. `mapped`: a role of the user. `member`: a group of the user. `parent`: a group and its parent.
   * `given`: a group and its role. `composite`: a role and one of its composites. `right`: an administration role and
   * its right.
   */
  kind: 'mapped' | 'member' | 'parent' | 'given' | 'composite' | 'right';
  source: string;
  target: string;
}

/**
 * The steps of all ways in which a user has administration roles of these names for a realm. One statement, which
 * starts from these few roles and walks upwards, as `heldRights` does.
 */
export const stepsTo = (
  db: Db,
  user: { id: string; realmId: string },
  realmId: string,
  rights: readonly string[],
): Promise<Step[]> =>
  db.query<Step>(Prisma.sql`
    WITH RECURSIVE "wanted"("id", "right") AS (
      SELECT a."roleId", a."right" FROM ${administrationRoles(realmId, user.realmId)} AND a."right" IN (${Prisma.join([...rights])})
    ), ${rolesContaining(Prisma.sql`SELECT "id" FROM "wanted"`)}, ${groupsOfUser(Prisma.sql`${user.id}`)},
    "giving"("id") AS (
      SELECT gr."groupId" FROM "memberOf" m CROSS JOIN "GroupRole" gr
       WHERE gr."groupId" = m."id" AND gr."roleId" IN (SELECT "id" FROM "containing")
      UNION
      SELECT g."id" FROM "giving" x CROSS JOIN "Group" g WHERE g."parentId" = x."id" AND g."id" IN (SELECT "id" FROM "memberOf")
    ), "begun"("id") AS (
      SELECT ur."roleId" FROM "containing" c CROSS JOIN "UserRole" ur WHERE ur."userId" = ${user.id} AND ur."roleId" = c."id"
      UNION
      SELECT gr."roleId" FROM "giving" m CROSS JOIN "GroupRole" gr
       WHERE gr."groupId" = m."id" AND gr."roleId" IN (SELECT "id" FROM "containing")
    ), "way"("id") AS (
      SELECT "id" FROM "begun"
      UNION
      SELECT c."childId" FROM "way" w CROSS JOIN "CompositeRole" c
       WHERE c."parentId" = w."id" AND c."childId" IN (SELECT "id" FROM "containing")
    )
    SELECT 'mapped' AS "kind", ur."userId" AS "source", ur."roleId" AS "target"
      FROM "containing" c CROSS JOIN "UserRole" ur WHERE ur."userId" = ${user.id} AND ur."roleId" = c."id"
    UNION ALL
    SELECT 'member', ug."userId", ug."groupId" FROM "giving" x CROSS JOIN "UserGroup" ug
     WHERE ug."userId" = ${user.id} AND ug."groupId" = x."id"
    UNION ALL
    SELECT 'parent', g."id", g."parentId" FROM "giving" x CROSS JOIN "Group" g
     WHERE g."id" = x."id" AND g."parentId" IN (SELECT "id" FROM "giving")
    UNION ALL
    SELECT 'given', gr."groupId", gr."roleId" FROM "giving" x CROSS JOIN "GroupRole" gr
     WHERE gr."groupId" = x."id" AND gr."roleId" IN (SELECT "id" FROM "containing")
    UNION ALL
    SELECT 'composite', c."parentId", c."childId" FROM "way" w CROSS JOIN "CompositeRole" c
     WHERE c."parentId" = w."id" AND c."childId" IN (SELECT "id" FROM "containing")
    UNION ALL
    SELECT 'right', w."id", w."right" FROM "wanted" w WHERE w."id" IN (SELECT "id" FROM "way")`);

/** An administration role. */
export interface AdministrationRow {
  id: string;
  realmId: string;
  clientId: string | null;
  right: string;
}

/** The sources of roles: queries for users, roles, and groups. */
export interface Giving {
  users?: Prisma.Sql | undefined;
  roles?: Prisma.Sql | undefined;
  groups?: Prisma.Sql | undefined;
}

/**
 * The administration roles of `above`, which `higher` defines, of users, or through roles and groups: one statement.
 */
export function administrationGiven(
  db: Db,
  higher: Prisma.Sql,
  { users, roles, groups }: Giving,
  most: number,
): Promise<AdministrationRow[]> {
  const throughGroups = (ids: Prisma.Sql) => Prisma.sql`SELECT x."roleId" FROM (${grantedThroughGroups(ids)}) x`;
  const given = [
    ...(users
      ? [
          Prisma.sql`SELECT ur."roleId" FROM "UserRole" ur WHERE ur."userId" IN (${users})`,
          throughGroups(Prisma.sql`SELECT ug."groupId" FROM "UserGroup" ug WHERE ug."userId" IN (${users})`),
        ]
      : []),
    ...(roles ? [Prisma.sql`SELECT r."id" FROM "Role" r WHERE r."id" IN (${roles})`] : []),
    ...(groups ? [throughGroups(groups)] : []),
  ];
  return db.query<AdministrationRow>(Prisma.sql`
    WITH RECURSIVE ${higher}, "begun"("id") AS (${unionOf(given)}), "consisting"("id") AS (
      SELECT "id" FROM "begun"
      UNION
      SELECT c."childId" FROM "consisting" x CROSS JOIN "CompositeRole" c WHERE c."parentId" = x."id"
    )
    SELECT r."id" AS "id", r."realmId" AS "realmId", r."clientId" AS "clientId", a."right" AS "right"
      FROM "above" x JOIN "AdministrationRole" a ON a."roleId" = x."id" JOIN "Role" r ON r."id" = x."id"
     WHERE x."id" IN (SELECT "id" FROM "consisting") ORDER BY a."right", r."id" LIMIT ${most}`);
}

/** The IDs of a user's groups and of their ancestors. */
export async function groupsAround(db: Db, userId: string): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(
    Prisma.sql`WITH RECURSIVE ${groupsOfUser(Prisma.sql`${userId}`)} SELECT "id" FROM "memberOf"`,
  );
  return new Set(rows.map(({ id }) => id));
}
