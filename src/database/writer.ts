import type { Dialect } from './db.js';
import { type Field, type Model, modelOf } from './model.js';
import { portionsOf } from './portions.js';
import { Prisma } from './prisma.js';
import { finished, put, quote, type Statement, statement } from './statement.js';
import { writeWhere } from './where.js';

/** Sends a statement; returns the number of rows that it changed. */
export type Run = (text: string, values: unknown[]) => Promise<number>;

type Row = Record<string, unknown>;

/**
 * The writing methods of a Prisma model delegate. Several rows are sent as one JSON parameter, so that ten thousand
 * of them are one statement.
 */
export function writerOf(name: string, dialect: Dialect, run: Run, runLater = run) {
  const model = modelOf(name);
  return {
    /** Inserts all rows or throws, so that nobody has to wait for their number. */
    async createMany({ data }: { data: Row | Row[] }) {
      const rows = [data].flat();
      await insert(model, dialect, runLater, rows, false);
      return { count: rows.length };
    },
    async updateMany({ where, data }: { where?: unknown; data: Row }) {
      const out = statement(dialect);
      out.aliases = 1;
      out.text = `UPDATE ${quote(name)} AS t0 SET `;
      const changes = Object.entries(data).filter(([, value]) => value !== undefined);
      if (changes.length === 0) return { count: 0 };
      changes.forEach(([column, value], at) => {
        if (at > 0) out.text += ', ';
        writeChange(out, model, column, value);
      });
      out.text += ' WHERE ';
      writeWhere(out, model, 't0', where);
      return { count: await run(finished(out), out.values) };
    },
    async deleteMany({ where }: { where?: unknown } = {}) {
      const out = statement(dialect);
      out.aliases = 1;
      out.text = `DELETE FROM ${quote(name)} AS t0 WHERE `;
      writeWhere(out, model, 't0', where);
      return { count: await run(finished(out), out.values) };
    },
  };
}

const scalar = (model: Model, column: string): Field => {
  const field = model.fields.get(column);
  if (!field || field.relation) throw new Error(`${model.name} has no column ${column}`);
  return field;
};

function writeChange(out: Statement, model: Model, column: string, value: unknown): void {
  const field = scalar(model, column);
  out.text += `${quote(column)} = `;
  if (field.type === 'Json') {
    if (value === Prisma.DbNull) {
      out.text += 'NULL';
      return;
    }
    put(out, JSON.stringify(value));
    if (out.dialect === 'postgresql') out.text += '::jsonb';
    return;
  }
  const { increment, set } = (typeof value === 'object' && value !== null ? value : {}) as Row;
  if (increment !== undefined) {
    out.text += `t0.${quote(column)} + `;
    put(out, increment);
    if (out.dialect === 'postgresql') out.text += '::int';
    return;
  }
  put(out, set !== undefined ? set : value);
}

/** Inserts rows; with `ignoreDuplicates`, rows that collide with a unique key are left out. Returns how many went in. */
export async function insert(
  model: Model,
  dialect: Dialect,
  run: Run,
  rows: Row[],
  ignoreDuplicates: boolean,
): Promise<number> {
  let count = 0;
  for (const [columns, group] of byColumns(model, rows)) {
    const fields = columns.map((column) => scalar(model, column));
    const ending = ignoreDuplicates ? ' ON CONFLICT DO NOTHING' : '';
    const [row, ...others] = group;
    if (row && others.length === 0) {
      const values = fields.map((field) => parameter(dialect, field, row[field.name]));
      count += await run(insertOne(model, dialect, fields) + ending, values);
    } else {
      const text = dialect === 'sqlite' ? insertSqlite(model, fields) : insertPostgresql(model, fields);
      for (const some of portions(dialect, group)) count += await run(text + ending, [payload(dialect, columns, some)]);
    }
  }
  return count;
}

/** A statement on SQLite holds up its process: about ten milliseconds for this number of rows. */
const longestOnSqlite = 1000;

/** The rows of each statement. */
function portions(dialect: Dialect, rows: Row[]): Row[][] {
  return dialect === 'postgresql' ? [rows] : portionsOf(rows, longestOnSqlite);
}

/**
 * Groups rows with the same columns into one statement. A missing nullable column is NULL, as no such column has a
 * default.
 */
function byColumns(model: Model, rows: Row[]): [string[], Row[]][] {
  const nullable = model.scalars.filter((field) => !field.required).map((field) => field.name);
  const required = model.scalars.filter((field) => field.required).map((field) => field.name);
  const groups = new Map<string, [string[], Row[]]>();
  for (const row of rows) {
    const present = required.filter((name) => row[name] !== undefined);
    const key = present.join();
    const group = groups.get(key);
    if (group) group[1].push(row);
    else groups.set(key, [[...present, ...nullable], [row]]);
  }
  // a column that no row has a value for is left to its default, NULL
  return [...groups.values()].map(([columns, group]) => [
    columns.filter((column) => group.some((row) => row[column] !== undefined && row[column] !== null)),
    group,
  ]);
}

/** A single row is cheaper without JSON. */
function insertOne(model: Model, dialect: Dialect, fields: Field[]): string {
  const names = fields.map(({ name }) => quote(name)).join();
  const places = fields.map((_, at) => (dialect === 'sqlite' ? '?' : `$${at + 1}`)).join();
  return `INSERT INTO ${quote(model.name)} (${names}) VALUES (${places})`;
}

function parameter(dialect: Dialect, { type }: Field, value: unknown): unknown {
  if (value === undefined || value === null || value === Prisma.DbNull) return null;
  if (type === 'Json') return JSON.stringify(value);
  return dialect === 'sqlite' && typeof value === 'boolean' ? Number(value) : value;
}

function payload(dialect: Dialect, columns: string[], rows: Row[]): string {
  const plain = (value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value === undefined || value === Prisma.DbNull ? null : value;
  if (dialect === 'sqlite') return JSON.stringify(rows.map((row) => columns.map((column) => plain(row[column]))));
  return JSON.stringify(rows.map((row) => Object.fromEntries(columns.map((column) => [column, plain(row[column])]))));
}

function insertSqlite(model: Model, fields: Field[]): string {
  // json_extract would make numbers of true and false, and bare words of texts
  const values = fields.map(({ type }, at) =>
    type === 'Json' ? `NULLIF(value -> '$[${at}]', 'null')` : `json_extract(value, '$[${at}]')`,
  );
  return `INSERT INTO ${quote(model.name)} (${fields.map(({ name }) => quote(name)).join()}) SELECT ${values.join()} FROM json_each(?) WHERE true`;
}

const postgresqlTypes: Record<string, string> = {
  String: 'text',
  Boolean: 'boolean',
  Int: 'integer',
  BigInt: 'bigint',
  Json: 'jsonb',
};

function insertPostgresql(model: Model, fields: Field[]): string {
  const names = fields.map(({ name }) => quote(name)).join();
  const types = fields.map(({ name, type }) => `${quote(name)} ${postgresqlTypes[type]}`).join();
  return `INSERT INTO ${quote(model.name)} (${names}) SELECT ${names} FROM json_to_recordset($1::json) AS x(${types})`;
}
