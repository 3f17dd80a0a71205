// @both-databases
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SqlDriverAdapter, SqlQueryable } from '@prisma/driver-adapter-utils';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { databaseFault } from '../../src/database/errors.js';
import { type SqliteOptions, sqliteAdapter } from '../../src/database/sqlite-adapter.js';
import { sqliteDriver } from '../../src/database/sqlite-driver.js';
import { logStatements } from '../../src/database/statements.js';
import { dialect, temporaryFolder } from '../support/database.js';

let file: string;
const driver = await sqliteDriver();

async function open(options: SqliteOptions = {}): Promise<SqlDriverAdapter> {
  const adapter = await sqliteAdapter(file, { synchronous: 'NORMAL', ...options }).connect();
  onTestFinished(() => adapter.dispose());
  return adapter;
}

const statement = (sql: string, args: unknown[] = []) => ({
  sql,
  args,
  argTypes: args.map(() => ({ scalarType: 'unknown' as const, arity: 'scalar' as const })),
});
const execute = (on: SqlQueryable, sql: string, ...args: unknown[]) => on.executeRaw(statement(sql, args));
const rows = async (on: SqlQueryable, sql: string, ...args: unknown[]) =>
  (await on.queryRaw(statement(sql, args))).rows;
const counterOf = async (on: SqlQueryable, name: string) =>
  (await rows(on, 'SELECT value FROM counter WHERE name = ?', name))[0]?.[0];

async function inTransaction<T>(adapter: SqlDriverAdapter, work: (tx: SqlQueryable) => Promise<T>): Promise<T> {
  const transaction = await adapter.startTransaction();
  const result = await work(transaction);
  await execute(transaction, 'COMMIT');
  await transaction.commit();
  return result;
}

async function withRollback<T>(adapter: SqlDriverAdapter, work: (tx: SqlQueryable) => Promise<T>): Promise<void> {
  const transaction = await adapter.startTransaction();
  try {
    await work(transaction);
    await execute(transaction, 'COMMIT');
    await transaction.commit();
  } catch (error) {
    await execute(transaction, 'ROLLBACK');
    await transaction.rollback();
    throw error;
  }
}

/** How many transactions the write-ahead log has: the last page of each tells the size of the database (SQLite, section 4.1 of its file format). */
function commitsIn(database: string): number {
  const log = readFileSync(`${database}-wal`);
  const frame = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frame <= log.length; at += frame) {
    const current = log.subarray(at + 8, at + 16).equals(log.subarray(16, 24));
    if (current && log.readUInt32BE(at + 4) !== 0) commits += 1;
  }
  return commits;
}

/** How many pages of the log are not in the database yet. */
function leftInLog(): number {
  const connection = driver.open(file);
  const [busy, log, checkpointed] = connection.prepare('PRAGMA wal_checkpoint(PASSIVE)').all([])[0]?.map(Number) ?? [];
  connection.close();
  // beside another checkpoint it tells nothing: both numbers are -1
  return busy === 0 ? Number(log) - Number(checkpointed) : Number.POSITIVE_INFINITY;
}

/** Reads, gives way to the others, writes: what loses updates wherever two such can overlap. */
const increment = (adapter: SqlDriverAdapter) =>
  inTransaction(adapter, async (tx) => {
    const before = Number(await counterOf(tx, 'shared'));
    await new Promise(setImmediate);
    await execute(tx, "UPDATE counter SET value = ? WHERE name = 'shared'", before + 1);
  });

describe.runIf(dialect === 'sqlite')('the SQLite adapter', () => {
  let adapter: SqlDriverAdapter;

  beforeEach(async () => {
    file = join(temporaryFolder(), 'adapter.db');
    adapter = await open();
    await adapter.executeScript(`
      CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
      CREATE TABLE child (counter TEXT NOT NULL REFERENCES counter (name));
      INSERT INTO counter VALUES ('shared', 0);
    `);
  });

  it('reads nothing that is not committed, without waiting', async () => {
    const transaction = await adapter.startTransaction();
    await execute(transaction, "INSERT INTO counter VALUES ('new', 1)");
    expect(await counterOf(adapter, 'new')).toBeUndefined();
    expect(await counterOf(transaction, 'new')).toBe(1);
    await execute(transaction, 'COMMIT');
    await transaction.commit();
    expect(await counterOf(adapter, 'new')).toBe(1);
  });

  it('keeps a plain write when a transaction beside it is rolled back', async () => {
    const transaction = await adapter.startTransaction();
    const plain = execute(adapter, "INSERT INTO counter VALUES ('plain', 1)");
    const returning = rows(adapter, "INSERT INTO counter VALUES ('returned', 2) RETURNING value");
    await execute(transaction, "INSERT INTO counter VALUES ('undone', 1)");
    await execute(transaction, 'ROLLBACK');
    await transaction.rollback();
    expect(await plain).toBe(1);
    expect(await returning).toEqual([[2]]);
    expect(await rows(adapter, 'SELECT name FROM counter ORDER BY name')).toEqual([
      ['plain'],
      ['returned'],
      ['shared'],
    ]);
  });

  it('loses no update of concurrent transactions', async () => {
    await Promise.all(Array.from({ length: 50 }, () => increment(adapter)));
    expect(await counterOf(adapter, 'shared')).toBe(50);
  });

  it('loses no update of two instances on one file', async () => {
    const other = await open();
    await Promise.all(Array.from({ length: 100 }, (_, at) => increment(at % 2 ? adapter : other)));
    expect(await counterOf(adapter, 'shared')).toBe(100);
    expect(await counterOf(other, 'shared')).toBe(100);
  });

  it('commits together what comes at the same time, and tells each when it is committed', async () => {
    const other = await open();
    const before = commitsIn(file);
    const seen = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        await inTransaction(adapter, (tx) => execute(tx, 'INSERT INTO counter VALUES (?, 1)', `row-${at}`));
        return counterOf(other, `row-${at}`);
      }),
    );
    expect(seen).toEqual(Array.from({ length: 20 }, () => 1));
    expect(commitsIn(file) - before).toBe(1);
  });

  it('undoes one of those that are committed together, and no other', async () => {
    const results = await Promise.allSettled(
      ['a', 'shared', 'b'].map((name) =>
        withRollback(adapter, (tx) => execute(tx, 'INSERT INTO counter VALUES (?, 1)', name)),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await rows(adapter, 'SELECT name FROM counter ORDER BY name')).toEqual([['a'], ['b'], ['shared']]);
  });

  it('tells those that were to be committed with one that SQLite has rolled back that they may try again', async () => {
    const results = await Promise.allSettled([
      withRollback(adapter, (tx) => execute(tx, "INSERT INTO counter VALUES ('a', 1)")),
      withRollback(adapter, (tx) => execute(tx, "INSERT OR ROLLBACK INTO counter VALUES ('shared', 1)")),
    ]);
    expect(results.map((result) => result.status === 'rejected' && databaseFault(result.reason)?.kind)).toEqual([
      'retry',
      'duplicate',
    ]);
    expect(await counterOf(adapter, 'a')).toBeUndefined();
    await increment(adapter);
    expect(await counterOf(adapter, 'shared')).toBe(1);
  });

  it('keeps a plain write that comes between transactions', async () => {
    const first = inTransaction(adapter, (tx) => execute(tx, "INSERT INTO counter VALUES ('a', 1)"));
    const plain = execute(adapter, "INSERT INTO counter VALUES ('plain', 1)");
    const failed = withRollback(adapter, (tx) => execute(tx, "INSERT INTO counter VALUES ('a', 2)"));
    expect((await Promise.allSettled([first, plain, failed])).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    expect(await rows(adapter, 'SELECT name FROM counter ORDER BY name')).toEqual([['a'], ['plain'], ['shared']]);
  });

  it('waits for a write of another process, and the process goes on meanwhile', async () => {
    const script = ['test/support/sqlite-writer.mjs', file, "UPDATE counter SET value = 7 WHERE name = 'shared'"];
    const child = spawn(process.execPath, script, { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    setTimeout(() => child.stdin.end('\n'), 400);
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 10);
    await increment(adapter);
    clearInterval(timer);
    expect(await counterOf(adapter, 'shared')).toBe(8);
    expect(ticks).toBeGreaterThan(5);
  });

  it('reports that the database is busy, and works again afterwards', async () => {
    const impatient = await open({ busyTimeout: 60 });
    const transaction = await adapter.startTransaction();
    const busy = { name: 'DriverAdapterError', cause: { kind: 'SocketTimeout' } };
    await expect(impatient.startTransaction()).rejects.toMatchObject(busy);
    await expect(execute(impatient, 'DELETE FROM counter')).rejects.toMatchObject(busy);
    await execute(transaction, 'ROLLBACK');
    await transaction.rollback();
    await increment(impatient);
    expect(await counterOf(impatient, 'shared')).toBe(1);
  });

  it('rolls back what is neither committed nor rolled back when the transaction ends', async () => {
    const transaction = await adapter.startTransaction();
    await execute(transaction, "INSERT INTO counter VALUES ('left', 1)");
    await transaction.rollback();
    expect(await counterOf(adapter, 'left')).toBeUndefined();
    const closed = { cause: { kind: 'TransactionAlreadyClosed' } };
    await expect(execute(transaction, 'DELETE FROM counter')).rejects.toMatchObject(closed);
    await increment(adapter);
  });

  it('runs nothing outside of a transaction that SQLite has rolled back by itself', async () => {
    const transaction = await adapter.startTransaction();
    await execute(transaction, "INSERT OR ROLLBACK INTO counter VALUES ('shared', 1)").catch(() => {});
    const closed = { cause: { kind: 'TransactionAlreadyClosed' } };
    await expect(execute(transaction, "INSERT INTO counter VALUES ('stray', 1)")).rejects.toMatchObject(closed);
    await execute(transaction, 'ROLLBACK');
    await transaction.rollback();
    expect(await counterOf(adapter, 'stray')).toBeUndefined();
  });

  it('undoes to a savepoint', async () => {
    await inTransaction(adapter, async () => undefined);
    const transaction = await adapter.startTransaction();
    await execute(transaction, "INSERT INTO counter VALUES ('kept', 1)");
    await transaction.createSavepoint?.('inner');
    await execute(transaction, "INSERT INTO counter VALUES ('dropped', 1)");
    await transaction.rollbackToSavepoint?.('inner');
    await execute(transaction, 'COMMIT');
    await transaction.commit();
    expect(await counterOf(adapter, 'kept')).toBe(1);
    expect(await counterOf(adapter, 'dropped')).toBeUndefined();
  });

  it('enforces references and reports them as Prisma does', async () => {
    await expect(execute(adapter, "INSERT INTO child VALUES ('nobody')")).rejects.toMatchObject({
      cause: { kind: 'ForeignKeyConstraintViolation' },
    });
    await expect(execute(adapter, "INSERT INTO counter VALUES ('shared', 1)")).rejects.toMatchObject({
      cause: { kind: 'UniqueConstraintViolation', constraint: { fields: ['name'] } },
    });
    await expect(rows(adapter, 'SELECT * FROM nowhere')).rejects.toMatchObject({
      cause: { kind: 'TableDoesNotExist' },
    });
  });

  it('commits with the durability that was asked for', async () => {
    const durable = await open({ synchronous: 'FULL' });
    const pragma = (on: SqlDriverAdapter) => inTransaction(on, (tx) => rows(tx, 'PRAGMA synchronous'));
    expect(await pragma(adapter)).toEqual([[1]]);
    expect(await pragma(durable)).toEqual([[2]]);
    expect(await rows(durable, 'PRAGMA journal_mode')).toEqual([['wal']]);
  });

  it('takes as many parameters as it says', async () => {
    const most = adapter.getConnectionInfo?.().maxBindValues ?? 0;
    const list = Array.from({ length: most }, () => '?').join(',');
    const names = Array.from({ length: most }, (_, at) => (at === most - 1 ? 'shared' : 'x'));
    expect(await rows(adapter, `SELECT name FROM counter WHERE name IN (${list})`, ...names)).toEqual([['shared']]);
  });

  it('lets others go first in a long transaction', async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      if (isOver) return;
      turns += 1;
      setImmediate(count);
    };
    setImmediate(count);
    // each of them takes some milliseconds, and without a break nothing else would run before the end
    const long =
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT max(i) FROM n';
    await inTransaction(adapter, async (tx) => {
      for (let times = 0; times < 20; times += 1) await rows(tx, long);
      isOver = true;
    });
    expect(turns).toBeGreaterThan(2);
  });

  it('moves what is committed into the database and begins its log anew, in a thread of its own', async () => {
    await execute(adapter, 'CREATE TABLE filling (id INTEGER PRIMARY KEY, text TEXT)');
    const fill = () =>
      inTransaction(adapter, (tx) =>
        execute(
          tx,
          `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
           INSERT INTO filling (text) SELECT hex(randomblob(2000)) FROM n`,
        ),
      );
    const sizes = [];
    for (let round = 1; round <= 4; round += 1) {
      await fill();
      await expect.poll(() => statSync(file).size, { timeout: 20_000 }).toBeGreaterThan(round * 20_000_000);
      // the next write finds nothing left in the log
      await expect.poll(() => leftInLog(), { timeout: 20_000 }).toBe(0);
      sizes.push(statSync(`${file}-wal`).size);
    }
    expect(Math.max(...sizes)).toBeLessThan(2 * (sizes[0] ?? 0));
  });

  it('counts statements, in and outside of transactions, but not their brackets', async () => {
    const { factory, log } = logStatements(sqliteAdapter(file));
    const counted = await factory.connect();
    onTestFinished(() => counted.dispose());
    const heard: string[] = [];
    const stop = log.listen((sql) => heard.push(sql));
    await increment(counted);
    stop();
    await counterOf(counted, 'shared');
    expect(log.count()).toBe(3);
    expect(heard.map((sql) => sql.slice(0, 6))).toEqual(['SELECT', 'UPDATE']);
  });
});
