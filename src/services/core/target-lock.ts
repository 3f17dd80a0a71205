import { isVersioned, lockRow } from '../../database/locks.js';
import type { Context } from './context.js';
import type { RowId } from './operation.js';
import { notFound, Refusal, stale } from './refusal.js';
import { firstVersion, type UnitOfWork } from './unit-of-work.js';

/** Refusal of a write that expects a version of an object without versions. */
export const unversioned = () =>
  new Refusal('stale', 'If-Match is not supported here: the object has no version', { field: 'expectedVersion' });

/**
 * Makes concurrent writers of one object queue, and compares its version. If operations share a unit, the version
 * before the first of them is accepted as well.
 */
export async function lockTarget(
  ctx: Context,
  { tx, firstVersions }: UnitOfWork,
  lock: RowId,
  expected?: number,
): Promise<void> {
  if (expected !== undefined && !isVersioned(lock.model)) throw unversioned();
  const remembers = ctx.unit !== undefined && isVersioned(lock.model);
  await lockRow(tx, lock, remembers || expected !== undefined, (row) => {
    if (!row) throw notFound('The object was deleted in the meantime');
    const first = remembers ? firstVersion(firstVersions, lock, row.version) : row.version;
    if (expected !== undefined && row.version !== expected && first !== expected) {
      throw stale(row.version, expected, 'expectedVersion');
    }
  });
}

/**
 * Returns the result of work behind a lock. A refusal of a deferred lock takes precedence over a refusal of the work.
 */
export async function afterLock<R>({ tx }: UnitOfWork, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) await tx.later.settle();
    throw error;
  }
}
