// @both-databases
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../src/database/open.js';
import { Prisma } from '../../src/database/prisma.js';
import { dialect, freshDatabaseUrl } from '../support/database.js';

describe.runIf(dialect === 'postgresql')('statements on a connection', () => {
  let database: OpenDatabase;

  beforeAll(async () => {
    database = await openDatabase({
      databaseUrl: await freshDatabaseUrl(),
      databasePool: 1,
      sqliteSynchronous: 'NORMAL',
    });
  });
  afterAll(() => database.close());

  const ask = async (number: number): Promise<number | undefined> =>
    (await database.read.query<{ n: number }>(Prisma.sql`SELECT ${Prisma.raw(String(number))} AS "n"`))[0]?.n;
  const held = async (): Promise<string[]> =>
    (
      await database.read.query<{ text: string }>(Prisma.sql`SELECT statement AS "text" FROM pg_prepared_statements`)
    ).map(({ text }) => text);

  it('are prepared when they come again, however many others there have been, and not kept for ever', async () => {
    for (let number = 0; number < 1300; number += 1) {
      for (let time = 0; time < 3; time += 1) expect(await ask(number)).toBe(number);
    }
    const texts = await held();
    expect(texts).toContain('SELECT 1299 AS "n"');
    expect(texts).not.toContain('SELECT 0 AS "n"');
    expect(texts.length).toBeLessThan(650);
    // one that has lost its name works, and gets another
    for (let time = 0; time < 3; time += 1) expect(await ask(0)).toBe(0);
    expect(await held()).toContain('SELECT 0 AS "n"');
  });
});
