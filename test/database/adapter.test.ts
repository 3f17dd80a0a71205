import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SqlDriverAdapter, SqlQueryable } from '@prisma/driver-adapter-utils';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type SqliteOptions, sqliteAdapter } from '../../src/database/sqlite-adapter.js';
import { logStatements } from '../../src/database/statements.js';
import { dialect, temporaryFolder } from '../support/database.js';

let file: string;

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

  it('waits for a write of another process, and the process goes on meanwhile', async () => {
    const script = `
      const database = new (require('better-sqlite3'))(process.argv[1]);
      database.exec("BEGIN IMMEDIATE; UPDATE counter SET value = 7 WHERE name = 'shared'");
      console.log('locked');
      setTimeout(() => database.exec('COMMIT'), 400);
    `;
    const child = spawn(process.execPath, ['-e', script, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
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
