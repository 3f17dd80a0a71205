import { Prisma } from '../generated/sqlite/client.js';
import type { Db } from './db.js';
import { dialectOf, sqliteFile } from './url.js';

/** A change row as it is written. */
export interface NewChange {
  readonly realmId: string;
  readonly operation: string;
  readonly eventId: string;
  readonly touches: readonly string[];
  /** milliseconds since 1970 */
  readonly at: bigint;
}

/** A change row as it is read. */
export type StoredChange = Pick<NewChange, 'realmId' | 'operation' | 'eventId'> & {
  readonly seq: number;
  readonly touches: string[];
};

/** Whom `listenToChanges` tells. */
export interface ChangeListener {
  /** Whether the change of this event need not be told. */
  knows(eventId: string): boolean;
  /** Has the change of this event count as known: it is older than the listening. */
  skip(eventId: string): void;
  receive(change: StoredChange): void;
  /** The database could not be asked; that is tried again until it can. */
  failed(error: unknown): void;
}

/** The PostgreSQL channel on which each change row is told of by its seq and the id of its event. */
export const channel = 'realmgate_changes';
/** Most change rows that are read with one statement. */
export const atOnce = 1000;

const pollInterval = 100;
const columns = '"seq", "realmId", "operation", "eventId", "touches"';

/** What a listener reads: the youngest rows first, the rows after a seq, the rows of some seqs. */
export const statements = {
  youngest: `SELECT "seq", "eventId" FROM "Change" ORDER BY "seq" DESC LIMIT ${atOnce}`,
  after: (parameter: string) =>
    `SELECT ${columns} FROM "Change" WHERE "seq" > ${parameter} ORDER BY "seq" LIMIT ${atOnce}`,
  among: `SELECT ${columns} FROM "Change" WHERE "seq" = ANY($1) ORDER BY "seq"`,
};

/** Writes a change row. On PostgreSQL the same statement tells the other instances, which hear it with the commit. */
export const storeChange = (tx: Db, change: NewChange): Promise<void> => storeChanges(tx, [change]);

/** Writes change rows in one statement. */
export async function storeChanges(tx: Db, changes: readonly NewChange[]): Promise<void> {
  if (changes.length === 0) return;
  if (tx.dialect === 'sqlite') {
    const data = changes.map(({ realmId, operation, eventId, touches, at }) => ({
      realmId,
      operation,
      eventId,
      touches: [...touches],
      at,
    }));
    await tx.change.createMany({ data });
    return;
  }
  const values = changes.map(
    ({ realmId, operation, eventId, touches, at }) =>
      Prisma.sql`(${realmId}, ${operation}, ${eventId}, ${JSON.stringify(touches)}::jsonb, ${at})`,
  );
  await tx.later.execute(Prisma.sql`
    WITH stored AS (
      INSERT INTO "Change" ("realmId", "operation", "eventId", "touches", "at")
      VALUES ${Prisma.join(values)}
      RETURNING "seq", "eventId"
    )
    SELECT pg_notify(${channel}, "seq" || ' ' || "eventId") FROM stored`);
}

/**
 * Tells of the changes that are committed from now on, by whichever process, until the returned function is called.
 * It has a connection of its own, so that it takes none from the requests.
 */
export async function listenToChanges(databaseUrl: string, listener: ChangeListener): Promise<() => Promise<void>> {
  if (dialectOf(databaseUrl) === 'sqlite') return pollSqlite(sqliteFile(databaseUrl), listener);
  const { listenOnPostgresql } = await import('./listen-postgresql.js');
  return listenOnPostgresql(databaseUrl, listener);
}

/**
 * SQLite tells a connection only whether others have committed anything. That costs no I/O, so it is asked ten times a
 * second. There is one writer at a time, so that rows appear in the order of their seq.
 */
async function pollSqlite(file: string, listener: ChangeListener): Promise<() => Promise<void>> {
  const { default: Sqlite } = await import('better-sqlite3');
  const connection = new Sqlite(file, { readonly: true });
  const dataVersion = connection.prepare<[], number>('PRAGMA data_version').pluck();
  const after = connection.prepare<[number], Omit<StoredChange, 'touches'> & { touches: string }>(
    statements.after('?'),
  );
  let version = dataVersion.get();
  const youngest = connection.prepare<[], Pick<StoredChange, 'seq' | 'eventId'>>(statements.youngest).get();
  let last = youngest?.seq ?? 0;
  let failing = false;

  const poll = (): void => {
    const present = dataVersion.get();
    if (present === version) return;
    for (let rows = after.all(last); rows.length > 0; rows = after.all(last)) {
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
  return async () => {
    clearInterval(timer);
    connection.close();
  };
}
