import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import { PrismaPg } from '@prisma/adapter-pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textsInOrder, withWildcards } from '../../src/database/like.js';
import { migrate } from '../../src/database/migrate.js';
import { type OpenDatabase, openDatabase } from '../../src/database/open.js';
import { sqliteFile } from '../../src/database/url.js';
import { PrismaClient as PostgresqlClient } from '../../src/generated/postgresql/client.js';
import { PrismaClient } from '../../src/generated/sqlite/client.js';
import { dialect, freshDatabaseUrl } from '../support/database.js';

// The reader has Prisma's types; here it is held against what Prisma's own engine answers to the same arguments.
let database: OpenDatabase;
let prisma: PrismaClient;

beforeAll(async () => {
  const databaseUrl = await freshDatabaseUrl();
  await migrate(databaseUrl);
  database = await openDatabase({ databaseUrl, databasePool: 3, sqliteSynchronous: 'NORMAL' });
  prisma =
    dialect === 'sqlite'
      ? new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: sqliteFile(databaseUrl) }) })
      : (new PostgresqlClient({ adapter: new PrismaPg({ connectionString: databaseUrl }) }) as unknown as PrismaClient);
  await database.transaction(async (tx) => {
    await tx.realm.createMany({
      data: ['r1', 'r2'].map((id) => ({
        id,
        name: id,
        settings: { deep: { list: [1, 'two', null] } },
        attributes: { a: 'ü"\\' },
      })),
    });
    const users = Array.from({ length: 40 }, (_, at) => ({
      id: `u${at}`,
      realmId: at % 4 === 0 ? 'r2' : 'r1',
      username: `user-${String((at * 7) % 40).padStart(2, '0')}`,
      email: at % 3 === 0 ? null : `u${at}@mail.example`,
      firstName: at % 5 === 0 ? null : `F${at % 3}`,
      enabled: at % 2 === 0,
      createdTimestamp: at % 6 === 0 ? null : BigInt(1_700_000_000_000 + at),
      search: `user_${at}%`,
    }));
    await tx.user.createMany({ data: users });
    const groups = Array.from({ length: 8 }, (_, at) => ({
      id: `g${at}`,
      realmId: 'r1',
      container: at < 3 ? 'r1' : `g${at % 3}`,
      parentId: at < 3 ? null : `g${at % 3}`,
      name: `group ${at}`,
      path: `/group ${at}`,
    }));
    await tx.group.createMany({ data: groups });
    await tx.userGroup.createMany({
      data: users
        .flatMap((user, at) =>
          [0, 1, 2]
            .filter((by) => (at + by) % 4 !== 0 && user.realmId === 'r1')
            .map((by) => ({ userId: user.id, username: user.username, groupId: `g${(at + by * 3) % 8}` })),
        )
        .filter(
          (row, at, all) =>
            all.findIndex((other) => other.userId === row.userId && other.groupId === row.groupId) === at,
        ),
    });
    await tx.userAttribute.createMany({
      data: users.flatMap(({ id }, at) =>
        ['b', 'a'].map((name, position) => ({ userId: id, name, position, value: `v${at % 4}` })),
      ),
    });
  });
});
afterAll(async () => {
  await prisma?.$disconnect();
  await database?.close();
});

const userCases: Record<string, Parameters<PrismaClient['user']['findMany']>[0]> = {
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

  it('finds by compound keys', async () => {
    const where = { realmId_username: { realmId: 'r1', username: 'user-07' } };
    expect(await database.read.user.findUnique({ where })).toEqual(await prisma.user.findUnique({ where }));
    expect(await database.read.user.findUnique({ where: { id: 'nobody' } })).toBeNull();
  });
});

describe('the reader', () => {
  it('takes one statement, however much is nested', async () => {
    const before = database.statements();
    await database.read.user.findMany(userCases['nested selections'] as object);
    expect(database.statements() - before).toBe(1);
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
