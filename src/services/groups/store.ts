import { limit } from '../../config/limits.js';
import { requireSmallFilter } from '../../database/conditions.js';
import type { Db } from '../../database/db.js';
import { deleteInParts } from '../../database/in-parts.js';
import { likePattern } from '../../database/like.js';
import { listed } from '../../database/lists.js';
import { Prisma } from '../../database/prisma.js';
import { selectStored } from '../core/fields.js';
import { groupFields } from './fields.js';

/** What readers of groups select. */
export const brief = { ...selectStored(groupFields) } as const satisfies Prisma.GroupSelect;

export const full = {
  ...brief,
  parentId: true,
  isDefault: true,
  version: true,
  attributes: { select: { name: true, value: true }, orderBy: [{ name: 'asc' }, { position: 'asc' }] },
  roles: {
    select: { role: { select: { name: true, client: { select: { clientId: true } } } } },
    orderBy: { role: { name: 'asc' } },
  },
} as const satisfies Prisma.GroupSelect;

/** The group in its current state, for the audit record and the answer. */
export type BriefGroup = Prisma.GroupGetPayload<{ select: typeof brief }>;
export type FullGroup = Prisma.GroupGetPayload<{ select: typeof full }>;

/** Reads groups with their attributes and roles, in the order of the ids. */
export async function readGroups(db: Db, ids: readonly string[]): Promise<FullGroup[]> {
  const groups = await db.group.findMany({ where: { id: { in: [...ids] } }, select: full });
  const byId = new Map(groups.map((group) => [group.id, group]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Reads a group with its attributes and roles. */
export const readGroup = (db: Db, id: string) => db.group.findUnique({ where: { id }, select: full });

/** A subgroup in the list of its parent, with the number of its own subgroups. */
export const listedChild = { ...full, _count: { select: { children: true } } } as const satisfies Prisma.GroupSelect;
export type ListedChild = Prisma.GroupGetPayload<{ select: typeof listedChild }>;
export const briefChild = {
  ...brief,
  parentId: true,
  _count: { select: { children: true } },
} as const satisfies Prisma.GroupSelect;
export type BriefChild = Prisma.GroupGetPayload<{ select: typeof briefChild }>;

/** A group of a tree, before the tree is put together. */
export interface FlatGroup {
  id: string;
  parentId: string | null;
  name: string;
  path: string;
  /** number of direct subgroups, in a search of groups */
  count?: number;
}

export interface TreePage {
  /** part of a name, as it is written; without it the groups of the top level are meant */
  search?: string | undefined;
  skip?: number | undefined;
  take?: number | undefined;
}

/** The groups that a page is about: what a search finds on any level, or else the top level. */
const matched = (realmId: string, search: string | undefined): Prisma.Sql => {
  // removing a text changes every name that contains it: a comparison by case without wildcards on both databases
  const test =
    search === undefined
      ? // the container of top-level groups is the realm: there is an index of their names
        Prisma.sql`g."container" = ${realmId} AND g."realmId" = ${realmId} AND g."parentId" IS NULL`
      : Prisma.sql`g."realmId" = ${realmId} AND replace(g."name", ${search}, '') <> g."name"`;
  return Prisma.sql`SELECT g."id" AS "id", g."parentId" AS "parentId" FROM "Group" g WHERE ${test}`;
};

const all = 2 ** 31 - 1;

/**
 * The whole trees of the top-level groups above what the page is about, as rows in the order of their names: one
 * statement at any depth.
 */
export function treesOf(db: Db, realmId: string, { search, skip, take }: TreePage): Promise<FlatGroup[]> {
  return db.query<FlatGroup>(Prisma.sql`
    WITH RECURSIVE matched("id", "parentId") AS (
      SELECT m."id", m."parentId" FROM (
        ${matched(realmId, search)} ORDER BY g."name"${search === undefined ? Prisma.empty : Prisma.sql`, g."id"`} LIMIT ${take ?? all} OFFSET ${skip ?? 0}
      ) m
    ), above("id", "parentId") AS (
      SELECT "id", "parentId" FROM matched
      UNION
      SELECT g."id", g."parentId" FROM above a JOIN "Group" g ON g."id" = a."parentId"
    ), tree("id") AS (
      SELECT "id" FROM above WHERE "parentId" IS NULL
      UNION
      SELECT g."id" FROM tree t CROSS JOIN "Group" g WHERE g."parentId" = t."id"
    )
    SELECT g."id", g."parentId", g."name", g."path" FROM tree t JOIN "Group" g ON g."id" = t."id" ORDER BY g."name", g."id"`);
}

/** Everything below a group, as rows in the order of their names. */
export function groupsBelow(db: Db, id: string): Promise<FlatGroup[]> {
  return db.query<FlatGroup>(Prisma.sql`
    WITH RECURSIVE tree("id") AS (
      SELECT g."id" FROM "Group" g WHERE g."parentId" = ${id}
      UNION
      SELECT g."id" FROM tree t CROSS JOIN "Group" g WHERE g."parentId" = t."id"
    )
    SELECT g."id", g."parentId", g."name", g."path" FROM tree t JOIN "Group" g ON g."id" = t."id" ORDER BY g."name", g."id"`);
}

/** How many top-level groups have a match in their tree, themselves included. */
export async function countTrees(db: Db, realmId: string, search: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(Prisma.sql`
    WITH RECURSIVE above("id", "parentId") AS (
      ${matched(realmId, search)}
      UNION
      SELECT g."id", g."parentId" FROM above a JOIN "Group" g ON g."id" = a."parentId"
    )
    SELECT count(*) AS "count" FROM above WHERE "parentId" IS NULL`);
  return row?.count ?? 0;
}

/** A search of groups as version 26 of the contract has it. */
export interface GroupSearch extends Omit<TreePage, 'search'> {
  /** a part of the name whatever the case, or the whole name */
  name?: { text: string; isExact: boolean } | undefined;
  attributes: readonly (readonly [name: string, value: string])[];
  /** whether the groups above the found ones come too */
  withParents: boolean;
}

/**
 * A query for the ids of the groups with all of these attributes. A test for each of them would become a join each, whose order
 * PostgreSQL looks for in minutes.
 */
function withAttributes(attributes: GroupSearch['attributes']): Prisma.Sql {
  const asked = [...new Map(attributes.map((pair) => [JSON.stringify(pair), pair])).values()];
  const pairs = asked.map(([name, value]) => Prisma.sql`(${name}, ${value})`);
  return Prisma.sql`SELECT "groupId" FROM (
      SELECT DISTINCT a."groupId", a."name", a."value" FROM "GroupAttribute" a
       WHERE (a."name", a."value") IN (VALUES ${Prisma.join(pairs)})) one
    GROUP BY "groupId" HAVING count(*) = ${asked.length}`;
}

/** The groups that a search finds on any level, or those of the top level if it asks for nothing, as rows in the order of their names. */
export function searchedGroups(db: Db, realmId: string, search: GroupSearch): Promise<FlatGroup[]> {
  const { name, attributes, skip, take, withParents } = search;
  requireSmallFilter(attributes.length + 1, name ? [name.text] : []);
  const tests = [
    ...(name?.isExact ? [Prisma.sql`g."name" = ${name.text}`] : []),
    ...(name && !name.isExact
      ? [Prisma.sql`lower(g."name") LIKE ${`%${likePattern(name.text.toLowerCase())}%`} ESCAPE '\\'`]
      : []),
    ...(attributes.length > 0 ? [Prisma.sql`g."id" IN (${withAttributes(attributes)})`] : []),
  ];
  const test =
    tests.length > 0 ? Prisma.join(tests, ' AND ') : Prisma.sql`g."container" = ${realmId} AND g."parentId" IS NULL`;
  const above = withParents
    ? Prisma.sql`UNION SELECT g."id", g."parentId" FROM above a JOIN "Group" g ON g."id" = a."parentId"`
    : Prisma.empty;
  return db.query<FlatGroup>(Prisma.sql`
    WITH RECURSIVE above("id", "parentId") AS (
      SELECT m."id", m."parentId" FROM (
        SELECT g."id" AS "id", g."parentId" AS "parentId" FROM "Group" g WHERE g."realmId" = ${realmId} AND ${test}
         ORDER BY g."name", g."id" LIMIT ${take ?? all} OFFSET ${skip ?? 0}
      ) m ${above}
    )
    SELECT g."id", g."parentId", g."name", g."path",
           (SELECT count(*) FROM "Group" c WHERE c."parentId" = g."id") AS "count"
      FROM above a JOIN "Group" g ON g."id" = a."id" ORDER BY g."name", g."id"`);
}

/** The ids of a group and of those above it. */
export async function atOrAbove(db: Db, id: string): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(Prisma.sql`
    WITH RECURSIVE above("id", "parentId") AS (
      SELECT g."id", g."parentId" FROM "Group" g WHERE g."id" = ${id}
      UNION
      SELECT g."id", g."parentId" FROM above a JOIN "Group" g ON g."id" = a."parentId"
    )
    SELECT "id" FROM above`);
  return new Set(rows.map((row) => row.id));
}

/** Bytes that a path may have at most: databases index paths, and trees are walked with one call per level. */
export const longestPath = limit('Objects', 'Path of a group', 2000, 'bytes');

/** Common table expressions, to follow WITH RECURSIVE: `under` has all that is below each of some groups, themselves included. */
const under = (groups: Prisma.Sql): Prisma.Sql => Prisma.sql`"under"("root", "id") AS (
    SELECT "id", "id" FROM "Group" WHERE "id" IN (${groups})
    UNION SELECT u."root", g."id" FROM "under" u CROSS JOIN "Group" g WHERE g."parentId" = u."id"
  )`;

/**
 * The paths that some groups and all below them should have, from the parents and names that they have now. Those of the groups that
 * are below others of them follow from these. What is below a path that is too long is left out, so this ends whatever the tree
 * looks like.
 */
const pathsOf = (groups: Prisma.Sql): Prisma.Sql => Prisma.sql`
  WITH RECURSIVE ${under(groups)}, placed("id", "path") AS (
    SELECT g."id", coalesce(p."path", '') || '/' || g."name" FROM "Group" g LEFT JOIN "Group" p ON p."id" = g."parentId"
     WHERE g."id" IN (SELECT "root" FROM "under")
       AND g."id" NOT IN (SELECT u."id" FROM "under" u WHERE u."id" <> u."root")
    UNION ALL
    SELECT g."id", placed."path" || '/' || g."name" FROM placed JOIN "Group" g ON g."parentId" = placed."id"
     WHERE octet_length(placed."path") <= ${longestPath}
  )`;

/** The ids of those of the groups of which a path, or one below, is about to be too long. */
export async function tooLongAmong(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ root: string }>(Prisma.sql`${pathsOf(listed(db, ids))}
    SELECT DISTINCT u."root" FROM "under" u JOIN placed ON placed."id" = u."id"
     WHERE octet_length(placed."path") > ${longestPath}`);
  return new Set(rows.map(({ root }) => root));
}

/** Brings the paths of groups whose names or parents were written, and of everything below them, up to date, in one statement. */
export const refreshPaths = (db: Db, ids: readonly string[]): Promise<number> =>
  db.execute(Prisma.sql`${pathsOf(listed(db, ids))}
    UPDATE "Group" SET "path" = placed."path", "version" = "Group"."version" + CASE WHEN "Group"."id" IN (${listed(db, ids)}) THEN 0 ELSE 1 END
      FROM placed WHERE placed."id" = "Group"."id"`);

/** A query for the ids of the realm's groups at these paths. */
export const groupsAtPaths = (realmId: string, paths: readonly string[]): Prisma.Sql =>
  Prisma.sql`SELECT "id" FROM "Group" WHERE "realmId" = ${realmId} AND "path" IN (${Prisma.join([...paths])})`;

/** A query for the groups that a query finds and all below them. */
export const groupsAndBelow = (groups: Prisma.Sql): Prisma.Sql => Prisma.sql`WITH RECURSIVE "tree"("id") AS (
  SELECT "id" FROM "Group" WHERE "id" IN (${groups})
  UNION SELECT g."id" FROM "tree" t CROSS JOIN "Group" g WHERE g."parentId" = t."id") SELECT "id" FROM "tree"`;

/** A query for the ids of the realm's groups at a path and below it. */
export const groupsAtOrBelow = (realmId: string, path: string): Prisma.Sql =>
  Prisma.sql`SELECT "id" FROM "Group" WHERE "realmId" = ${realmId}
    AND ("path" = ${path} OR "path" LIKE ${`${likePattern(path)}/%`} ESCAPE '\\')`;

/** Lets the members of groups (a query for their IDs) out, before the groups are deleted. */
export const removeMembers = (tx: Db, groups: Prisma.Sql): Promise<number> =>
  deleteInParts(tx, 'UserGroup', Prisma.sql`"groupId" IN (${groups})`);
