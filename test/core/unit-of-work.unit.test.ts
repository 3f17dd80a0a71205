import { describe, expect, it } from 'vitest';
import type { openDatabase } from '../../src/database/open.js';
import { createFeed } from '../../src/services/core/feed.js';
import { Refusal } from '../../src/services/core/refusal.js';
import { inTransaction, inUnitOfWork, type UnitOfWork } from '../../src/services/core/unit-of-work.js';

type Database = Awaited<ReturnType<typeof openDatabase>>;

const conflict = { name: 'DriverAdapterError', cause: { kind: 'TransactionWriteConflict' } };
const duplicate = {
  name: 'DriverAdapterError',
  cause: { kind: 'UniqueConstraintViolation', constraint: { fields: [] } },
};

/** A database whose transactions fail of these errors one after the other, and then succeed. */
function databaseWith(...failures: unknown[]) {
  const stored: { eventId: string; operation: string }[] = [];
  const attempts = { begun: 0, committed: 0 };
  const transaction: Database['transaction'] = async (work) => {
    attempts.begun += 1;
    const rows: typeof stored = [];
    const change = { createMany: async ({ data }: { data: typeof stored }) => void rows.push(...data) };
    // what storing changes takes of a transaction
    const tx = { dialect: 'sqlite', change } as unknown as Parameters<typeof work>[0];
    const result = await work(tx);
    const failure = failures.shift();
    if (failure) throw failure;
    stored.push(...rows);
    attempts.committed += 1;
    return result;
  };
  return { database: { transaction }, stored, attempts };
}

function world(...failures: unknown[]) {
  const feed = createFeed((error) => {
    throw error;
  });
  const heard: string[] = [];
  feed.subscribe(({ operation, eventId }) => heard.push(`${operation} ${eventId}`));
  let ids = 0;
  const { database, stored, attempts } = databaseWith(...failures);
  const services = { database, feed, newId: () => `event ${++ids}`, now: () => 0 };
  return { services, feed, heard, stored, attempts };
}

const change = { realmId: 'realm', operation: 'thing.change', touches: [] };

describe('a transaction', () => {
  it('runs again after conflicts, five times at most', async () => {
    const { services, attempts } = world(conflict, conflict);
    expect(await inTransaction(services.database, async () => 'done')).toBe('done');
    expect(attempts).toEqual({ begun: 3, committed: 1 });
    const endless = world(...Array.from({ length: 9 }, () => conflict));
    const failed = await inTransaction(endless.services.database, async () => 'done').catch((error) => error);
    expect(failed).toBeInstanceOf(Refusal);
    expect(failed.kind).toBe('busy');
    expect(endless.attempts).toEqual({ begun: 6, committed: 0 });
  });

  it('runs again after a violated unique key only where that is asked for', async () => {
    const { services, attempts } = world(duplicate);
    await expect(inTransaction(services.database, async () => 'done')).rejects.toBe(duplicate);
    expect(attempts.begun).toBe(1);
    const again = world(duplicate, conflict, duplicate);
    const retry = { retryDuplicates: true };
    expect(await inTransaction(again.services.database, async () => 'done', retry)).toBe('done');
    expect(again.attempts).toEqual({ begun: 4, committed: 1 });
  });
});

describe('a unit of work', () => {
  it('stores its changes, and publishes them and runs its effects after the commit, in their order', async () => {
    const { services, feed, heard, stored } = world();
    const seen: string[][] = [];
    await inUnitOfWork(services, async (unit) => {
      unit.afterCommit(() => void seen.push([...heard]));
      await unit.changed(change, { ...change, eventId: 'audit' });
      unit.afterCommit(() => void seen.push([...heard]));
      unit.changedHere({ ...change, operation: 'thing.read' });
      // the change feed of the database does not bring it a second time
      expect([feed.knows('event 1'), feed.knows('audit'), heard]).toEqual([true, true, []]);
    });
    expect(stored.map(({ eventId }) => eventId)).toEqual(['event 1', 'audit']);
    expect(heard).toEqual(['thing.change event 1', 'thing.change audit', 'thing.read ']);
    expect(seen).toEqual([[], heard.slice(0, 2)]);
  });

  it('publishes nothing of an attempt that failed', async () => {
    const { services, heard, stored } = world(conflict);
    const effects: string[] = [];
    await inUnitOfWork(services, async (unit) => {
      await unit.changed(change);
      unit.afterCommit(() => void effects.push('run'));
      unit.afterFailure(() => void effects.push('failed'));
    });
    expect(stored).toHaveLength(1);
    expect(heard).toEqual(['thing.change event 2']);
    expect(effects).toEqual(['run']);
  });

  it('runs what follows from a failure once it has failed, and not after a dry run', async () => {
    const effects: string[] = [];
    const work = (isGood: boolean) => async (unit: UnitOfWork) => {
      unit.afterCommit(() => void effects.push('committed'));
      unit.afterFailure(() => Promise.reject(new Error('is not told')));
      unit.afterFailure(() => void effects.push('failed'));
      if (!isGood) throw new Error('the work');
    };
    await expect(inUnitOfWork(world().services, work(false))).rejects.toThrow('the work');
    expect(effects).toEqual(['failed']);
    await inUnitOfWork(world().services, work(true), { dryRun: true });
    expect(effects).toEqual(['failed']);
  });

  it('publishes what is committed and runs all effects though one of them fails, and tells the first failure', async () => {
    const { services, heard, stored } = world();
    const effects: string[] = [];
    const failure = new Error('no mail server');
    const failed = inUnitOfWork(services, async (unit) => {
      unit.afterCommit(() => Promise.reject(failure));
      await unit.changed(change);
      unit.afterCommit(() => {
        throw new Error('the second');
      });
      unit.afterCommit(() => void effects.push('run'));
    });
    await expect(failed).rejects.toBe(failure);
    expect(stored).toHaveLength(1);
    expect([heard, effects]).toEqual([['thing.change event 1'], ['run']]);
    const told = await inUnitOfWork(
      services,
      async (unit) => {
        unit.afterCommit(() => Promise.reject(failure));
        return 'done';
      },
      { failed: (error, result) => `${result}, but ${error}` },
    );
    expect(told).toBe('done, but Error: no mail server');
  });

  it('is undone as a dry run, without effects, and answers what would have happened', async () => {
    const { services, heard, stored, attempts } = world();
    const result = await inUnitOfWork(
      services,
      async (unit) => {
        await unit.changed(change);
        return unit.dryRun;
      },
      { dryRun: true },
    );
    expect([result, heard, stored, attempts.committed]).toEqual([true, [], [], 0]);
  });
});
