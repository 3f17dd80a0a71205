import { delegateOf } from '../../database/delegate.js';
import { type Allowing, permissionFor } from '../core/allow.js';
import type { Context } from '../core/context.js';
import type { Permit } from '../core/ports.js';
import { visibleAmong, visibleRealms } from '../realms/visible.js';

/** The realms whose events the caller may list, all or only the wanted ones, with the permit in each. */
export async function realmsOfFeed(
  ctx: Context,
  operation: Allowing,
  wanted: readonly string[] | undefined,
): Promise<ReadonlyMap<string, Permit>> {
  const permits = wanted ? await visibleAmong(ctx, wanted) : await visibleRealms(ctx);
  const permission = permissionFor(operation);
  return new Map([...permits].filter(([id, permit]) => permit.can(permission) && (wanted?.includes(id) ?? true)));
}

/** Maximum events from which a page is chosen: from each realm, the events that could be on the page. */
const mostCandidates = 1000;

/** Whether few enough events of each realm must be read to choose a page from them. */
const areFew = (realmIds: readonly string[], take: number): boolean => realmIds.length * take <= mostCandidates;

interface Event {
  id: string;
  time: bigint;
}

interface PageOfEvents {
  where: object;
  orderBy: { time?: string }[];
  take: number;
}

/** Reads events, of one realm or of many. */
export interface EventReader<R> {
  /** the relation from realms to these events */
  relation: 'adminEvents' | 'loginEvents';
  select: object;
  find(page: { where: object; orderBy: object[]; take: number; select: object }): Promise<R[]>;
}

/**
 * A page of the events of these realms, in one statement. For few realms, the next events of each are read along the
 * index of its realm. For many, events of all realms are read along the index of time, until there are enough.
 */
export async function eventsIn<R extends Event>(
  ctx: Context,
  { relation, select, find }: EventReader<R>,
  realmIds: readonly string[],
  { where, orderBy, take }: PageOfEvents,
): Promise<R[]> {
  const nested = { where, orderBy, take, select };
  const [first, ...others] = realmIds;
  if (others.length === 0) return find({ ...nested, where: { AND: [{ realmId: first ?? '' }, where] } });
  if (!areFew(realmIds, take)) return find({ ...nested, where: { AND: [inRealms(realmIds), where] } });
  const realms = await delegateOf<Record<string, R[]>>(ctx.db, 'Realm').findMany({
    where: { id: { in: [...realmIds] } },
    select: { [relation]: nested },
  });
  const sign = orderBy[0]?.time === 'desc' ? -1 : 1;
  const isBefore = (one: Event, other: Event) =>
    one.time < other.time || (one.time === other.time && one.id < other.id) ? -1 : 1;
  return realms
    .flatMap((realm) => realm[relation] ?? [])
    .sort((one, other) => sign * isBefore(one, other))
    .slice(0, take);
}

/** A condition for events of these realms that no index serves. Along the index of realms, SQLite would read and sort all their events. */
const inRealms = (realmIds: readonly string[]): object => ({ NOT: { realmId: { notIn: [...realmIds] } } });
