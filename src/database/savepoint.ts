import type { Db } from './db.js';
import { Prisma } from './prisma.js';

/** Runs a part of a transaction. An error undoes the writes of the part, and the transaction can continue. */
export async function inSavepoint<R>(tx: Db, work: () => Promise<R>): Promise<R> {
  await tx.later.settle();
  await tx.execute(Prisma.sql`SAVEPOINT part`);
  try {
    const result = await work();
    await tx.later.settle();
    await tx.execute(Prisma.sql`RELEASE SAVEPOINT part`);
    return result;
  } catch (error) {
    // the failure of a deferred write adds nothing to the failure of the work
    await tx.later.settle().catch(() => undefined);
    await tx.execute(Prisma.sql`ROLLBACK TO SAVEPOINT part`);
    throw error;
  }
}
