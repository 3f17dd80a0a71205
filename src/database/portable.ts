import type { Db, Dialect } from './db.js';
import { exists } from './exists.js';
import { Prisma } from './prisma.js';

// Parts of raw statements that SQLite and PostgreSQL write differently.

type On = Pick<Db, 'dialect'>;

const clocks: Record<Dialect, Prisma.Sql> = {
  sqlite: Prisma.sql`CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)`,
  postgresql: Prisma.sql`(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint`,
};

/** Milliseconds since 1970 by the clock of the database, which all processes share. */
export const databaseTime = ({ dialect }: On): Prisma.Sql => clocks[dialect];

/** A boolean to compare a column with: SQLite has 0 and 1. */
export const booleanValue = ({ dialect }: On, value: boolean): boolean | number =>
  dialect === 'sqlite' ? Number(value) : value;

/** A JSON text as the value of a JSON column. */
export const asJson = ({ dialect }: On, text: Prisma.Sql): Prisma.Sql =>
  dialect === 'sqlite' ? text : Prisma.sql`${text}::jsonb`;

/** A query for rows of a text `id` and an integer `value`. */
export function listedNumbers({ dialect }: On, pairs: Iterable<readonly [string, number]>): Prisma.Sql {
  const text = JSON.stringify([...pairs]);
  return dialect === 'sqlite'
    ? Prisma.sql`SELECT json_extract(value, '$[0]') AS "id", json_extract(value, '$[1]') AS "value" FROM json_each(${text})`
    : Prisma.sql`SELECT item->>0 AS "id", (item->>1)::int AS "value" FROM json_array_elements(${text}::json) AS item`;
}

/** Whether a column with a JSON list of texts has the text. */
export const hasText = ({ dialect }: On, column: Prisma.Sql, text: string): Prisma.Sql =>
  dialect === 'sqlite'
    ? exists(Prisma.sql`SELECT 1 FROM json_each(${column}) WHERE value = ${text}`)
    : Prisma.sql`${column} @> ${JSON.stringify([text])}::jsonb`;

/** A number in the JSON object of a column; null if the object does not have it. */
export const numberIn = ({ dialect }: On, column: Prisma.Sql, name: string): Prisma.Sql =>
  dialect === 'sqlite'
    ? Prisma.sql`json_extract(${column}, ${`$.${name}`})`
    : Prisma.sql`(${column}->>${name}::text)::bigint`;

/** The JSON list of texts in a column, without the text. */
export const withoutText = ({ dialect }: On, column: Prisma.Sql, text: string): Prisma.Sql =>
  dialect === 'sqlite'
    ? Prisma.sql`(SELECT json_group_array(value) FROM json_each(${column}) WHERE value <> ${text})`
    : Prisma.sql`${column} - ${text}::text`;
