import type { Database, Db } from '../../database/db.js';
import { databaseTime } from '../../database/portable.js';
import { Prisma } from '../../database/prisma.js';
import { inTransaction } from '../core/unit-of-work.js';
import type { Place } from '../events/place.js';
import { typesIn, type WebhookRow } from './representation.js';
import type { Attempt } from './send.js';

/** Stored deliveries of each webhook. */
const deliveriesKept = 100;
/** Milliseconds for which one process has a webhook exclusively: longer than an attempt takes. */
const lease = 30_000;

/** Takes a due webhook for this process. Returns whether it has it, until `release` or the end of the lease. */
export async function claim(database: Database, id: string, owner: string): Promise<boolean> {
  const now = databaseTime(database);
  const taken = await inTransaction(database, (tx) =>
    tx.execute(Prisma.sql`
      UPDATE "Webhook" SET "leaseOwner" = ${owner}, "leaseUntil" = ${now} + ${lease}
       WHERE "id" = ${id} AND "enabled" AND "nextAttemptAt" <= ${now} AND ("leaseUntil" <= ${now} OR "leaseOwner" = ${owner})`),
  );
  return taken === 1;
}

/** Releases the webhook for other processes. */
export const release = (database: Database, id: string, owner: string): Promise<unknown> =>
  inTransaction(database, (tx) =>
    tx.execute(
      Prisma.sql`UPDATE "Webhook" SET "leaseOwner" = NULL, "leaseUntil" = 0 WHERE "id" = ${id} AND "leaseOwner" = ${owner}`,
    ),
  );

export interface Delivery {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: string;
}

/**
 * Stores an attempt, and removes the oldest ones beyond the limit. Its time is from the database, and later than the
 * previous attempt's: instances take turns, and their clocks may differ.
 */
export async function storeDelivery(tx: Db, delivery: Delivery, attempt: Attempt): Promise<void> {
  const { succeeded, status, error, duration } = attempt;
  const { webhookId } = delivery;
  const [time] = await tx.query<{ at: bigint | number }>(Prisma.sql`
    SELECT CASE WHEN "last" >= "now" THEN "last" + 1 ELSE "now" END AS "at"
      FROM (SELECT ${databaseTime(tx)} AS "now",
                   COALESCE((SELECT max("at") FROM "WebhookDelivery" WHERE "webhookId" = ${webhookId}), 0) AS "last") t`);
  await tx.webhookDelivery.createMany({
    data: {
      ...delivery,
      at: BigInt(time?.at ?? 0),
      succeeded,
      responseStatus: status ?? null,
      error: error ?? null,
      duration,
    },
  });
  await tx.later.execute(Prisma.sql`
    DELETE FROM "WebhookDelivery" WHERE "webhookId" = ${webhookId} AND "at" < (
      SELECT "at" FROM "WebhookDelivery" WHERE "webhookId" = ${webhookId} ORDER BY "at" DESC LIMIT 1 OFFSET ${deliveriesKept - 1})`);
}

/** Moves on after a delivered event. False if another process has taken the webhook. */
export const advance = (
  database: Database,
  owner: string,
  { position, time, id }: Place,
  delivery: Delivery,
  attempt: Attempt,
): Promise<boolean> =>
  inTransaction(database, async (tx) => {
    const kept = await tx.execute(Prisma.sql`
      UPDATE "Webhook" SET "position" = ${position}, "positionTime" = ${time}, "positionId" = ${id}, "failures" = 0,
             "nextAttemptAt" = 0, "leaseUntil" = ${databaseTime(tx)} + ${lease}
       WHERE "id" = ${delivery.webhookId} AND "leaseOwner" = ${owner}`);
    if (kept === 1) await storeDelivery(tx, delivery, attempt);
    return kept === 1;
  });

/** The consequences of a failed attempt for a webhook. */
export interface Setback {
  /** milliseconds until the next attempt */
  wait: number;
  /** set if the webhook is disabled */
  disabledReason: string | undefined;
}

/** Stores a failed attempt, releases the webhook for other processes, and sets the time of the next attempt. */
export const setBack = (
  database: Database,
  owner: string,
  { wait, disabledReason }: Setback,
  delivery: Delivery,
  attempt: Attempt,
): Promise<void> =>
  inTransaction(database, async (tx) => {
    const disabled =
      disabledReason === undefined
        ? Prisma.empty
        : Prisma.sql`, "enabled" = false, "disabledReason" = ${disabledReason}`;
    const kept = await tx.execute(Prisma.sql`
      UPDATE "Webhook" SET "failures" = "failures" + 1, "nextAttemptAt" = ${databaseTime(tx)} + ${wait},
             "leaseOwner" = NULL, "leaseUntil" = 0${disabled}
       WHERE "id" = ${delivery.webhookId} AND "leaseOwner" = ${owner}`);
    if (kept === 1) await storeDelivery(tx, delivery, attempt);
  });

/** The number of events for a webhook since a time, counted up to `most`, and the position of the first one. */
export async function eventsSince(
  tx: Db,
  { realmId, loginEventTypes, resourceTypes }: WebhookRow,
  since: bigint,
  most: number,
): Promise<{ count: number; first: bigint }> {
  const of = (table: 'LoginEvent' | 'AdminEvent', kind: 'type' | 'resourceType', types: string[]) => Prisma.sql`
    SELECT "position" FROM ${Prisma.raw(`"${table}"`)}
     WHERE "realmId" = ${realmId} AND "time" >= ${since}
     ${types.length > 0 ? Prisma.sql`AND ${Prisma.raw(`"${kind}"`)} IN (${Prisma.join(types)})` : Prisma.empty}`;
  const logins = typesIn(loginEventTypes);
  const writes = typesIn(resourceTypes);
  const wanted = [
    ...(logins ? [of('LoginEvent', 'type', logins)] : []),
    ...(writes ? [of('AdminEvent', 'resourceType', writes)] : []),
  ];
  if (wanted.length === 0) return { count: 0, first: 0n };
  const [row] = await tx.query<{ count: bigint | number; first: bigint | number | null }>(Prisma.sql`
    SELECT count(*) AS "count", min("position") AS "first"
      FROM (${Prisma.join(wanted, ' UNION ALL ')} LIMIT ${most}) t`);
  return { count: Number(row?.count ?? 0), first: BigInt(row?.first ?? 0) };
}

/** Moves a webhook back to an earlier place, at once. A process that is delivering to it loses it. */
export const goBack = (tx: Db, id: string, { position, time, id: eventId }: Place): Promise<number> =>
  tx.execute(Prisma.sql`
    UPDATE "Webhook" SET "position" = ${position}, "positionTime" = ${time}, "positionId" = ${eventId},
           "failures" = 0, "nextAttemptAt" = 0, "leaseOwner" = NULL, "leaseUntil" = 0
     WHERE "id" = ${id}`);
