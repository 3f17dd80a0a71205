import { type ChangeListener, type Listening, type StoredChange, statements } from './changes.js';
import type { Fence } from './fence.js';
import { objectsOf } from './sqlite-connection.js';
import { sqliteDriver } from './sqlite-driver.js';
import { dialectOf, sqliteFile } from './url.js';

const pollInterval = 100;

/**
 * Reports the changes that any process commits from now on, until it is closed. It has a separate connection, so that
 * requests keep theirs.
 */
export async function listenToChanges(databaseUrl: string, listener: ChangeListener, fence: Fence): Promise<Listening> {
  if (dialectOf(databaseUrl) === 'sqlite') return pollSqlite(sqliteFile(databaseUrl), listener);
  const { listenOnPostgresql } = await import('./listen-postgresql.js');
  return listenOnPostgresql(databaseUrl, listener, fence);
}

/**
 * SQLite tells a connection only whether others have committed anything. This check costs no I/O, so it runs ten times
 * a second. There is one writer at a time, so rows appear in the order of their seq.
 */
async function pollSqlite(file: string, listener: ChangeListener): Promise<Listening> {
  const connection = (await sqliteDriver()).open(file, { readonly: true });
  const dataVersion = connection.prepare('PRAGMA data_version');
  const versionNow = () => dataVersion.all([])[0]?.[0];
  const after = connection.prepare(statements.after('?'));
  const rowsAfter = (seq: number) => objectsOf<Omit<StoredChange, 'touches'> & { touches: string }>(after, [seq]);
  let version = versionNow();
  const [youngest] = objectsOf<Pick<StoredChange, 'seq'>>(connection.prepare(statements.youngest));
  let last = youngest?.seq ?? 0;
  let failing = false;

  const poll = (): void => {
    const present = versionNow();
    if (present === version) return;
    for (let rows = rowsAfter(last); rows.length > 0; rows = rowsAfter(last)) {
      for (const row of rows) {
        last = row.seq;
        if (!listener.knows(row.eventId)) listener.receive({ ...row, touches: JSON.parse(row.touches) as string[] });
      }
    }
    version = present;
  };
  const timer = setInterval(() => {
    try {
      poll();
      failing = false;
    } catch (error) {
      if (!failing) listener.failed(error);
      failing = true;
    }
  }, pollInterval);
  timer.unref();
  return {
    // the others see that the file has changed
    tell: () => undefined,
    async close() {
      clearInterval(timer);
      connection.close();
    },
  };
}
