import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { afterPlace, byPlace, inPlaceOrder, type Place } from '../events/place.js';
import { adminEventSelect, encodeAdminEvent, encodeLoginEvent, loginEventSelect } from '../events/representation.js';
import { typesIn, type WebhookRow } from './representation.js';
import type { Message } from './send.js';

/** An event in the form that is sent. */
export interface OutgoingEvent extends Place {
  type: string;
  data: Record<string, unknown>;
}

/** Largest message, in bytes: of a larger one the representation is left out. */
const largest = 256 * 1024;

/** The place of the last event that a webhook has received. */
export const placeOf = ({ position, positionTime, positionId }: WebhookRow): Place => ({
  position,
  time: positionTime,
  id: positionId,
});

/** Up to `most` events for the webhook, after a place and before the horizon, in their order. */
export const eventsFor = (
  db: Db,
  { realmId, loginEventTypes, resourceTypes }: WebhookRow,
  from: Place,
  horizon: bigint,
  most: number,
): Promise<OutgoingEvent[]> =>
  eventsOf(db, { realmId, logins: typesIn(loginEventTypes), writes: typesIn(resourceTypes) }, from, horizon, most);

/** The wanted events: types of login events and kinds of resources, empty for all, undefined for none. */
interface Wanted {
  /** undefined for events of all realms */
  realmId: string | undefined;
  logins: string[] | undefined;
  writes: string[] | undefined;
}

/** Up to `most` wanted events, after a place and before the horizon, in their order. */
export async function eventsOf(
  db: Db,
  { realmId, logins, writes }: Wanted,
  from: Place,
  horizon: bigint,
  most: number,
): Promise<OutgoingEvent[]> {
  // the first condition determines the start in the index
  const range = {
    ...(realmId !== undefined && { realmId }),
    position: { gte: from.position, lt: horizon },
    ...afterPlace(from),
  };
  const page = { orderBy: inPlaceOrder, take: most };
  const [loginEvents, adminEvents] = await Promise.all([
    logins
      ? db.loginEvent.findMany({
          where: { ...range, ...(logins.length > 0 && { type: { in: logins } }) } as Prisma.LoginEventWhereInput,
          ...page,
          select: loginSelect,
        })
      : [],
    writes
      ? db.adminEvent.findMany({
          where: {
            ...range,
            ...(writes.length > 0 && { resourceType: { in: writes } }),
          } as Prisma.AdminEventWhereInput,
          ...page,
          select: adminSelect,
        })
      : [],
  ]);
  return [...loginEvents.map(ofLogin), ...adminEvents.map(ofWrite)].sort(byPlace).slice(0, most);
}

/** An event of a realm by its ID, in the form that is sent. Undefined if it is no longer stored. */
export async function eventById(db: Db, realmId: string, id: string): Promise<OutgoingEvent | undefined> {
  const [login, change] = await Promise.all([
    db.loginEvent.findFirst({ where: { id, realmId }, select: loginSelect }),
    db.adminEvent.findFirst({ where: { id, realmId }, select: adminSelect }),
  ]);
  return login ? ofLogin(login) : change ? ofWrite(change) : undefined;
}

const loginSelect = { ...loginEventSelect, position: true } as const satisfies Prisma.LoginEventSelect;
const adminSelect = {
  ...adminEventSelect,
  id: true,
  operation: true,
  position: true,
} as const satisfies Prisma.AdminEventSelect;

const ofLogin = ({ position, ...row }: Prisma.LoginEventGetPayload<{ select: typeof loginSelect }>): OutgoingEvent => ({
  ...{ position, time: row.time, id: row.id },
  type: `login.${row.type.toLowerCase()}`,
  data: encodeLoginEvent(row),
});

const ofWrite = ({
  id,
  position,
  operation,
  ...row
}: Prisma.AdminEventGetPayload<{ select: typeof adminSelect }>): OutgoingEvent => ({
  ...{ position, time: row.time, id },
  type: `admin.${operation}`,
  data: encodeAdminEvent(row, row.authClientId),
});

/** The message of an event: `{ type, timestamp, data }`, the event being in the form of the contract. */
export function messageOf({ id, type, time, data }: Pick<OutgoingEvent, 'id' | 'type' | 'time' | 'data'>): Message {
  const timestamp = timestampOf(time);
  const body = JSON.stringify({ type, timestamp, data });
  if (Buffer.byteLength(body) <= largest) return { id, body };
  const { representation: _, ...rest } = data;
  return { id, body: JSON.stringify({ type, timestamp, data: { ...rest, truncated: true } }) };
}

const timestampOf = (time: bigint): string => new Date(Number(time)).toISOString();

/** The line of an event in the audit file: the message of webhooks with the ID of the event and its position, uncut. */
export const lineOf = ({ id, position, type, time, data }: OutgoingEvent): string =>
  JSON.stringify({ id, position: String(position), type, timestamp: timestampOf(time), data });
