import type { Db } from '../../database/db.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { forgetPoliciesOf } from '../authorization/cascade.js';

const linkedTo = (id: string): Prisma.Sql => Prisma.sql`SELECT "id" FROM "User" WHERE "federationLink" = ${id}`;

/** Deletes users whom their directory no longer has. */
export async function removeUsers(tx: Db, ids: readonly string[]): Promise<void> {
  await forgetPoliciesOf(tx, 'user', ids);
  await tx.user.deleteMany({ where: { id: { in: [...ids] } } });
}

/** Deletes the users that are linked to a storage, and says how many these were. */
export async function removeUsersOf(tx: Db, componentId: string): Promise<number> {
  await forgetPoliciesOf(tx, 'user', linkedTo(componentId));
  const { count } = await tx.user.deleteMany({ where: { federationLink: componentId } });
  return count;
}
