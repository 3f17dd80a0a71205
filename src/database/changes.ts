import { Prisma } from '../generated/sqlite/client.js';
import type { Db } from './db.js';

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

const columns = '"seq", "realmId", "operation", "eventId", "touches"';

/** What a listener reads: the youngest rows first, the rows after a seq, the rows of some seqs. */
export const statements = {
  youngest: `SELECT "seq", "eventId" FROM "Change" ORDER BY "seq" DESC LIMIT ${atOnce}`,
  after: (parameter: string) =>
    `SELECT ${columns} FROM "Change" WHERE "seq" > ${parameter} ORDER BY "seq" LIMIT ${atOnce}`,
  among: `SELECT ${columns} FROM "Change" WHERE "seq" = ANY($1) ORDER BY "seq"`,
};

/**
 * Writes change rows in one statement. On PostgreSQL the same statement notifies the other instances, which hear of it with
 * the commit.
 */
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
