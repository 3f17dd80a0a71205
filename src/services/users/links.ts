import type { Db } from '../../database/db.js';
import { rowLock } from '../../database/locks.js';
import { listed } from '../../database/where.js';
import { Prisma } from '../../generated/sqlite/client.js';

const tables = {
  UserGroup: Prisma.sql`"UserGroup" ("userId", "groupId", "username")`,
  UserRole: Prisma.sql`"UserRole" ("userId", "roleId", "username")`,
};

/**
 * Makes a user a member of groups, or gives it roles; what it has already is left as it is. The name that the rows carry
 * is read under a lock, so that somebody who renames the user meanwhile finds the rows or is waited for.
 */
export async function linkUser(tx: Db, table: keyof typeof tables, userId: string, ids: readonly string[]) {
  if (ids.length === 0) return;
  await tx.later.execute(Prisma.sql`
    INSERT INTO ${tables[table]}
    SELECT u."id", x."id", u."username" FROM "User" u
      JOIN (${listed(tx, ids, 'id')}) x ON true WHERE u."id" = ${userId} ${rowLock(tx, 'FOR KEY SHARE OF u')} ON CONFLICT DO NOTHING`);
}
