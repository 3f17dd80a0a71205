import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Dialect } from './db.js';

/** The kind of database in a DATABASE_URL. */
export const dialectOf = (databaseUrl: string): Dialect => (databaseUrl.startsWith('file:') ? 'sqlite' : 'postgresql');

/** A DATABASE_URL for display: without credentials and parameters. */
export const shownUrl = (databaseUrl: string): string => databaseUrl.replace(/\/\/[^/]*@/, '//').replace(/\?.*/, '');

/** The absolute path of the SQLite file that `file:…` names; a relative one starts at the working directory. */
export const sqliteFile = (databaseUrl: string): string =>
  databaseUrl.startsWith('file://') ? fileURLToPath(databaseUrl) : resolve(databaseUrl.slice('file:'.length));

/**
 * A message that the SQLite file of a DATABASE_URL is missing, with its path. Undefined if it exists, and for
 * PostgreSQL.
 */
export function missingFile(databaseUrl: string): string | undefined {
  if (dialectOf(databaseUrl) === 'postgresql' || existsSync(sqliteFile(databaseUrl))) return undefined;
  return `There is no database file ${sqliteFile(databaseUrl)}. DATABASE_URL says where the database is.`;
}
