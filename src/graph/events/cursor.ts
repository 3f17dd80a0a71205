import { invalid } from '../../services/core/refusal.js';
import type { EventRow } from '../../services/events/tail.js';
import { pageOf } from '../core/page.js';
import { eventOrder } from './event-list.js';

/** Oldest first, in the order in which events were stored, independent of clocks. */
export const oldestFirst = [{ path: 'position' }, { path: 'time' }, { path: 'id' }];

// login events have the same columns
const page = pageOf('AdminEvent', {}, oldestFirst, {});

/** The cursor of a subscription that continues after this event. */
export const cursorOf = ({ position, time, id }: EventRow): string => page.cursorOf({ position, time, id });

/** The cursor of a subscription to which everything from this position on is new. */
export const cursorFrom = (position: bigint): string => cursorOf({ position, time: 0n, id: '' });

/** Finds the position of an event, or of the last event that is not newer. */
export type PositionOf = (event: { id: string; time: bigint }) => Promise<bigint | undefined>;

/**
 * Converts a cursor to one of a subscription. A cursor of a list of events, which is ordered by time, stands for its
 * event. Refuses other cursors.
 */
export async function subscriptionCursor(after: string, positionOf: PositionOf): Promise<string> {
  const values = valuesIn(after);
  if (values.length !== eventOrder(undefined).length) {
    pageOf('AdminEvent', { after }, oldestFirst, {});
    if (values.map((value) => typeof value).join() !== 'bigint,bigint,string') throw unknown();
    return after;
  }
  const [time, id] = values;
  if (typeof time !== 'bigint' || typeof id !== 'string') throw unknown();
  return cursorOf({ position: (await positionOf({ id, time })) ?? 0n, time, id });
}

const unknown = () => invalid('The cursor does not belong to this list of events', 'after', { argument: 'BAD_CURSOR' });

function valuesIn(cursor: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(values)) {
      return values.map((value) => (typeof value === 'object' && value !== null ? BigInt(value.n) : value));
    }
  } catch {
    // falls through to the refusal
  }
  throw unknown();
}
