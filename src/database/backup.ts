import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { firstValue } from './sqlite-connection.js';
import { sqliteDriver } from './sqlite-driver.js';
import { DatabaseUnusable } from './unusable.js';
import { dialectOf, missingFile, sqliteFile } from './url.js';

/** How long the copy may wait for another process that has locked the file, in milliseconds. */
const longestWait = 60_000;

/**
 * Copies a SQLite database to a new file that only its owner can read, and checks the copy. The copy holds the rows
 * that are committed at the start; writers are not blocked. Returns its size in bytes. Throws DatabaseUnusable for
 * PostgreSQL, which has its own tools, if the file already exists, and if the copy is damaged.
 */
export async function backup(databaseUrl: string, out: string): Promise<number> {
  const file = existingFile(databaseUrl);
  const sqlite = await sqliteDriver();
  const part = `${out}.part`;
  reserve(out);
  try {
    const database = sqlite.open(file, { readonly: true, timeout: longestWait });
    try {
      closeSync(openSync(part, 'w', 0o600));
      database.prepare('VACUUM INTO ?').run([part]);
    } finally {
      database.close();
    }
    const copy = sqlite.open(part, { readonly: true });
    try {
      const told = firstValue(copy, 'PRAGMA integrity_check');
      if (told !== 'ok') throw new DatabaseUnusable(`The copy is not sound: ${told}. Check the database.`);
    } finally {
      copy.close();
    }
    renameSync(part, out);
    return statSync(out).size;
  } catch (error) {
    for (const path of [part, `${part}-journal`, out]) rmSync(path, { force: true });
    throw error;
  }
}

/** Tells whether a SQLite database has changed. */
export interface Changes {
  /** Whether any process has committed anything since the last call. */
  haveHappened(): boolean;
  close(): void;
}

/** Watches the changes of a SQLite database from now on. Throws DatabaseUnusable for PostgreSQL. */
export async function watchChanges(databaseUrl: string): Promise<Changes> {
  const sqlite = await sqliteDriver();
  const database = sqlite.open(existingFile(databaseUrl), { readonly: true, timeout: longestWait });
  const dataVersion = database.prepare('PRAGMA data_version');
  const version = () => dataVersion.all([])[0]?.[0];
  let known = version();
  return {
    haveHappened() {
      const before = known;
      known = version();
      return known !== before;
    },
    close: () => database.close(),
  };
}

function existingFile(databaseUrl: string): string {
  if (dialectOf(databaseUrl) === 'postgresql') {
    throw new DatabaseUnusable('Back up a PostgreSQL database with pg_dump or its archive, see docs/backup.md.');
  }
  const missing = missingFile(databaseUrl);
  if (missing !== undefined) throw new DatabaseUnusable(missing);
  return sqliteFile(databaseUrl);
}

/** Creates the file exclusively, so that an existing file is never overwritten. */
function reserve(out: string): void {
  try {
    closeSync(openSync(out, 'wx', 0o600));
  } catch (error) {
    throw new DatabaseUnusable(`The file ${out} cannot be created: ${(error as Error).message}.`, error);
  }
}
