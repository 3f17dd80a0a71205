import { createHash } from 'node:crypto';
import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { Place as SealedPlace } from '../core/sealed-columns.js';
import { afterPlace, inPlaceOrder, type Place } from '../events/place.js';

/**
 * The sealed columns of an admin event, in this order. The visibility of an event in the list of the contract may
 * change, and is not sealed. A further column would change the hashes: it needs a new version of `eventForm`, in
 * addition to this one.
 */
const eventSelect = {
  ...{ id: true, realmId: true, time: true, position: true, operation: true, operationType: true },
  ...{ resourceType: true, resourcePath: true, resourceId: true },
  ...{ authRealmId: true, authClientId: true, authUserId: true, authIpAddress: true },
  ...{ representation: true, before: true, sent: true },
} as const satisfies Prisma.AdminEventSelect;
const eventFields = Object.keys(eventSelect) as (keyof typeof eventSelect)[];
const eventForm = 'realmgate audit event 1';
const blockForm = 'realmgate audit block 1';

/** An admin event with all that is sealed of it. */
export type AuditEvent = Prisma.AdminEventGetPayload<{ select: typeof eventSelect }>;

/** A block of the audit chain. */
export type Block = Prisma.AuditBlockGetPayload<object>;

/** The part of an event that a block keeps, even after the event has expired. */
export interface Entry {
  id: string;
  realmId: string;
  /** milliseconds since 1970 */
  time: number;
  digest: string;
}

const canonical = (values: readonly unknown[]): string =>
  JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? String(value) : value));
const sha256 = (text: string) => createHash('sha256').update(text);

/** SHA-256 of an event, in base64url. */
export const digestOf = (event: AuditEvent): string =>
  sha256(canonical([eventForm, ...eventFields.map((field) => event[field])])).digest('base64url');

/** The hash of a block, in hexadecimal digits: SHA-256 of all its columns but its hash and its proof. */
export function hashOf(block: Omit<Block, 'id' | 'proof'>): string {
  const { number, previous, sealedAt, afterPosition, lastPosition, lastTime, lastId, entries } = block;
  const values = [number, previous, sealedAt, afterPosition, lastPosition, lastTime, lastId, entries];
  return sha256(canonical([blockForm, ...values])).digest('hex');
}

/** The entries of events, as a block stores them. */
export const entriesText = (events: readonly AuditEvent[]): string =>
  JSON.stringify(events.map((event) => [event.id, event.realmId, Number(event.time), digestOf(event)]));

/** The entries of a block with a correct hash. */
export const entriesOf = ({ entries }: Pick<Block, 'entries'>): Entry[] =>
  (JSON.parse(entries) as [string, string, number, string][]).map(([id, realmId, time, digest]) => ({
    ...{ id, realmId, time, digest },
  }));

/** The place of a block's proof: it opens only with the hash that it was made for. */
export const placeOfProof = (hash: string): SealedPlace => ({ model: 'AuditBlock', id: hash, field: 'proof' });

/** The place of the last event of a block. */
export const endOf = ({ lastPosition, lastTime, lastId }: Omit<Block, 'entries'>): Place => ({
  ...{ position: lastPosition, time: lastTime, id: lastId },
});

/** The line of a block in the audit file. */
export const lineOfBlock = ({ id, number, previous, sealedAt, lastPosition }: Block): string =>
  JSON.stringify({
    ...{ id, position: String(lastPosition), type: blockType },
    timestamp: new Date(Number(sealedAt)).toISOString(),
    data: { number, previous },
  });

/** The type of the lines of blocks in the audit file. */
export const blockType = 'audit.block';

/** Up to `most` blocks after this number, in their order. */
export const blocksAfter = (db: Db, number: number, most: number): Promise<Block[]> =>
  db.auditBlock.findMany({ where: { number: { gt: number } }, orderBy: { number: 'asc' }, take: most });

/**
 * Up to `most` admin events in `range` after a place, in their order. Without a place, it begins with the first event.
 */
export const auditEvents = (
  db: Db,
  after: Place | undefined,
  range: Prisma.AdminEventWhereInput,
  most: number,
): Promise<AuditEvent[]> =>
  db.adminEvent.findMany({
    // the first condition determines the start in the index
    where: { AND: [after ? { position: { gte: after.position }, ...afterPlace(after) } : {}, range] },
    orderBy: inPlaceOrder,
    take: most,
    select: eventSelect,
  });
