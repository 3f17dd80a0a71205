// @both-databases
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inLowerCase, textsInOrder, withWildcards } from '../../src/database/like.js';
import type { OpenDatabase } from '../../src/database/open.js';
import type { PrismaClient } from '../../src/generated/sqlite/client.js';
import { countStatements } from '../support/statements.js';
import { type Compared, comparedDatabase } from './compared.js';

// Examples of what the reader is held to; differential.test.ts makes thousands at random.
let both: Compared;
let database: OpenDatabase;
let prisma: PrismaClient;

beforeAll(async () => {
  both = await comparedDatabase();
  database = both.database;
  prisma = both.client;
});
afterAll(() => both?.close());

type FindUsers = NonNullable<Parameters<PrismaClient['user']['findMany']>[0]>;
/** What both understand. */
type UserCase = Pick<FindUsers, 'select' | 'include' | 'where' | 'orderBy' | 'cursor' | 'take' | 'skip'>;

const userCases: Record<string, UserCase> = {
  everything: { orderBy: { id: 'asc' } },
  'scalar filters': {
    where: { enabled: true, realmId: 'r1', username: { gte: 'user-10', not: 'user-14' } },
    orderBy: { username: 'asc' },
  },
  'null and not null': { where: { email: null, firstName: { not: null } }, orderBy: { username: 'desc' } },
  'in and notIn': {
    where: { id: { in: ['u1', 'u2', 'u3', 'none'] }, username: { notIn: ['user-07'] } },
    orderBy: { id: 'asc' },
  },
  'an empty in': { where: { id: { in: [] } } },
  'contains, startsWith, endsWith': {
    where: { username: { contains: '-1', startsWith: 'user' }, email: { endsWith: '.example' } },
    orderBy: { id: 'asc' },
  },
  'and, or, not': {
    where: { OR: [{ firstName: 'F1' }, { AND: [{ enabled: false }, { NOT: { realmId: 'r2' } }] }] },
    orderBy: { id: 'asc' },
  },
  'an empty or': { where: { OR: [] } },
  'none of a list': { where: { NOT: [{ realmId: 'r2' }, { enabled: true }] }, orderBy: { id: 'asc' } },
  'none of an empty list': { where: { NOT: [] }, orderBy: { id: 'asc' } },
  'numbers in a list': { where: { notBefore: { in: [1, 2] }, version: { notIn: [7] } }, orderBy: { id: 'asc' } },
  'large numbers in a list': {
    where: { createdTimestamp: { in: [1_700_000_000_001n, 1_700_000_000_002n] } },
    orderBy: { id: 'asc' },
  },
  'a cursor where the filter leaves one row': {
    where: { id: 'u5' },
    orderBy: { id: 'asc' },
    cursor: { id: 'u10' },
  },
  'the last of a nested list': {
    orderBy: { id: 'asc' },
    select: { id: true, roles: { orderBy: { roleId: 'asc' }, take: -2 } },
  },
  'members in order, with and without another group': {
    where: { groups: { some: { groupId: 'g1' }, none: { groupId: 'g6' } } },
    orderBy: { username: 'asc' },
    take: 4,
  },
  bigint: { where: { createdTimestamp: { gt: 1_700_000_000_020n } }, orderBy: { createdTimestamp: 'desc' } },
  'relations: some, none, every': {
    where: {
      groups: { some: { group: { name: 'group 3' } }, none: { groupId: 'g1' } },
      attributes: { every: { value: { not: 'v3' } } },
    },
    orderBy: { id: 'asc' },
  },
  'a relation to one': { where: { realm: { name: 'r2' } }, orderBy: { id: 'asc' } },
  'a page': { where: { realmId: 'r1' }, orderBy: [{ username: 'asc' }], skip: 5, take: 7 },
  'a page after a cursor': {
    where: { realmId: 'r1' },
    orderBy: [{ username: 'asc' }],
    cursor: { id: 'u9' },
    skip: 1,
    take: 6,
  },
  'a page before a cursor': {
    where: { realmId: 'r1' },
    orderBy: [{ username: 'asc' }],
    cursor: { id: 'u9' },
    skip: 1,
    take: -6,
  },
  'nested selections': {
    orderBy: { id: 'asc' },
    select: {
      id: true,
      createdTimestamp: true,
      enabled: true,
      realm: { select: { name: true, settings: true, attributes: true } },
      attributes: { where: { name: 'a' }, select: { value: true } },
      groups: {
        orderBy: { groupId: 'desc' },
        take: 2,
        select: { group: { select: { name: true, parent: { select: { name: true } } } } },
      },
      _count: { select: { groups: { where: { groupId: { gt: 'g2' } } }, attributes: true } },
    },
  },
  include: { where: { id: 'u5' }, include: { realm: true, groups: { orderBy: { groupId: 'asc' } } } },
  'NULL first': { take: 9, orderBy: [{ firstName: { sort: 'asc', nulls: 'first' } }, { id: 'asc' }] },
  'NULL last': { take: 9, orderBy: [{ firstName: { sort: 'desc', nulls: 'last' } }, { id: 'asc' }] },
  'NULL first, from the end': { take: -9, orderBy: [{ firstName: { sort: 'asc', nulls: 'first' } }, { id: 'asc' }] },
  'order by a relation': { take: 5, orderBy: [{ realm: { name: 'desc' } }, { id: 'asc' }], select: { id: true } },
};

describe('the reader answers as Prisma does', () => {
  it.each(Object.entries(userCases))('%s', async (_name, args) => {
    expect(await database.read.user.findMany(args)).toEqual(await prisma.user.findMany(args));
  });

  it('counts', async () => {
    const where = { groups: { some: { groupId: 'g2' } } };
    expect(await database.read.user.count({ where })).toBe(await prisma.user.count({ where }));
  });

  it('finds rows without related ones where others have none to belong to', async () => {
    const args = { where: { NOT: { children: { some: {} } } }, orderBy: { id: 'asc' } } as const;
    expect(await database.read.group.findMany(args)).toHaveLength(5);
    expect(await database.read.group.findMany(args)).toEqual(await prisma.group.findMany(args));
  });

  it('pages through rows whose related rows have columns of the same name', async () => {
    const args = { where: { users: { some: {} } }, orderBy: { id: 'asc' }, take: 10 } as const;
    const all = await prisma.realm.findMany(args);
    expect(await database.read.realm.findMany({ ...args, skip: 1 })).toEqual(all.slice(1));
  });

  it('finds by compound keys', async () => {
    const where = { realmId_username: { realmId: 'r1', username: 'user-07' } };
    expect(await database.read.user.findUnique({ where })).toEqual(await prisma.user.findUnique({ where }));
    expect(await database.read.user.findUnique({ where: { id: 'nobody' } })).toBeNull();
  });
});

describe('the reader throws for what it does not know', () => {
  it.each<[string, object]>([
    ['distinct', { distinct: ['realmId'] }],
    ['omit', { omit: { email: true } }],
    ['relationLoadStrategy', { relationLoadStrategy: 'join' }],
    ['a mode of texts', { where: { username: { contains: 'a', mode: 'insensitive' } } }],
    ['an unknown place for NULL', { orderBy: { email: { sort: 'asc', nulls: 'nowhere' } } }],
    ['an order by the number of related rows', { orderBy: { groups: { _count: 'asc' } } }],
    ['an unknown field', { where: { nickname: 'a' } }],
    ['an unknown test', { where: { username: { search: 'a' } } }],
    ['an unknown column', { select: { nickname: true } }],
    ['distinct in a nested list', { include: { groups: { distinct: ['groupId'] } } }],
    ['a filter of one related row', { include: { realm: { where: { name: 'r1' } } } }],
    ['a page of a number', { select: { _count: { select: { groups: { take: 1 } } } } }],
  ])('%s', async (_name, args) => {
    await expect(both.ours('User').findMany(args)).rejects.toThrow(/User|UserGroup|Realm|filter/);
  });

  it('in its types', async () => {
    const { user } = database.read;
    // @ts-expect-error a page has no distinct rows
    await expect(user.findMany({ distinct: ['realmId'] })).rejects.toThrow('distinct');
    // @ts-expect-error what is not selected is left out
    await expect(user.findFirst({ omit: { email: true } })).rejects.toThrow('omit');
    // @ts-expect-error a row that one key names has no order
    await expect(user.findUnique({ where: { id: 'u1' }, orderBy: { nickname: 'asc' } })).rejects.toThrow('nickname');
    // @ts-expect-error a number has no page
    await expect(user.count({ take: 5 })).rejects.toThrow('take');
  });

  it('a count of a page', async () => {
    await expect(both.ours('User').count({ take: 5 })).rejects.toThrow('A query of User cannot have take');
  });
});

describe('the reader', () => {
  it('takes one statement, however much is nested', async () => {
    const nested = () => database.read.user.findMany(userCases['nested selections'] as object);
    const realClockBecause = 'No service with caches uses this database.';
    expect(await countStatements(database, nested, { realClockBecause })).toBe(1);
  });

  it('has wildcards only in patterns', async () => {
    const count = (contains: string) => database.read.user.count({ where: { search: { contains } } });
    expect(await count('user_1')).toBe(11);
    expect(await count('u_er')).toBe(0);
    expect(await count('%user')).toBe(0);
    expect(await count('_1%')).toBe(1);
    expect(await count(withWildcards('u_er_1'))).toBe(11);
    expect(await count(withWildcards('u%r_1'))).toBe(11);
    expect(await count(withWildcards('user\\_1'))).toBe(0);
    expect(await count(textsInOrder('user', '7', '%'))).toBe(4);
    expect(await count(textsInOrder('user', '_1%'))).toBe(1);
    expect(await count(textsInOrder('7', 'user'))).toBe(0);
  });

  it('takes every text of the characters that LIKE has a meaning for as it is', async () => {
    const signs = ['%', '_', '\\', 'a'];
    const pairs = signs.flatMap((sign) => [sign, ...signs.map((next) => sign + next)]);
    const texts = pairs.flatMap((pair) => (pair.length === 1 ? pair : [pair, ...signs.map((next) => pair + next)]));
    const names = texts.map((name, at) => ({ id: `w${at}`, realmId: 'r1', name, container: 'r1', path: name }));
    await database.transaction((tx) =>
      tx.group.createMany({ data: names.map((row) => ({ ...row, search: row.name })) }),
    );
    for (const text of pairs) {
      const expected = {
        contains: texts.filter((one) => one.includes(text)),
        startsWith: texts.filter((one) => one.startsWith(text)),
        endsWith: texts.filter((one) => one.endsWith(text)),
      };
      for (const [test, found] of Object.entries(expected)) {
        const where = { id: { startsWith: 'w' }, name: { [test]: text } };
        const rows = await database.read.group.findMany({ where, select: { name: true } });
        expect(rows.map(({ name }) => name).sort(), `${test} ${text}`).toEqual(found.sort());
      }
    }
    await database.transaction((tx) => tx.group.deleteMany({ where: { id: { startsWith: 'w' } } }));
  });

  it('takes any text that is looked for as it is, and pages of any size', async () => {
    const texts = [
      "o'clock",
      'back\\slash',
      "\\'",
      'what?',
      '$1',
      '?',
      "E'",
      'ünï 🙂',
      '/* note */',
      ';--',
      '\n',
      '%_',
    ];
    const rows = texts.map((text, at) => ({ id: `t${at}`, realmId: 'r1', name: text, container: 'r1', path: text }));
    await database.transaction((tx) =>
      tx.group.createMany({ data: rows.map((row) => ({ ...row, search: row.name })) }),
    );
    for (const text of texts) {
      for (const test of ['contains', 'startsWith', 'endsWith']) {
        const where = { id: { startsWith: 't' }, name: { [test]: text } };
        const found = await database.read.group.findMany({
          where,
          select: { name: true },
          orderBy: { id: 'asc' },
          take: 37,
        });
        const expected = texts.filter(
          (one) =>
            ({ contains: one.includes(text), startsWith: one.startsWith(text), endsWith: one.endsWith(text) })[test],
        );
        expect(found.map(({ name }) => name).sort(), `${test} ${text}`).toEqual(expected.sort());
      }
    }
    expect(
      await database.read.group.findMany({ where: { id: { startsWith: 't' } }, select: { id: true }, take: 7 }),
    ).toHaveLength(7);
    await database.transaction((tx) => tx.group.deleteMany({ where: { id: { startsWith: 't' } } }));
  });

  it('minds case in texts', async () => {
    expect(await database.read.user.count({ where: { username: { contains: 'USER' } } })).toBe(0);
  });

  it('ignores case where that is asked for', async () => {
    const count = (test: object) => database.read.group.count({ where: { realmId: 'r1', name: inLowerCase(test) } });
    const rows = ['One Case', 'one CASE', 'other'].map((name) => ({
      id: name,
      realmId: 'r1',
      name,
      container: 'r1',
      path: name,
    }));
    await database.transaction((tx) => tx.group.createMany({ data: rows }));
    expect(await count({ equals: 'one case' })).toBe(2);
    expect(await count({ startsWith: 'o', contains: 'e c' })).toBe(2);
    expect(await count({ equals: 'One Case' })).toBe(0);
    await database.transaction((tx) => tx.group.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } }));
  });

  it('answers several queries in one statement', async () => {
    const queries: UserCase[] = [
      { where: { realmId: 'r1' }, orderBy: { username: 'asc' }, take: 3, select: { id: true, enabled: true } },
      { where: { id: { in: [] } }, select: { id: true, enabled: true } },
      { orderBy: { username: 'desc' }, skip: 1, take: 2, select: { id: true, enabled: true } },
    ];
    const read = () => database.read.user.findManyEach({ queries });
    expect(
      await countStatements(database, read, { realClockBecause: 'No service with caches uses this database.' }),
    ).toBe(1);
    expect(await read()).toEqual(await Promise.all(queries.map((query) => prisma.user.findMany(query))));
  });

  it('inserts, updates and deletes as Prisma reads it', async () => {
    await database.read.role.createMany({
      data: [{ id: 'x', realmId: 'r1', container: 'r1', name: 'x', description: `q'"\\\u2603` }],
    });
    expect(await database.read.insertNew('Role', [{ id: 'y', realmId: 'r1', container: 'r1', name: 'x' }])).toBe(0);
    expect(
      await database.read.role.updateMany({
        where: { id: 'x' },
        data: { version: { increment: 2 }, description: null },
      }),
    ).toEqual({ count: 1 });
    expect(await prisma.role.findUnique({ where: { id: 'x' } })).toMatchObject({ version: 2, description: null });
    await database.read.realm.updateMany({ where: { id: 'r2' }, data: { settings: { b: [true, 1.5, 'x'] } } });
    expect((await prisma.realm.findUnique({ where: { id: 'r2' } }))?.settings).toEqual({ b: [true, 1.5, 'x'] });
    expect(await database.read.role.deleteMany({ where: { id: 'x' } })).toEqual({ count: 1 });
  });
});
