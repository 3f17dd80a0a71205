// @both-databases
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/database/migrate.js';
import { type OpenDatabase, openDatabase } from '../../src/database/open.js';
import { Prisma } from '../../src/database/prisma.js';
import { dialect, freshDatabaseUrl } from '../support/database.js';

// Texts that a database, or the way to it, might take for something else, and the edges of numbers.
const texts = [
  '',
  ' ',
  'null',
  'true',
  '0',
  '007',
  '1e5',
  '"',
  `'`,
  '\\',
  '{}',
  '[1]',
  'é',
  'e\u0301',
  '😀',
  '\u2028',
  null,
];
const jsons = [{}, { a: [1, true, null, '\u2028', { b: 1.5 }] }, { list: [] }, { '"': "'" }];
const times = [0n, 1n, -1n, 1_700_000_000_123n, 9_007_199_254_740_991n];

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
const actions = (prefix: string) =>
  Array.from({ length: 60 }, (_, index) => ({
    id: `${prefix}${index}`,
    realmId: 'r',
    alias: `${prefix} ${at(texts, index)} ${index}`,
    name: at(texts, index),
    providerId: at(texts, index + 3) ?? '',
    enabled: index % 2 === 0,
    defaultAction: index % 3 === 0,
    priority: at([0, 1, -1, 2_147_483_647, -2_147_483_648], index),
    config: at(jsons, index),
  }));
const users = (prefix: string) =>
  Array.from({ length: 30 }, (_, index) => ({
    id: `${prefix}${index}`,
    realmId: 'r',
    username: `${prefix}${index}`,
    search: at(texts, index) ?? '',
    firstName: at(texts, index + 1),
    createdTimestamp: at(times, index),
    enabled: index % 2 === 1,
  }));

describe('rows that are inserted together', () => {
  let database: OpenDatabase;

  beforeAll(async () => {
    const databaseUrl = await freshDatabaseUrl();
    await migrate(databaseUrl);
    database = await openDatabase({ databaseUrl, databasePool: 2, sqliteSynchronous: 'NORMAL' });
    await database.transaction((tx) => tx.realm.createMany({ data: { id: 'r', name: 'r' } }));
  });
  afterAll(() => database.close());

  it('are stored as those that are inserted one by one', async () => {
    await database.transaction(async (tx) => {
      await tx.requiredAction.createMany({ data: actions('many') });
      await tx.user.createMany({ data: users('many') });
      for (const data of actions('each')) await tx.requiredAction.createMany({ data });
      for (const data of users('each')) await tx.user.createMany({ data });
    });
    // as the database has them, with the types of their values
    const typeOf = database.dialect === 'sqlite' ? 'typeof' : 'pg_typeof';
    const stored = async (table: string, columns: readonly string[], prefix: string) => {
      const selected = columns.map(
        (column) => `"${column}", CAST(${typeOf}("${column}") AS TEXT) AS "type of ${column}"`,
      );
      const order = `CAST(substr("id", ${prefix.length + 1}) AS INTEGER)`;
      return database.read.query(
        Prisma.sql`SELECT ${Prisma.raw(selected.join())} FROM ${Prisma.raw(`"${table}"`)} WHERE "id" LIKE ${`${prefix}%`} ORDER BY ${Prisma.raw(order)}`,
      );
    };
    for (const [table, columns] of [
      ['RequiredAction', ['name', 'providerId', 'enabled', 'defaultAction', 'priority', 'config', 'version']],
      ['User', ['search', 'firstName', 'email', 'createdTimestamp', 'enabled', 'requiredActions']],
    ] as const) {
      const many = await stored(table, columns, 'many');
      expect(many.length).toBeGreaterThanOrEqual(30);
      expect(many).toEqual(await stored(table, columns, 'each'));
    }
  });

  it('are all stored, or none of them', async () => {
    const [first, second] = actions('taken');
    if (!first || !second) throw new Error('There are no rows');
    const twice = [first, second, { ...first, id: 'another' }];
    const found = () => database.read.requiredAction.count({ where: { alias: { startsWith: 'taken' } } });
    await expect(database.read.requiredAction.createMany({ data: twice })).rejects.toThrow();
    expect(await found()).toBe(0);
    await expect(database.transaction((tx) => tx.requiredAction.createMany({ data: twice }))).rejects.toThrow();
    expect(await found()).toBe(0);
    expect(await database.read.insertNew('RequiredAction', twice)).toBe(2);
    expect(await found()).toBe(2);
  });

  it.runIf(dialect === 'sqlite')('leave alone what the transaction has written before', async () => {
    const [first, second] = actions('before');
    if (!first || !second) throw new Error('There are no rows');
    await database.transaction(async (tx) => {
      await tx.requiredAction.createMany({ data: first });
      await expect(tx.requiredAction.createMany({ data: [second, { ...first, id: 'another' }] })).rejects.toThrow();
    });
    const where = { alias: { startsWith: 'before' } };
    expect(await database.read.requiredAction.findMany({ where, select: { id: true } })).toEqual([{ id: first.id }]);
  });
});
