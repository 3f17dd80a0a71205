import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Db } from '../../database/db.js';
import { pauseAfter, statementTime } from '../../database/upkeep.js';
import type { Services } from '../core/context.js';
import type { RealmRecord } from '../core/realm.js';
import { inTransaction } from '../core/unit-of-work.js';
import { isLarge, isRemoved, largeTables, lockRemoved, removedPrefix, removeSome } from './store.js';

const mostAtOnce = 10_000;

/**
 * Removes a realm inside a transaction. Of a large realm only its name and the client and roles that administer it are
 * removed. Nobody can find it then, and the name is free. `removeRest` has to do the rest after the commit; until then
 * its IDs are taken.
 */
export async function removeRealm(tx: Db, realm: RealmRecord, newId: () => string): Promise<void> {
  if (realm.adminClientId) await tx.client.deleteMany({ where: { id: realm.adminClientId } });
  if (!(await isLarge(tx, realm.id))) {
    await tx.realm.deleteMany({ where: { id: realm.id } });
    return;
  }
  const name = `${removedPrefix}${newId()}`;
  await tx.realm.updateMany({ where: { id: realm.id }, data: { name, enabled: false, adminClientId: null } });
}

type Needed = Pick<Services, 'database' | 'log'>;

/**
 * Removes the rest of a realm that `removeRealm` has removed, in short transactions that do not hold up others. Does
 * nothing if nothing is left, and never fails: the housekeeping finishes the rest. Several processes may do it at once.
 */
export async function removeRest({ database, log }: Needed, realmId: string, signal?: AbortSignal): Promise<void> {
  const started = performance.now();
  try {
    const realm = await database.read.realm.findUnique({ where: { id: realmId }, select: { name: true } });
    if (!realm || !isRemoved(realm)) return;
    for (const part of largeTables) if (!(await removePart(database, realmId, part, signal))) return;
    await whileRemoved(database, realmId, (tx) => tx.realm.deleteMany({ where: { id: realmId } }));
    log.info({ realmId, ms: Math.round(performance.now() - started) }, 'the rows of a deleted realm were removed');
  } catch (error) {
    log.warn({ err: error, realmId }, 'not all rows of a deleted realm could be removed; retrying later');
  }
}

/**
 * Removes the rests of all removed realms: after the end of a process or the loss of a database, or to free the IDs.
 */
export async function removeRests(services: Needed, signal?: AbortSignal): Promise<void> {
  const realms = await services.database.read.realm.findMany({
    where: { name: { startsWith: removedPrefix } },
    select: { id: true },
  });
  // one after the other, so that together they take no more than their share
  for (const { id } of realms) await removeRest(services, id, signal);
}

/** Removes all rows of a table; false when it was interrupted or another process has finished everything. */
async function removePart(
  database: Database,
  realmId: string,
  part: (typeof largeTables)[number],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const wanted = statementTime(database);
  for (let atOnce = 100; ; ) {
    if (signal?.aborted) return false;
    const size = atOnce;
    const started = performance.now();
    const removed = await whileRemoved(database, realmId, (tx) => removeSome(tx, realmId, part, size));
    // a number below the requested one is not a sign of the end, because dependent rows are not counted
    if (!removed) return removed === 0;
    const spent = Math.max(1, performance.now() - started);
    atOnce = Math.round(Math.min(mostAtOnce, Math.max(20, size * Math.min(2, wanted / spent))));
    await sleep(pauseAfter(database, spent), undefined, { ref: false });
  }
}

/**
 * Works in a transaction while the realm is still marked as removed. Other processes that remove it wait in the
 * meantime.
 */
const whileRemoved = <T>(database: Database, realmId: string, work: (tx: Db) => Promise<T>): Promise<T | undefined> =>
  inTransaction(database, async (tx) => ((await lockRemoved(tx, realmId)) ? work(tx) : undefined));
