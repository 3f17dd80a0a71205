import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseFault } from '../../src/database/errors.js';
import { type LongReads, longReads } from '../../src/database/long-reads.js';
import { sqliteDriver } from '../../src/database/sqlite-driver.js';
import { bare } from '../../src/database/sqlite-queries.js';
import { temporaryFolder } from '../support/database.js';

let reads: LongReads;
let hurried: LongReads;
const count = (most: number) =>
  bare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${most}) SELECT max(i) AS "most" FROM n`,
  );

beforeAll(async () => {
  const file = join(temporaryFolder(), 'long.db');
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

  it('are given up when their time is over, and others go on', async () => {
    const late = hurried.queryRaw(count(5_000_000)).catch((error: unknown) => databaseFault(error));
    expect(await reads.queryRaw(count(4))).toMatchObject({ rows: [[4]] });
    expect(await late).toEqual({ kind: 'late' });
  });
});
