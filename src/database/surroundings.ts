import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Access } from './db.js';
import { Prisma } from './prisma.js';
import type { SqliteDriver } from './sqlite-connection.js';
import { sqliteDriver } from './sqlite-driver.js';
import { dialectOf, sqliteFile } from './url.js';

/** The clock of the database server in milliseconds since 1970. On SQLite, the clock of this machine. */
export async function databaseTime({ read, dialect }: Pick<Access, 'read' | 'dialect'>): Promise<number> {
  const clock =
    dialect === 'sqlite'
      ? Prisma.sql`SELECT unixepoch('subsec') * 1000 AS "at"`
      : Prisma.sql`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "at"`;
  const [row] = await read.query<{ at: number }>(clock);
  return Number(row?.at);
}

/** The driver of SQLite; undefined for PostgreSQL. Throws DatabaseUnusable if it is missing. */
export const sqliteOf = async (databaseUrl: string): Promise<SqliteDriver | undefined> =>
  dialectOf(databaseUrl) === 'sqlite' ? sqliteDriver() : undefined;

/** The folder of a SQLite file, with its free bytes, or undefined if it is missing; undefined for PostgreSQL. */
export async function folderOf(databaseUrl: string): Promise<{ folder: string; free: number | undefined } | undefined> {
  if (dialectOf(databaseUrl) === 'postgresql') return undefined;
  const folder = dirname(sqliteFile(databaseUrl));
  const space = await statfs(folder).catch(() => undefined);
  return { folder, free: space && space.bavail * space.bsize };
}
