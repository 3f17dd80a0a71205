// @both-databases
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../src/database/db.js';
import { databaseFault } from '../../src/database/errors.js';
import { migrate } from '../../src/database/migrate.js';
import { type OpenDatabase, openDatabase } from '../../src/database/open.js';
import { Prisma } from '../../src/database/prisma.js';
import { freshDatabaseUrl } from '../support/database.js';

let database: OpenDatabase;

beforeAll(async () => {
  const databaseUrl = await freshDatabaseUrl();
  await migrate(databaseUrl);
  // one connection, so that every transaction meets what the one before has left there
  database = await openDatabase({ databaseUrl, databasePool: 1, sqliteSynchronous: 'NORMAL' });
});

afterAll(() => database.close());

const add = (tx: Db, ...ids: string[]) => tx.realm.createMany({ data: ids.map((id) => ({ id, name: id })) });
const names = async (db: Db = database.read) =>
  (await db.realm.findMany({ select: { name: true }, orderBy: [{ id: 'asc' }] })).map(({ name }) => name);
const empty = () => database.transaction((tx) => tx.later.realm.deleteMany({}));
const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => databaseFault(error)?.kind ?? String(error),
  );

describe('a transaction', () => {
  it('keeps the order of its statements, whether they are waited for or not', async () => {
    const seen = await database.transaction(async (tx) => {
      await add(tx, 'a');
      await tx.later.realm.updateMany({ where: { id: 'a' }, data: { name: 'b' } });
      const first = await names(tx);
      await tx.later.realm.updateMany({ where: { name: 'b' }, data: { name: 'c' } });
      const [second, count] = await Promise.all([names(tx), tx.realm.count()]);
      await tx.later.insertNew('Realm', [{ id: 'a', name: 'z' }]);
      await add(tx, 'x', 'y');
      return { first, second, count };
    });
    expect(seen).toEqual({ first: ['b'], second: ['c'], count: 1 });
    expect(await names()).toEqual(['c', 'x', 'y']);
    await empty();
    expect(await names()).toEqual([]);
  });

  it('keeps nothing when its last statement fails, and the connection goes on', async () => {
    // repeated, as statements are prepared from the second time on
    for (let time = 0; time < 4; time += 1) {
      const twice = database.transaction(async (tx) => {
        await add(tx, 'a');
        await add(tx, 'b');
        await add(tx, 'a');
        await tx.later.realm.updateMany({ where: { id: 'b' }, data: { name: 'c' } });
      });
      expect(await kindOf(twice)).toBe('duplicate');
      expect(await names()).toEqual([]);
      await database.transaction((tx) => add(tx, 'a'));
      expect(await names()).toEqual(['a']);
      await empty();
    }
  });

  it('keeps nothing of what was not waited for when it is left with an error', async () => {
    const left = database.transaction(async (tx) => {
      await add(tx, 'a');
      throw new Error('enough');
    });
    await expect(left).rejects.toThrow('enough');
    expect(await names()).toEqual([]);
  });

  it('does not commit what fails a check', async () => {
    const checked = (wanted: number) =>
      database.transaction(async (tx) => {
        await add(tx, 'a');
        await tx.later.expect(Prisma.sql`SELECT "version" FROM "Realm" WHERE "id" = ${'a'}`, ([row]) => {
          if (row?.[0] !== wanted) throw new Error('another version');
        });
        await add(tx, 'b');
      });
    await expect(checked(7)).rejects.toThrow('another version');
    expect(await names()).toEqual([]);
    await checked(0);
    expect(await names()).toEqual(['a', 'b']);
    await empty();
  });

  it('tells of a failure when it is asked to settle', async () => {
    const settled = database.transaction(async (tx) => {
      await add(tx, 'a');
      const duplicate = add(tx, 'a').then(() => tx.later.settle());
      expect(await kindOf(duplicate)).toBe('duplicate');
      throw new Error('seen');
    });
    await expect(settled).rejects.toThrow('seen');
    expect(await names()).toEqual([]);
  });

  it('stores values of every type, one row or several', async () => {
    const rows = ['one', 'two', 'three'].map((id, at) => ({
      id,
      name: `${id} \u00fc"\\'`,
      enabled: at % 2 === 0,
      settings: { list: [1, 'two', null, { deep: true }] },
      displayName: at === 1 ? null : id,
    }));
    const select = { id: true, name: true, enabled: true, settings: true, displayName: true } as const;
    await database.transaction((tx) => tx.realm.createMany({ data: rows.slice(0, 1) }));
    await database.transaction((tx) => tx.realm.createMany({ data: rows.slice(1) }));
    const stored = await database.read.realm.findMany({ select });
    const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id);
    expect(stored.toSorted(byId)).toEqual(rows.toSorted(byId));
    await empty();
  });
});
