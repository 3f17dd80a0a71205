import type { Db } from './db.js';

/** A change row to be written. */
export interface NewChange {
  readonly realmId: string;
  readonly operation: string;
  readonly eventId: string;
  readonly touches: readonly string[];
  /** milliseconds since 1970 */
  readonly at: bigint;
}

/** A change row from the database. */
export type StoredChange = Pick<NewChange, 'realmId' | 'operation' | 'eventId'> & {
  readonly seq: number;
  readonly touches: string[];
};

/** The listener of `listenToChanges`. */
export interface ChangeListener {
  /** Whether the change of this event was already announced in this process. */
  knows(eventId: string): boolean;
  /** Marks the change of this event as known: it is older than the listening. */
  skip(eventId: string): void;
  receive(change: StoredChange): void;
  /** The database could not be read; the read is repeated until it succeeds. */
  failed(error: unknown): void;
}

/** A listener to the changes of all processes. */
export interface Listening {
  /** Announces that this process has committed change rows, so that the others read them at once. */
  tell(): void;
  close(): Promise<void>;
}

/** The PostgreSQL channel on which a process announces committed change rows. */
export const channel = 'realmgate_changes';
/** Maximum change rows that are read with one statement. */
export const atOnce = 1000;

const columns = '"seq", "realmId", "operation", "eventId", "touches"';

/** The reads of a listener: the newest rows, the rows after a seq, and the latter together with listed earlier rows. */
export const statements = {
  youngest: `SELECT "seq", "eventId" FROM "Change" ORDER BY "seq" DESC LIMIT ${atOnce}`,
  after: (parameter: string) =>
    `SELECT ${columns} FROM "Change" WHERE "seq" > ${parameter} ORDER BY "seq" LIMIT ${atOnce}`,
  unseen: `SELECT ${columns} FROM "Change" WHERE "seq" > $1 OR "seq" = ANY($2) ORDER BY "seq" LIMIT ${atOnce}`,
};

/** Writes change rows in one statement. `Listening.tell` notifies other processes after the commit. */
export async function storeChanges(tx: Db, changes: readonly NewChange[]): Promise<void> {
  if (changes.length === 0) return;
  const data = changes.map(({ touches, ...change }) => ({ ...change, touches: [...touches] }));
  await tx.change.createMany({ data });
}
