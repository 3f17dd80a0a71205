import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../core/context.js';
import { byPlace, type Place } from '../events/place.js';
import { beginAt, type Cursor, claim, placeOf, release } from './store.js';

/** How long another attempt waits after a failure, in milliseconds. */
const afterFailure = 2000;

/** Passes on the items after a place, and moves the cursor. False if another process has moved it. */
export type Pass = () => Promise<boolean>;

/** A sequence of items that are passed on in order. */
export interface Follower {
  readonly cursor: Cursor;
  /** the first position on a database that never had the cursor */
  begin(): Promise<bigint>;
  /** Reads the items after a place. Undefined if there are none. */
  next(from: Place): Promise<Pass | undefined>;
}

interface Following {
  /** the process that has this cursor works on all of them */
  readonly lease: Cursor;
  /** interval of the checks for new items, in milliseconds */
  readonly interval: number;
  /** the log message of a failed attempt */
  readonly failed: string;
}

/** Passes on items in one process at a time of all processes on the database, until the service stops. */
export async function follow(
  services: Services,
  { lease, interval, failed }: Following,
  followers: readonly Follower[],
): Promise<void> {
  const { database, log, stopping } = services;
  const owner = randomUUID();
  const begun = new Set<Cursor>();
  while (!stopping.aborted) {
    let wait = interval;
    try {
      for (const follower of followers) {
        if (!begun.has(follower.cursor)) await beginAt(database.upkeep, follower.cursor, await follower.begin());
        begun.add(follower.cursor);
        await passOn(services, follower, () => claim(database.upkeep, lease, owner));
      }
    } catch (error) {
      wait = afterFailure;
      log.error({ err: error }, failed);
    }
    await sleep(wait, undefined, { signal: stopping }).catch(() => undefined);
  }
  await release(database.upkeep, lease, owner).catch(() => undefined); // the lease expires by itself
}

/** Passes on all available items, unless another process does. */
async function passOn(
  { database, stopping }: Services,
  { cursor, next }: Follower,
  isMine: () => Promise<boolean>,
): Promise<void> {
  const present = async (): Promise<Place> => {
    const place = await placeOf(database.upkeep.read, cursor);
    if (!place) throw new Error(`the row ${cursor} of AuditCursor is missing`);
    return place;
  };
  while (!stopping.aborted) {
    const from = await present();
    const pass = await next(from);
    if (!pass || !(await isMine())) return;
    // another process may have passed them on before it released the cursor
    if (byPlace(await present(), from) !== 0) continue;
    if (!(await pass())) return;
  }
}
