// @both-databases
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../src/database/db.js';
import { databaseFault } from '../../src/database/errors.js';
import { lockRow, lockRows, shareRow } from '../../src/database/locks.js';
import { migrate } from '../../src/database/migrate.js';
import { type OpenDatabase, openDatabase } from '../../src/database/open.js';
import { Prisma } from '../../src/database/prisma.js';
import { dialect, freshDatabaseUrl } from '../support/database.js';

// Transactions that are asked for at the same time, at the database itself: what they promise is the same alone and shared.
let database: OpenDatabase;
let other: OpenDatabase;

beforeAll(async () => {
  const databaseUrl = await freshDatabaseUrl();
  await migrate(databaseUrl);
  database = await openDatabase({ databaseUrl, databasePool: 6, sqliteSynchronous: 'NORMAL' });
  other = await openDatabase({ databaseUrl, databasePool: 6, sqliteSynchronous: 'NORMAL' });
});
afterAll(() => Promise.all([database.close(), other.close()]));
beforeEach(() => database.transaction((tx) => tx.realm.deleteMany({})));

const shared = <T>(work: (tx: Db) => Promise<T>, on = database): Promise<T> => on.transaction(work, { shared: true });
const add = (tx: Db, id: string) => tx.realm.createMany({ data: { id, name: id } });
const names = async (): Promise<string[]> =>
  (await database.read.realm.findMany({ select: { name: true }, orderBy: [{ name: 'asc' }] })).map(({ name }) => name);
const versionOf = async (db: Db, id: string) =>
  (await db.realm.findUnique({ where: { id }, select: { version: true } }))?.version;
const outcomes = async (work: Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(work)).map((outcome) =>
    outcome.status === 'fulfilled' ? 'kept' : (databaseFault(outcome.reason)?.kind ?? String(outcome.reason)),
  );
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `r${String(at).padStart(2, '0')}`);

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Locks a realm from another process until `release` is called; `holder` is over when it is free. */
async function hold(id: string): Promise<{ holder: Promise<void>; release: () => void }> {
  const { promise: released, resolve: release } = withResolvers();
  const { promise: held, resolve: isHeld } = withResolvers();
  const holder = other.transaction(async (tx) => {
    await lockRows(tx, 'Realm', [id]);
    isHeld();
    await released;
  });
  await held;
  return { holder, release };
}

/** Reads, decides and writes, as writers do who queue for a row. */
const countUp = (id: string, on = database) =>
  shared(async (tx) => {
    await lockRow(tx, { model: 'Realm', id }, false, () => undefined);
    const version = (await versionOf(tx, id)) ?? 0;
    await tx.later.realm.updateMany({ where: { id }, data: { version: version + 1 } });
  }, on);

describe('transactions that come at the same time', () => {
  it('are all kept', async () => {
    await Promise.all(numbered(40).map((id) => shared((tx) => add(tx, id))));
    expect(await names()).toEqual(numbered(40));
  });

  it.runIf(dialect === 'postgresql')('share a transaction', async () => {
    const present = Prisma.sql`SELECT pg_current_xact_id()::text AS "id"`;
    const ids = await Promise.all(
      numbered(20).map((id) =>
        shared(async (tx) => {
          await add(tx, id);
          return (await tx.query<{ id: string }>(present))[0]?.id;
        }),
      ),
    );
    expect(new Set(ids).size).toBeLessThan(10);
  });

  it('are refused one by one', async () => {
    const wanted = ['a', 'b', 'a', 'c', 'b', 'd'];
    const found = await outcomes(wanted.map((id) => shared((tx) => add(tx, id))));
    expect(found.filter((outcome) => outcome === 'duplicate')).toHaveLength(2);
    expect(await names()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are given up one by one, before and after they have written', async () => {
    const given = (tx: Db, id: string, at: number) => {
      if (at % 3 === 0) throw new Error('before');
      return add(tx, id);
    };
    const found = await outcomes(
      numbered(12).map((id, at) =>
        shared(async (tx) => {
          await versionOf(tx, id);
          await given(tx, id, at);
          if (at % 3 !== 1) return;
          await versionOf(tx, id);
          throw new Error('after');
        }),
      ),
    );
    expect(found.map((outcome) => outcome.replace('Error: ', ''))).toEqual(
      Array.from({ length: 4 }, () => ['before', 'after', 'kept']).flat(),
    );
    expect(await names()).toEqual(numbered(12).filter((_, at) => at % 3 === 2));
  });

  it('are not refused for what was never kept', async () => {
    // the second one sees the row of the first, which is then given up; done again, the first one can come behind the second
    const first = shared(async (tx) => {
      await add(tx, 'taken');
      await versionOf(tx, 'taken');
      await versionOf(tx, 'taken');
      await versionOf(tx, 'taken');
      throw new Error('given up');
    });
    const second = shared(async (tx) => {
      await versionOf(tx, 'x');
      if ((await versionOf(tx, 'taken')) !== undefined) throw new Error('refused');
      await add(tx, 'taken');
    });
    const [firstOutcome, secondOutcome] = await outcomes([first, second]);
    expect(['Error: given up', 'duplicate']).toContain(firstOutcome);
    expect(secondOutcome).toBe('kept');
    expect(await names()).toEqual(['taken']);
  });

  it('queue for the rows that they lock, in one process and in several', async () => {
    await database.transaction((tx) => add(tx, 'counted'));
    await Promise.all(Array.from({ length: 30 }, (_, at) => countUp('counted', at % 2 ? database : other)));
    expect(await versionOf(database.read, 'counted')).toBe(30);
  });

  it('queue for rows that are locked in any order', async () => {
    await database.transaction(async (tx) => {
      for (const id of ['a', 'b', 'c']) await add(tx, id);
    });
    const orders = [
      ['a', 'b'],
      ['b', 'a'],
      ['c', 'a'],
      ['b', 'c'],
    ];
    await Promise.all(
      [...orders, ...orders, ...orders].map((ids, at) =>
        shared(
          async (tx) => {
            await lockRows(tx, 'Realm', ids);
            const versions = await Promise.all(ids.map((id) => versionOf(tx, id)));
            for (const [place, id] of ids.entries()) {
              await tx.later.realm.updateMany({ where: { id }, data: { version: (versions[place] ?? 0) + 1 } });
            }
          },
          at % 2 ? database : other,
        ),
      ),
    );
    const found = await Promise.all(['a', 'b', 'c'].map((id) => versionOf(database.read, id)));
    expect(found).toEqual([9, 9, 6]);
  });

  it('share rows that they keep as they are', async () => {
    await database.transaction((tx) => add(tx, 'kept'));
    const readers = numbered(6).map((id) =>
      shared(async (tx) => {
        await shareRow(tx, { model: 'Realm', id: 'kept' });
        await add(tx, id);
        return versionOf(tx, 'kept');
      }),
    );
    const versions = await Promise.all([...readers, countUp('kept')]);
    expect(versions.slice(0, 6).every((version) => version === 0 || version === 1)).toBe(true);
    expect(await versionOf(database.read, 'kept')).toBe(1);
  });

  it('hear of what they had checked, each for itself', async () => {
    await database.transaction((tx) => add(tx, 'there'));
    const locked = (id: string) =>
      shared(async (tx) => {
        await lockRow(tx, { model: 'Realm', id }, true, (row) => {
          if (!row) throw new Error('gone');
        });
        await add(tx, `${id} ${randomUUID()}`);
      });
    expect(await outcomes([locked('there'), locked('missing'), shared((tx) => add(tx, 'third'))])).toEqual([
      'kept',
      'Error: gone',
      'kept',
    ]);
    expect(await names()).toHaveLength(3);
  });

  it.runIf(dialect === 'postgresql')('do not wait for a row that only one of them needs', async () => {
    await database.transaction((tx) => add(tx, 'held'));
    const { holder, release } = await hold('held');
    const waiting = countUp('held');
    // these end while the row is held, or the test does not
    await Promise.all(numbered(8).map((id) => shared((tx) => add(tx, id))));
    release();
    await Promise.all([holder, waiting]);
    expect(await versionOf(database.read, 'held')).toBe(1);
    expect(await names()).toHaveLength(9);
  });
});

describe.runIf(dialect === 'postgresql')('a transaction that waits for a row', () => {
  it('keeps none of the others from sharing, however many wait', async () => {
    await database.transaction((tx) => add(tx, 'held'));
    const { holder, release } = await hold('held');
    // each by itself, so that it has nobody to share with
    const waiting: Promise<void>[] = [];
    for (let at = 0; at < 3; at += 1) {
      waiting.push(countUp('held'));
      await new Promise((resume) => setTimeout(resume, 20));
    }
    // these end while the row is held, or the test does not
    await Promise.all(numbered(8).map((id) => shared((tx) => add(tx, id))));
    release();
    await Promise.all([holder, ...waiting]);
    expect(await versionOf(database.read, 'held')).toBe(3);
  });
});

describe.runIf(dialect === 'postgresql')('parts of a shared transaction', () => {
  it('cannot add to it when they have ended, and are not kept after they swallowed that a row is taken', async () => {
    await database.transaction((tx) => add(tx, 'wanted'));
    let late: Promise<unknown> = Promise.resolve();
    const refused = shared(async (tx) => {
      await versionOf(tx, 'x');
      setTimeout(() => {
        late = add(tx, 'late').catch(() => 'refused');
      });
      throw new Error('refused');
    });
    const swallowing = Array.from({ length: 4 }, () =>
      shared(async (tx) => {
        await versionOf(tx, 'x');
        await lockRow(tx, { model: 'Realm', id: 'wanted' }, false, () => undefined).catch(() => undefined);
        const version = (await versionOf(tx, 'wanted')) ?? 0;
        await tx.later.realm.updateMany({ where: { id: 'wanted' }, data: { version: version + 1 } });
      }),
    );
    const found = await outcomes([refused, ...swallowing, ...numbered(3).map((id) => shared((tx) => add(tx, id)))]);
    await late;
    expect(found).toEqual(['Error: refused', ...Array.from({ length: 7 }, () => 'kept')]);
    expect(await names()).toEqual([...numbered(3), 'wanted']);
    expect(await versionOf(database.read, 'wanted')).toBe(4);
  });

  it('that are refused by the database with the last statements leave the connections as they are', async () => {
    await database.transaction((tx) => add(tx, 'taken'));
    const backends = Prisma.sql`SELECT pg_backend_pid() AS "pid"`;
    const pids = async () =>
      new Set(
        (
          await Promise.all(numbered(6).map(() => database.transaction((tx) => tx.query<{ pid: number }>(backends))))
        ).map(([row]) => row?.pid),
      );
    const before = await pids();
    for (let time = 0; time < 10; time += 1) {
      const found = await outcomes([shared((tx) => add(tx, 'taken')), shared((tx) => add(tx, `new ${time}`))]);
      expect(found).toEqual(['duplicate', 'kept']);
    }
    const after = await pids();
    expect([...after].filter((pid) => !before.has(pid))).toEqual([]);
  });
});

describe.runIf(dialect === 'postgresql')('when the connection ends', () => {
  /** What ends the connection of a transaction, from within it. */
  const suicide = Prisma.sql`SELECT pg_terminate_backend(pg_backend_pid())`;
  /** Where one of the transactions ends the connection of all. */
  const places = ['before anything', 'after a read', 'after a write', 'with the last statements'] as const;

  it.each(places)('%s, what was said to be kept is kept, and nobody waits for ever', async (place) => {
    let times = 0;
    const deadly = shared(async (tx) => {
      const ends = () => times++ === 0;
      if (place === 'before anything' && ends()) await tx.query(suicide);
      await versionOf(tx, 'x');
      if (place === 'after a read' && ends()) await tx.query(suicide);
      await add(tx, 'deadly');
      if (place === 'after a write' && ends()) await tx.query(suicide);
      if (place === 'with the last statements' && ends()) await tx.later.execute(suicide);
    });
    const others = numbered(6).map((id) =>
      shared(async (tx) => {
        await versionOf(tx, id);
        await add(tx, id);
      }),
    );
    const found = await outcomes([deadly, ...others]);
    expect(found.every((outcome) => outcome === 'kept' || outcome === 'unavailable')).toBe(true);
    const ids = ['deadly', ...numbered(6)];
    expect(await names()).toEqual(ids.filter((_, at) => found[at] === 'kept').sort());
    // whoever comes next finds connections that work
    await Promise.all(numbered(20).map((id) => shared((tx) => add(tx, `${id} again`))));
    expect((await names()).filter((name) => name.endsWith('again'))).toHaveLength(20);
  });
});
