import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { threadFile } from '../../src/config/project.js';
import { databaseFault } from '../../src/database/errors.js';
import { type LongReads, longReads } from '../../src/database/long-reads.js';
import { sqliteDriver } from '../../src/database/sqlite-driver.js';
import { bare } from '../../src/database/sqlite-queries.js';
import { temporaryFolder } from '../support/database.js';

let reads: LongReads;
let hurried: LongReads;
let file: string;
const count = (most: number) =>
  bare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${most}) SELECT max(i) AS "most" FROM n`,
  );

beforeAll(async () => {
  file = join(temporaryFolder(), 'long.db');
  (await sqliteDriver()).open(file).exec('PRAGMA journal_mode = WAL; CREATE TABLE "A" ("id" TEXT)');
  reads = longReads({ file }, 60_000);
  hurried = longReads({ file }, 50);
});
afterAll(() => Promise.all([reads.close(), hurried.close()]));

describe('statements in threads', () => {
  it('answer as those on the main thread do', async () => {
    expect(await reads.queryRaw(count(3))).toMatchObject({ columnNames: ['most'], rows: [[3]] });
    await expect(reads.queryRaw(bare('SELECT absent'))).rejects.toMatchObject({ cause: { kind: 'ColumnNotFound' } });
    await expect(reads.queryRaw(bare('DELETE FROM "A"'))).rejects.toMatchObject({
      cause: { originalCode: 'SQLITE_READONLY' },
    });
  });

  it('plan by new statistics, also while somebody writes', async () => {
    const other = (await sqliteDriver()).open(file);
    other.exec('BEGIN IMMEDIATE');
    reads.renew();
    expect(await reads.queryRaw(count(6))).toMatchObject({ rows: [[6]] });
    other.exec('ROLLBACK');
    other.close();
  });

  it('are refused after the end', async () => {
    const ended = longReads({ file }, 60_000);
    const asked = Array.from({ length: 5 }, () => ended.queryRaw(count(100_000)).then(() => 'done', databaseFault));
    await ended.close();
    expect(await Promise.all(asked)).toEqual(['done', 'done', ...Array(3).fill({ kind: 'late' })]);
    await expect(ended.queryRaw(count(1))).rejects.toThrow('closed');
  });

  it('end with the row that they are at when their time is over', async () => {
    (await sqliteDriver()).open(file).exec(`INSERT INTO "A" SELECT value FROM json_each('[${Array(500).fill(1)}]')`);
    const slow = `SELECT t0."id" FROM "A" t0 WHERE (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000)
      SELECT max(i) + length(t0."id") FROM n) > 0`;
    const thread = new Worker(threadFile('read'), { workerData: { file } });
    thread.postMessage({ query: bare(slow), timeLeft: 50 });
    expect(await once(thread, 'message')).toEqual(['late']);
    thread.postMessage('close');
  });

  it('are given up when their time is over, and others go on', async () => {
    const late = hurried.queryRaw(count(5_000_000)).catch((error: unknown) => databaseFault(error));
    expect(await reads.queryRaw(count(4))).toMatchObject({ rows: [[4]] });
    expect(await late).toEqual({ kind: 'late' });
    // what waited when its time was over has no turn any more
    const waiting = Array.from({ length: 6 }, () => hurried.queryRaw(count(5_000_000)).catch(databaseFault));
    expect(new Set((await Promise.all(waiting)).map((fault) => JSON.stringify(fault)))).toEqual(
      new Set(['{"kind":"late"}']),
    );
    const answered = () => hurried.queryRaw(count(5)).then(({ rows }) => rows, databaseFault);
    await expect.poll(answered, { timeout: 20_000 }).toEqual([[5]]);
  });
});
