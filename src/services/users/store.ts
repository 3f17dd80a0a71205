import type { Db } from '../../database/db.js';
import { exists } from '../../database/exists.js';
import { listed } from '../../database/lists.js';
import { rowLock } from '../../database/locks.js';
import { Prisma } from '../../database/prisma.js';
import { selectStored } from '../core/fields.js';
import { userFields } from './fields.js';
import { lookAlikes } from './usernames.js';

/** Type of the earlier passwords of a user, which nobody is shown. */
export const passwordHistory = 'password-history';

const byName = [{ name: 'asc' }, { position: 'asc' }] as const;

/** What readers of users select. */
export const brief = {
  ...selectStored(userFields),
  realmId: true,
  createdTimestamp: true,
  federationLink: true,
  version: true,
} satisfies Prisma.UserSelect;

/** What readers of users with their attributes select. */
export const full = {
  ...brief,
  notBefore: true,
  requiredActions: true,
  attributes: { select: { name: true, value: true }, orderBy: [...byName] },
  _count: { select: { credentials: { where: { type: 'otp' } } } },
} satisfies Prisma.UserSelect;

/** What readers of a single user select. */
export const single = {
  ...full,
  federatedIdentities: {
    select: { identityProvider: true, externalUserId: true, externalUsername: true },
    orderBy: [{ identityProvider: 'asc' }],
  },
} satisfies Prisma.UserSelect;

export type SingleUser = Prisma.UserGetPayload<{ select: typeof single }>;

/** Counts up the version of a user whose representation changed outside of its own row. */
export const countUp = (tx: Db, id: string) =>
  tx.later.user.updateMany({ where: { id }, data: { version: { increment: 1 } } });

const tables = {
  UserGroup: Prisma.sql`"UserGroup" ("userId", "groupId", "username")`,
  UserRole: Prisma.sql`"UserRole" ("userId", "roleId", "username")`,
};

/**
 * Makes a user a member of groups, or gives it roles; what it has already is left as it is. The name that the rows carry
 * is read under a lock, so that somebody who renames the user in the meantime finds the rows or is waited for.
 */
export const linkUser = (tx: Db, table: keyof typeof tables, userId: string, ids: readonly string[]): Promise<void> =>
  linkUsers(tx, table, [userId], ids);

/** Makes users members of groups, or gives them roles: each user each of them. */
export async function linkUsers(
  tx: Db,
  table: keyof typeof tables,
  userIds: readonly string[],
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0 || userIds.length === 0) return;
  await tx.later.execute(Prisma.sql`
    INSERT INTO ${tables[table]}
    SELECT u."id", x."id", u."username" FROM "User" u
      JOIN (${listed(tx, ids, 'id')}) x ON true WHERE u."id" IN (${listed(tx, userIds)}) ${rowLock(tx, 'FOR KEY SHARE OF u')} ON CONFLICT DO NOTHING`);
}

/** Paths of the groups below any of these that the user is in. */
export async function membershipsBelow(tx: Db, userId: string, groups: readonly string[]): Promise<string[]> {
  const found = await tx.query<{ path: string }>(Prisma.sql`
    SELECT m."path" AS "path" FROM "UserGroup" ug JOIN "Group" m ON m."id" = ug."groupId"
     WHERE ug."userId" = ${userId} AND ${exists(Prisma.sql`SELECT 1 FROM "Group" g
       WHERE g."id" IN (${listed(tx, groups)}) AND substr(m."path", 1, length(g."path") + 1) = g."path" || '/'`)}`);
  return found.map(({ path }) => path);
}

/** Who holds which user names and addresses among those that somebody wants. */
export interface Holders {
  username: Map<string, string>;
  email: Map<string, string>;
}

interface HolderRow {
  id: string;
  username: string;
  email: string | null;
}

/** A query for the holders of names. For a single name PostgreSQL is not to plan as for a long list. */
function holding(tx: Db, realmId: string, column: 'username' | 'email', names: readonly string[]): Prisma.Sql {
  const [first, ...others] = names;
  const wanted = others.length === 0 ? Prisma.sql`= ${first}` : Prisma.sql`IN (${listed(tx, names)})`;
  return Prisma.sql`SELECT "id", "username", "email" FROM "User"
    WHERE "realmId" = ${realmId} AND ${Prisma.raw(`"${column}"`)} ${wanted}`;
}

/** Looks up the holders of these names in a realm, and those whose user name is one of the addresses: one statement at most. */
export async function holdersOf(tx: Db, realmId: string, usernames: string[], emails: string[]): Promise<Holders> {
  const names = new Set(usernames);
  const lookedFor = [
    { column: 'username', names: usernames.flatMap((name) => [name, ...lookAlikes(name)]) },
    { column: 'username', names: emails.filter((email) => !names.has(email)) },
    { column: 'email', names: emails },
  ] as const;
  const queries = lookedFor.flatMap(({ column, names }) =>
    names.length > 0 ? holding(tx, realmId, column, names) : [],
  );
  const found = queries.length > 0 ? await tx.query<HolderRow>(Prisma.join(queries, ' UNION ALL ')) : [];
  return {
    username: new Map(found.map(({ id, username }) => [username, id])),
    email: new Map(found.flatMap(({ id, email }) => (email === null ? [] : [[email, id]]))),
  };
}

/** Deletes the attributes of users, but for those with these names in small letters. */
export const removeAttributesBut = (tx: Db, userIds: readonly string[], kept: readonly string[]): Promise<unknown> =>
  tx.later.execute(Prisma.sql`DELETE FROM "UserAttribute" WHERE "userId" IN (${listed(tx, userIds)})
    AND lower("name") NOT IN (${listed(tx, kept)})`);

/** Deletes some attributes of each of the users. */
export function removeAttributes(tx: Db, users: readonly { id: string; names: readonly string[] }[]): Promise<unknown> {
  const ids = users.map(({ id }) => id);
  const pairs = users.flatMap(({ id, names }) => names.map((name) => `${id} ${name}`));
  return tx.later.execute(Prisma.sql`DELETE FROM "UserAttribute"
    WHERE "userId" IN (${listed(tx, ids)}) AND "userId" || ' ' || "name" IN (${listed(tx, pairs)})`);
}

/** Takes names and addresses away from users who get others, as the ones who get theirs may be written before them. */
export async function giveUpNames(tx: Db, names: readonly string[], emails: readonly string[]): Promise<void> {
  if (names.length + emails.length === 0) return;
  const among = (ids: readonly string[]) => Prisma.sql`"id" IN (${listed(tx, ids)})`;
  await tx.execute(Prisma.sql`UPDATE "User" SET
    "username" = CASE WHEN ${among(names)} THEN "id" ELSE "username" END,
    "uniqueEmail" = CASE WHEN ${among(emails)} THEN NULL ELSE "uniqueEmail" END
    WHERE ${among([...names, ...emails])}`);
}
