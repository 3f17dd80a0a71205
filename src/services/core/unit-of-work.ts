import { storeChanges } from '../../database/changes.js';
import type { Access, Db, TransactionOptions } from '../../database/db.js';
import { databaseFault } from '../../database/errors.js';
import { inSavepoint } from '../../database/savepoint.js';
import { databaseRefusal } from './database-refusal.js';
import type { ChangeFeed, ChangeNotice } from './feed.js';
import { invalid } from './refusal.js';

/** The services that a unit of work needs. */
export interface UnitServices {
  readonly database: Pick<Access, 'transaction'>;
  readonly feed: Pick<ChangeFeed, 'announce' | 'retract' | 'publish'>;
  newId(): string;
  /** milliseconds since 1970 */
  now(): number;
}

/** A write that caches and subscriptions must receive; `eventId` is the ID of its audit record, if it has one. */
type Change = Omit<ChangeNotice, 'eventId'> & Partial<Pick<ChangeNotice, 'eventId'>>;

/** Writes that are committed together or not at all, with their changes and effects. */
export interface UnitOfWork {
  readonly tx: Db;
  /** whether the transaction is rolled back in any case */
  readonly dryRun: boolean;
  /**
   * Versions of rows when this unit first met them, by model and ID: callers expect the versions from before the unit.
   */
  readonly firstVersions: Map<string, unknown>;
  /**
   * Stores change rows, which notify other processes of the writes, and publishes the writes in this process after the
   * commit.
   */
  changed(...changes: Change[]): Promise<void>;
  /** Publishes a change after the commit in this process only, without a change row. */
  changedHere(change: Omit<Change, 'eventId'>): void;
  /** Runs a part of the unit. An error undoes the writes and effects of the part, and the unit continues. */
  part<R>(work: () => Promise<R>): Promise<R>;
  /** Adds an effect that runs after the commit, in the order of the calls. */
  afterCommit(effect: Effect): void;
  /** Adds an effect that runs once the unit has failed: its transaction is rolled back. */
  afterFailure(effect: Effect): void;
}

type Effect = () => void | Promise<void>;

export interface RetryOptions extends TransactionOptions {
  /**
   * also retries after a violated unique key: `work` then reads the rows that others have written, and avoids the
   * conflict
   */
  retryDuplicates?: boolean;
}

const mostConflicts = 6;
const mostDuplicates = 5;

interface UnitOptions<R> {
  dryRun?: boolean;
  /** the answer if everything is committed, but an effect failed; default: the failure is thrown */
  failed?: (failure: unknown, result: R) => R;
}

/** The version of a row when a unit first met it. `present` is its current version. */
export function firstVersion(
  firstVersions: UnitOfWork['firstVersions'],
  { model, id }: { model: string; id: string },
  present: unknown,
): unknown {
  const key = `${model} ${id}`;
  if (!firstVersions.has(key)) firstVersions.set(key, present);
  return firstVersions.get(key);
}

/** Thrown inside a transaction to undo it and still answer. */
class Undone extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super('rolled back on request');
    this.result = result;
  }
}

/**
 * Runs `work` as one unit of work: in one transaction, as `inTransaction` does. After the commit it publishes the
 * changes and runs the effects in their order. The pipeline of the operations uses this function. The parts of the
 * server that write without it (tokens, logins, user storages) use it as well, so that all follow the same rules:
 *
 * - A write of data that other processes cache or that subscriptions show calls `changed` in the same unit.
 * - A write of an administrator has an audit record (`record` in `audit.ts`, which calls `changed`). An event of a user
 *   has a login event (`storeLoginEvent`). Both are stored in the unit that they report.
 *
 * If an effect fails, the others still run, and the commit is published in any case. The caller then gets the first
 * failure, or the result of `failed` for it.
 *
 * With `dryRun` everything is rolled back, no effect runs, and the result is that of a real run.
 */
export async function inUnitOfWork<R>(
  services: UnitServices,
  work: (unit: UnitOfWork) => Promise<R>,
  { dryRun = false, failed, shared = false, ...retry }: RetryOptions & UnitOptions<R> = {},
): Promise<R> {
  let effects: Effect[] = [];
  let reversals: Effect[] = [];
  const announced: string[] = [];
  const announce = (eventId: string): void => {
    announced.push(eventId);
    services.feed.announce(eventId);
  };
  let isCommitted = false;
  try {
    const result = await inTransaction(
      services.database,
      async (tx) => {
        effects = [];
        reversals = [];
        const done = await work(unitOf(services, { tx, effects, reversals, dryRun, announce }));
        if (dryRun) throw new Undone(done);
        return done;
      },
      { ...retry, shared: shared && !dryRun },
    );
    isCommitted = true;
    const failure = await firstFailure(effects);
    if (!failure) return result;
    if (failed) return failed(failure.error, result);
    throw failure.error;
  } catch (error) {
    // if the answer to the commit was lost, it may have been carried out
    if (!isCommitted) for (const eventId of announced) services.feed.retract(eventId);
    if (error instanceof Undone) return error.result as R;
    // the error of the unit is more useful than an error of these effects
    if (!isCommitted) await firstFailure(reversals);
    throw error;
  }
}

/** Runs `work` in a part of a unit of work that is rolled back, and returns its result. No effect runs. */
export async function rolledBack<R>(unit: UnitOfWork, work: (unit: UnitOfWork) => Promise<R>): Promise<R> {
  try {
    return await unit.part(async (): Promise<R> => {
      throw new Undone(await work({ ...unit, firstVersions: new Map(unit.firstVersions), dryRun: true }));
    });
  } catch (error) {
    if (error instanceof Undone) return error.result as R;
    throw error;
  }
}

/** Runs effects in their order. If one fails, the others still run. Returns the first failure. */
async function firstFailure(effects: readonly Effect[]): Promise<{ error: unknown } | undefined> {
  let first: { error: unknown } | undefined;
  for (const effect of effects) {
    try {
      await effect();
    } catch (error) {
      first ??= { error };
    }
  }
  return first;
}

interface Inside {
  tx: Db;
  effects: Effect[];
  reversals: Effect[];
  dryRun: boolean;
  announce: (eventId: string) => void;
}

function unitOf({ feed, newId, now }: UnitServices, { tx, effects, reversals, dryRun, announce }: Inside): UnitOfWork {
  return {
    tx,
    dryRun,
    firstVersions: new Map(),
    async changed(...changes) {
      const notices = changes.map((change) => ({ ...change, eventId: change.eventId ?? newId() }));
      // this process publishes them itself, so it must ignore them when they come from the database
      for (const { eventId } of notices) announce(eventId);
      const at = BigInt(now());
      await storeChanges(
        tx,
        notices.map((notice) => ({ ...notice, at })),
      );
      effects.push(() => {
        for (const notice of notices) feed.publish(notice);
      });
    },
    changedHere(change) {
      effects.push(() => feed.publish({ ...change, eventId: '' }));
    },
    async part(work) {
      const before = effects.length;
      try {
        return await inSavepoint(tx, work);
      } catch (error) {
        effects.splice(before);
        throw error;
      }
    },
    afterCommit(effect) {
      effects.push(effect);
    },
    afterFailure(effect) {
      reversals.push(effect);
    },
  };
}

/**
 * Runs `work` in one transaction without changes and effects: for data that no process caches, such as one-time tokens,
 * leases, and expired rows. `inUnitOfWork` is for everything else. After a conflict between writers `work` runs again,
 * at most five times, with growing pauses; then a `busy` refusal is thrown. So `work` derives its writes from reads
 * inside the transaction.
 */
export async function inTransaction<R>(
  database: Pick<Access, 'transaction'>,
  work: (tx: Db) => Promise<R>,
  { retryDuplicates = false, shared = false }: RetryOptions = {},
): Promise<R> {
  let conflicts = 0;
  let duplicates = 0;
  for (;;) {
    try {
      // a transaction that has met a conflict does not share, so that it does not hold up others
      return await database.transaction(work, { shared: shared && conflicts === 0 });
    } catch (error) {
      const kind = databaseFault(error)?.kind;
      if (kind === 'retry') {
        conflicts += 1;
        if (conflicts === mostConflicts) throw databaseRefusal(error);
        await new Promise((resume) => setTimeout(resume, Math.random() * 10 * 2 ** conflicts));
      } else {
        duplicates += 1;
        if (kind !== 'duplicate' || !retryDuplicates || duplicates === mostDuplicates) throw error;
      }
    }
  }
}

interface Shared {
  readonly unit: UnitOfWork | undefined;
}

/** Throws `invalid` with this message for an operation that can neither be part of a shared unit of work nor be a dry run. */
export function requireAlone(
  { unit }: Shared,
  message: string,
  { dryRun = false, field }: { dryRun?: boolean | undefined; field?: string } = {},
): void {
  if (unit || dryRun) throw invalid(message, field, { isOfSharing: true });
}

/**
 * Throws `invalid` if operations share a unit of work. For work that may need a separate transaction, such as creating
 * the keys of a realm: it would wait forever for the shared one.
 */
export const refuseWithin = (shared: Shared, what: string): void =>
  requireAlone(shared, `${what} within an atomic mutation or a dry run`);
