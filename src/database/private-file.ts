import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

/** Only the owner reads and writes. */
const ownersOnly = 0o600;

/**
 * Creates the file of a SQLite database if it is missing, and lets only its owner read it and the files beside it.
 * SQLite creates later files with the permissions of the database.
 */
export function keepPrivate(file: string): void {
  closeSync(openSync(file, 'a', ownersOnly));
  for (const one of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) {
    if (!existsSync(one)) continue;
    try {
      chmodSync(one, ownersOnly);
    } catch (error) {
      // the file of another user, which this process may use nevertheless
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    }
  }
}
