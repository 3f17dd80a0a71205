import { PrismaPg } from '@prisma/adapter-pg';
import { migrate } from '../../src/database/migrate.js';
import { delegateName, modelOf } from '../../src/database/model.js';
import { type OpenDatabase, openDatabase } from '../../src/database/open.js';
import { sqliteAdapter } from '../../src/database/sqlite-adapter.js';
import { sqliteFile } from '../../src/database/url.js';
import { PrismaClient as PostgresqlClient } from '../../src/generated/postgresql/client.js';
import { PrismaClient } from '../../src/generated/sqlite/client.js';
import { dialect, freshDatabaseUrl } from '../support/database.js';

interface Reads {
  findMany(args: object): Promise<unknown[]>;
  count(args: object): Promise<number>;
}

/** A database with rows of every kind of relation, as the compiler and as Prisma's own client read it. */
export interface Compared {
  database: OpenDatabase;
  client: PrismaClient;
  ours(model: string): Reads;
  prisma(model: string): Reads;
  /** Whether OFFSET is right in statements of Prisma's client that test for related rows: see src/database/exists.ts. */
  prismaSkipsRows: boolean;
  close(): Promise<void>;
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

const realms = ['r1', 'r2'].map((id) => ({
  id,
  name: id,
  displayName: id === 'r1' ? 'one' : null,
  settings: { deep: { list: [1, 'two', null] } },
  attributes: { a: 'ü"\\' },
}));
const users = numbers(40).map((at) => ({
  id: `u${at}`,
  realmId: at % 4 === 0 ? 'r2' : 'r1',
  username: `user-${String((at * 7) % 40).padStart(2, '0')}`,
  email: at % 3 === 0 ? null : `u${at}@mail.example`,
  firstName: at % 5 === 0 ? null : `F${at % 3}`,
  enabled: at % 2 === 0,
  createdTimestamp: at % 6 === 0 ? null : BigInt(1_700_000_000_000 + at),
  notBefore: at % 3,
  search: `user_${at}%`,
}));
const groups = numbers(8).map((at) => ({
  id: `g${at}`,
  realmId: 'r1',
  container: at < 3 ? 'r1' : `g${at % 3}`,
  parentId: at < 3 ? null : `g${at % 3}`,
  name: `group ${at}`,
  path: `/group ${at}`,
  isDefault: at % 3 === 0,
}));
const roles = numbers(12).map((at) => ({
  id: `x${at}`,
  realmId: at % 3 === 0 ? 'r2' : 'r1',
  container: at % 3 === 0 ? 'r2' : 'r1',
  name: `role ${at}`,
  description: at % 2 === 0 ? null : `what role ${at % 4} is for`,
  version: at % 4,
}));
const inRealm =
  (realm: string) =>
  ({ realmId }: { realmId: string }) =>
    realmId === realm;
const membersOf = users.filter(inRealm('r1'));
const userGroups = membersOf.flatMap(({ id, username }, at) =>
  groups.filter((_, group) => (at + group) % 5 === 0).map((group) => ({ userId: id, username, groupId: group.id })),
);
const userRoles = users.flatMap(({ id, username, realmId }, at) =>
  roles
    .filter(inRealm(realmId))
    .filter((_, role) => (at + role) % 3 === 0)
    .map((role) => ({ userId: id, username, roleId: role.id, imported: at % 2 === 0 })),
);
const groupRoles = groups.flatMap(({ id }, at) =>
  roles
    .filter(inRealm('r1'))
    .filter((_, role) => (at + role) % 4 === 0)
    .map((role) => ({ groupId: id, roleId: role.id })),
);
const composites = roles.flatMap((parent, at) =>
  roles
    .slice(at + 1)
    .filter(inRealm(parent.realmId))
    .filter((_, child) => (at + child) % 2 === 0)
    .map((child) => ({ parentId: parent.id, childId: child.id })),
);
const attributes = users.flatMap(({ id }, at) =>
  ['b', 'a'].map((name, position) => ({ userId: id, name, position, value: `v${at % 4}` })),
);

const rows: Record<string, Record<string, unknown>[]> = {
  Realm: realms,
  User: users,
  UserAttribute: attributes,
  UserGroup: userGroups,
  UserRole: userRoles,
  Group: groups,
  GroupRole: groupRoles,
  Role: roles,
  CompositeRole: composites,
};

/** The models that have rows. */
export const models = Object.keys(rows);

/** Values that rows have in a field, and one that none has. */
export function valuesOf(model: string, field: string): readonly unknown[] {
  const found = (rows[model] ?? []).map((row) => row[field]).filter((value) => value !== undefined && value !== null);
  if (found.length > 0) return [...found, ...(typeof found[0] === 'string' ? ['nothing'] : [])];
  return unset[typeOf(model, field)] ?? ['nothing'];
}

const unset: Record<string, readonly unknown[]> = { Boolean: [false, true], Int: [0, 1], BigInt: [0n] };

const typeOf = (model: string, field: string): string =>
  modelOf(model).scalars.find(({ name }) => name === field)?.type ?? 'String';

const elements = dialect === 'sqlite' ? 'json_each' : 'json_array_elements_text';
/** Asks for the second of two rows, of which the first has two related rows. */
const secondRow = `SELECT a.value FROM ${elements}('[1,2]') a
  WHERE EXISTS (SELECT 1 FROM ${elements}('[1,1,2]') b WHERE b.value = a.value) LIMIT 2 OFFSET 1`;

/** Makes the database. */
export async function comparedDatabase(): Promise<Compared> {
  const databaseUrl = await freshDatabaseUrl();
  await migrate(databaseUrl);
  const database = await openDatabase({ databaseUrl, databasePool: 3, sqliteSynchronous: 'NORMAL' });
  const client =
    dialect === 'sqlite'
      ? new PrismaClient({ adapter: sqliteAdapter(sqliteFile(databaseUrl)) })
      : (new PostgresqlClient({ adapter: new PrismaPg({ connectionString: databaseUrl }) }) as unknown as PrismaClient);
  await database.transaction(async (tx) => {
    await tx.realm.createMany({ data: realms });
    await tx.user.createMany({ data: users });
    await tx.group.createMany({ data: groups });
    await tx.role.createMany({ data: roles });
    await tx.userGroup.createMany({ data: userGroups });
    await tx.userRole.createMany({ data: userRoles });
    await tx.groupRole.createMany({ data: groupRoles });
    await tx.compositeRole.createMany({ data: composites });
    await tx.userAttribute.createMany({ data: attributes });
  });
  const of = (source: object) => (model: string) => (source as Record<string, Reads>)[delegateName(model)] as Reads;
  return {
    database,
    client,
    ours: of(database.read),
    prisma: of(client),
    prismaSkipsRows: (await client.$queryRawUnsafe<unknown[]>(secondRow)).length === 1,
    async close() {
      await client.$disconnect();
      await database.close();
    },
  };
}

/** A query as a text, for the message of a failure. */
export const shown = (query: unknown): string =>
  JSON.stringify(query, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value));
