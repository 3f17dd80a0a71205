// @both-databases
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ColumnTypeEnum, type SqlQuery } from '@prisma/driver-adapter-utils';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { databaseFault } from '../../src/database/errors.js';
import { nameOfSqliteCode } from '../../src/database/sqlite-codes.js';
import { objectsOf, type SqliteConnection, sqliteCodeOf } from '../../src/database/sqlite-connection.js';
import { driverOfNode, sqliteDriver } from '../../src/database/sqlite-driver.js';
import { type Queries, queriesOn } from '../../src/database/sqlite-queries.js';
import { dialect, temporaryFolder } from '../support/database.js';
import { sqliteDrivers } from '../support/sqlite-drivers.js';

const header = 'node_modules/@photostructure/sqlite/src/upstream/sqlite3.h';
const onSqlite = describe.runIf(dialect === 'sqlite');

const query = (sql: string, ...args: [value: unknown, type?: SqlQuery['argTypes'][number]['scalarType']][]) => ({
  sql,
  args: args.map(([value]) => value),
  argTypes: args.map(([, scalarType = 'unknown']) => ({ scalarType, arity: 'scalar' as const })),
});

/** What a call throws. */
function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

onSqlite.each(sqliteDrivers)('SQLite by $name', (driver) => {
  let file: string;
  let connection: SqliteConnection;
  let queries: Queries;

  beforeEach(() => {
    file = join(temporaryFolder(), 'driver.db');
    connection = driver.open(file);
    onTestFinished(() => connection.close());
    queries = queriesOn(connection);
    connection.exec(`
      PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON;
      CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT NOT NULL, place INTEGER, UNIQUE (name, place)) STRICT;
      CREATE TABLE child (parent INTEGER REFERENCES parent (id));
      CREATE TABLE kinds (whole INTEGER, large BIGINT, yes BOOLEAN, at DATETIME, share REAL, money DECIMAL, text TEXT,
        object JSONB, bytes BLOB);
      INSERT INTO parent VALUES (1, 'one', 1);
      CREATE TRIGGER guarded BEFORE DELETE ON parent BEGIN SELECT RAISE(ABORT, 'it is guarded'); END;`);
  });

  const rows = async (...asked: Parameters<typeof query>) => (await queries.queryRaw(query(...asked))).rows;
  const code = (sql: string) => sqliteCodeOf(thrown(() => connection.exec(sql)));
  const cause = (sql: string) => queries.executeRaw(query(sql)).then(undefined, (error) => error.cause);

  it('has what statements of the service use', () => {
    expect(driver.version).toMatch(/^3\.\d+\.\d+$/);
    expect(thrown(() => connection.exec(`CREATE VIRTUAL TABLE t USING fts5(x, tokenize = 'trigram')`))).toBeUndefined();
    const [row] = connection
      .prepare(`SELECT json('{"a": [1]}') ->> '$.a[0]', round(sqrt(4)), unixepoch('subsec') > 1, max(1, 2)`)
      .all([]);
    expect(row).toEqual([1n, 2, 1n, 2n]);
    expect(objectsOf(connection.prepare('SELECT 1 AS "one", NULL AS "none", \'x\' AS "text"'))).toEqual([
      { one: 1, none: null, text: 'x' },
    ]);
  });

  it('takes values and gives them back as they are', async () => {
    const values = ['', 'ü"\\\n\u{1f600}', 'x'.repeat(3_000_000), 1.5, 12_345_678_901_234n, -1n, null];
    for (const value of values) {
      const [read] = await rows('SELECT ?', [value]);
      expect(read).toEqual([typeof value === 'bigint' ? Number(value) : value]);
    }
    expect(await rows('SELECT ?, ?', [true], [false])).toEqual([[1, 0]]);
    expect(await rows('SELECT 9007199254740993, -9223372036854775808, 1e300')).toEqual([
      ['9007199254740993', '-9223372036854775808', 1e300],
    ]);
    const [[bytes]] = (await rows("SELECT x'00ff'")) as [[Uint8Array]];
    expect([...bytes]).toEqual([0, 255]);
    // a column decides how a number is stored: as a parameter, a whole number is an integer or floating, depending on the driver
    await queries.executeRaw(query('INSERT INTO kinds (whole, share, text) VALUES (?, ?, ?)', [3], [3], [3n]));
    expect(await rows('SELECT typeof(whole), typeof(share), typeof(text) FROM kinds')).toEqual([
      ['integer', 'real', 'text'],
    ]);
    expect(await rows('SELECT typeof(?), typeof(?), ? = 2', [1n], [1.5], [2])).toEqual([['integer', 'real', 1]]);
  });

  it('refuses a text with NUL, as PostgreSQL does', async () => {
    for (const run of [queries.queryRaw, queries.executeRaw]) {
      const error = await run(query('SELECT ?', ['a\0b'])).then(undefined, (failure) => failure);
      expect(databaseFault(error)).toEqual({ kind: 'unstorable' });
    }
  });

  it('converts values by the declared types of columns', async () => {
    const time = new Date(1_700_000_000_123);
    await queries.executeRaw(
      query(
        'INSERT INTO kinds VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ['7', 'int'],
        ['9007199254740993', 'bigint'],
        [true],
        ['2023-11-14T22:13:20.123Z', 'datetime'],
        ['1.5', 'float'],
        ['2.25', 'decimal'],
        ['text', 'string'],
        ['{"a":1}', 'json'],
        [Buffer.from('abc').toString('base64'), 'bytes'],
      ),
    );
    await queries.executeRaw(query('INSERT INTO kinds (at, whole, text) VALUES (?, 1.5, ?)', [time.getTime()], [time]));
    const { columnNames, columnTypes, rows: found } = await queries.queryRaw(query('SELECT * FROM kinds'));
    expect(columnNames).toEqual(['whole', 'large', 'yes', 'at', 'share', 'money', 'text', 'object', 'bytes']);
    const { Int32, Int64, Boolean: boolean, DateTime, Double, Numeric, Text, Json, Bytes } = ColumnTypeEnum;
    expect(columnTypes).toEqual([Int32, Int64, boolean, DateTime, Double, Numeric, Text, Json, Bytes]);
    const iso = '2023-11-14T22:13:20.123+00:00';
    expect(found[0]?.slice(0, 8)).toEqual([7, '9007199254740993', 1, iso, 1.5, 2.25, 'text', '{"a":1}']);
    expect(Buffer.from(found[0]?.[8] as Uint8Array).toString()).toBe('abc');
    expect(found[1]).toEqual([1, null, null, time.toISOString(), null, null, iso, null, null]);
  });

  it('tells the types of expressions by their values', async () => {
    const { columnTypes } = await queries.queryRaw(
      query(
        `SELECT column1, column2, column3, column4, column5 FROM (VALUES (NULL, 1, 'x', 0.5, x'00'), (2, 2, 'y', 1, x'01'))`,
      ),
    );
    const { Int64, Text, UnknownNumber, Bytes } = ColumnTypeEnum;
    expect(columnTypes).toEqual([Int64, Int64, Text, UnknownNumber, Bytes]);
    expect((await queries.queryRaw(query('SELECT NULL'))).columnTypes).toEqual([ColumnTypeEnum.Int32]);
    expect((await queries.queryRaw(query('SELECT 1 WHERE 0'))).rows).toEqual([]);
    expect(await queries.queryRaw(query('CREATE TABLE made (id)'))).toEqual({
      columnNames: [],
      columnTypes: [],
      rows: [],
    });
  });

  it('counts the rows that a statement changes', async () => {
    const insert = query('INSERT INTO child VALUES (1), (1), (1)');
    expect(await queries.executeRaw(insert)).toBe(3);
    expect(await queries.executeRaw(query('UPDATE child SET parent = NULL WHERE parent = 2'))).toBe(0);
    expect(await queries.executeRaw(query('DELETE FROM child'))).toBe(3);
    expect(await rows('INSERT INTO child VALUES (1), (NULL) RETURNING parent')).toEqual([[1], [null]]);
    expect(await queries.executeRaw(query('INSERT INTO child VALUES (1), (1) RETURNING parent'))).toBe(2);
    expect(await rows('SELECT count(*) FROM child')).toEqual([[4]]);
  });

  it('names the codes of errors', () => {
    expect(code("INSERT INTO parent VALUES (1, 'x', 1)")).toBe('SQLITE_CONSTRAINT_PRIMARYKEY');
    expect(code("INSERT INTO parent VALUES (2, 'one', 1)")).toBe('SQLITE_CONSTRAINT_UNIQUE');
    expect(code('INSERT INTO parent VALUES (2, NULL, 1)')).toBe('SQLITE_CONSTRAINT_NOTNULL');
    expect(code('INSERT INTO parent VALUES (2, 5, x)')).toBe('SQLITE_ERROR');
    expect(code("INSERT INTO parent VALUES (2, 'x', 'y')")).toBe('SQLITE_CONSTRAINT_DATATYPE');
    expect(code('INSERT INTO child VALUES (9)')).toBe('SQLITE_CONSTRAINT_FOREIGNKEY');
    expect(code('DELETE FROM parent')).toBe('SQLITE_CONSTRAINT_TRIGGER');
    expect(code('SELEC')).toBe('SQLITE_ERROR');
    expect(sqliteCodeOf(thrown(() => connection.prepare('SELECT missing')))).toBe('SQLITE_ERROR');
    expect(sqliteCodeOf(thrown(() => driver.open(temporaryFolder())))).toMatch(/^SQLITE_CANTOPEN/);
    const other = driver.open(file, { timeout: 0 });
    onTestFinished(() => other.close());
    connection.exec('BEGIN IMMEDIATE');
    expect(sqliteCodeOf(thrown(() => other.exec('BEGIN IMMEDIATE')))).toBe('SQLITE_BUSY');
    expect([connection.inTransaction, other.inTransaction]).toEqual([true, false]);
    const reader = driver.open(file, { readonly: true });
    onTestFinished(() => reader.close());
    expect(sqliteCodeOf(thrown(() => reader.exec('DELETE FROM child')))).toBe('SQLITE_READONLY');
  });

  it('names the codes of errors of statements that return rows', () => {
    const codeOf = (sql: string, ...values: unknown[]) =>
      sqliteCodeOf(thrown(() => connection.prepare(sql).all(values)));
    expect(codeOf("INSERT INTO parent VALUES (2, 'one', 1) RETURNING id")).toBe('SQLITE_CONSTRAINT_UNIQUE');
    expect(codeOf('INSERT INTO parent VALUES (2, NULL, 1) RETURNING id')).toBe('SQLITE_CONSTRAINT_NOTNULL');
    expect(codeOf('INSERT INTO child VALUES (9) RETURNING parent')).toBe('SQLITE_CONSTRAINT_FOREIGNKEY');
    expect(codeOf("SELECT json_extract(?, '$')", '{')).toBe('SQLITE_ERROR');
    const other = driver.open(file, { timeout: 0 });
    onTestFinished(() => other.close());
    const insert = other.prepare('INSERT INTO child VALUES (1) RETURNING parent');
    connection.exec('BEGIN IMMEDIATE');
    expect(sqliteCodeOf(thrown(() => insert.all([])))).toBe('SQLITE_BUSY');
    connection.exec('ROLLBACK');
    other.exec('PRAGMA query_only = ON');
    expect(sqliteCodeOf(thrown(() => insert.all([])))).toBe('SQLITE_READONLY');
    connection.exec('PRAGMA max_page_count = 12');
    const many = `[${'1,'.repeat(90_000)}1]`;
    expect(codeOf('INSERT INTO child SELECT 1 FROM json_each(?) RETURNING parent', many)).toBe('SQLITE_FULL');
  });

  it('undoes the transaction of a connection that is closed', () => {
    const other = driver.open(file, { timeout: 0 });
    const kept = other.prepare('SELECT 1');
    expect(kept.all([])).toEqual([[1n]]);
    other.exec('BEGIN IMMEDIATE; INSERT INTO child VALUES (1)');
    other.close();
    expect(thrown(() => connection.exec('BEGIN IMMEDIATE'))).toBeUndefined();
    expect(connection.prepare('SELECT * FROM child').all([])).toEqual([]);
  });

  it('reports errors in the kinds of Prisma, with the columns', async () => {
    expect(await cause("INSERT INTO parent VALUES (2, 'one', 1)")).toEqual({
      kind: 'UniqueConstraintViolation',
      constraint: { fields: ['name', 'place'] },
      table: 'parent',
      originalCode: 'SQLITE_CONSTRAINT_UNIQUE',
      originalMessage: 'UNIQUE constraint failed: parent.name, parent.place',
    });
    expect(await cause('INSERT INTO parent VALUES (2, NULL, 1)')).toMatchObject({
      kind: 'NullConstraintViolation',
      constraint: { fields: ['name'] },
    });
    const reference = { kind: 'ForeignKeyConstraintViolation', constraint: { foreignKey: {} } };
    expect(await cause('INSERT INTO child VALUES (9)')).toMatchObject(reference);
    expect(await cause('DELETE FROM parent')).toMatchObject({ ...reference, originalMessage: 'it is guarded' });
    expect(await cause('DELETE FROM nowhere')).toMatchObject({ kind: 'TableDoesNotExist', table: 'nowhere' });
    expect(await cause('DELETE FROM child WHERE missing = 1')).toMatchObject({
      kind: 'ColumnNotFound',
      column: 'missing',
    });
    expect(await cause('INSERT INTO child (missing) VALUES (1)')).toMatchObject({ column: 'missing' });
    expect(await cause('DELETE FRO child')).toMatchObject({ kind: 'sqlite', originalCode: 'SQLITE_ERROR' });
  });

  it('tells that the database is full', async () => {
    connection.exec('PRAGMA max_page_count = 12');
    const filling = queries.executeRaw(
      query('INSERT INTO child SELECT 1 FROM parent, json_each(?)', [`[${'1,'.repeat(90_000)}1]`]),
    );
    const error = await filling.then(undefined, (failure) => failure);
    expect(databaseFault(error)).toEqual({ kind: 'full' });
  });
});

onSqlite('the choice of a driver', () => {
  it('is the module of Node.js if there is one, otherwise the package', async () => {
    expect(await sqliteDriver()).toMatchObject({ name: driverOfNode()?.name ?? '@photostructure/sqlite' });
    expect(await sqliteDriver()).toBe(await sqliteDriver());
  });

  it('prints no warning', async () => {
    const module = new URL('../../build/database/sqlite-driver.js', import.meta.url).href;
    const script = `import(process.argv[1]).then(({ sqliteDriver }) => sqliteDriver()).then(({ name }) => {
      process.emitWarning('another', 'ExperimentalWarning');
      console.log(name);
    })`;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['-e', script, module]);
    expect(stdout).toBe(`${(await sqliteDriver()).name}\n`);
    expect(stderr.match(/ExperimentalWarning: .*/g)).toEqual(['ExperimentalWarning: another']);
  });
});

onSqlite('the names of the codes', () => {
  it('are those that SQLite declares', () => {
    const text = readFileSync(header, 'utf8');
    const numbers = new Map(
      [...text.matchAll(/^#define (SQLITE_[A-Z]+) +(\d+) /gm)].map(([, name = '', of]) => [name, Number(of)]),
    );
    const extended = [...text.matchAll(/^#define (SQLITE_\w+) +\((SQLITE_[A-Z]+) *\| *\((\d+) *<< *8\)\)/gm)]
      .filter(([, name = '']) => !name.startsWith('SQLITE_OK_') && !name.startsWith('SQLITE_OPEN_'))
      .map(([, name = '', base = '', at]) => [name, Number(numbers.get(base)) | (Number(at) << 8)] as const);
    expect(extended.length).toBeGreaterThan(70);
    for (const [name, number] of extended) expect(nameOfSqliteCode(number)).toBe(name);
    for (const name of ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_NOTADB']) {
      expect(nameOfSqliteCode(Number(numbers.get(name)))).toBe(name);
    }
    expect(nameOfSqliteCode(5 | (99 << 8))).toBe('SQLITE_BUSY');
  });
});
