import { literally } from '../../database/where.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { read, write } from '../core/operation.js';
import { invalid, notFound } from '../core/refusal.js';
import type { Input } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { encodeEventsConfig } from '../realms/encode.js';
import { RealmEventsConfigRepresentation } from '../realms/nested.js';
import { type RealmRecord, realmSelect } from '../realms/record.js';
import { applyEventsConfig } from '../realms/update.js';
import { AdminEventFilter, adminEventSelect, EventFilter, encodeAdminEvent } from './representation.js';

export const getConfig = read({
  name: 'events.config',
  summary: 'Which events a realm keeps, for how long, and who is told of them.',
  allow: 'view:events',
  run: async (_ctx, { realm }: Target) => encodeEventsConfig(realm),
});

export const updateConfig = write({
  name: 'events.updateConfig',
  summary: 'Changes which events a realm keeps. Keeping events is switched off unless it is sent.',
  input: RealmEventsConfigRepresentation,
  allow: 'manage:events',
  lock: ({ realm }: Target) => ({ model: 'Realm', id: realm.id }),
  run: async (tx, { realm }, input) => {
    // read again behind the lock: the settings are one column
    const row = (await tx.realm.findUnique({ where: { id: realm.id }, select: realmSelect })) as RealmRecord | null;
    if (!row) throw notFound('Realm not found.');
    const settings = applyEventsConfig(row, input, true);
    await tx.realm.updateMany({ where: { id: realm.id }, data: { settings, version: { increment: 1 } } });
    return encodeEventsConfig({ settings: settings as RealmRecord['settings'] });
  },
  event: (config, { realm }) => ({
    operationType: 'UPDATE',
    resourceType: 'REALM',
    resourcePath: 'events/config',
    representation: config,
    before: encodeEventsConfig(realm),
  }),
  touches: (_config, { realm }) => [`realm:${realm.id}`],
});

type Filter = Input<typeof AdminEventFilter>;

/** Milliseconds at the start of a day in UTC. */
function dayStart(date: string, side: 'From' | 'To'): bigint {
  const time = /^\d{4}-\d{1,2}-\d{1,2}$/.test(date) ? Date.parse(`${date}Z`) : Number.NaN;
  if (Number.isNaN(time)) {
    const message = `Invalid value for 'Date(${side})', expected format is yyyy-MM-dd`;
    throw invalid(message, `date${side}`, { member: 'error' });
  }
  return BigInt(time);
}

/** Paths that begin and end as the parts around the stars; the parts in between come in their order. */
function pathWhere(path: string): Prisma.StringFilter {
  if (!path.includes('*')) return { equals: path };
  const pattern = path.split('*').map(literally).join('%');
  return { startsWith: pattern, endsWith: pattern };
}

/** The listed admin events of a realm that pass the filter. */
export function adminEventWhere(
  realmId: string,
  filter: Filter,
  clients: readonly string[] | undefined,
): Prisma.AdminEventWhereInput {
  const { dateFrom, dateTo } = filter;
  return {
    realmId,
    listed: true,
    ...(filter.operationTypes?.length && { operationType: { in: filter.operationTypes } }),
    ...(filter.resourceTypes?.length && { resourceType: { in: filter.resourceTypes } }),
    ...(filter.resourcePath && { resourcePath: pathWhere(filter.resourcePath) }),
    ...(filter.authRealm && { authRealmId: filter.authRealm }),
    ...(clients && { authClientId: { in: [...clients] } }),
    ...(filter.authUser && { authUserId: filter.authUser }),
    ...(filter.authIpAddress && { authIpAddress: filter.authIpAddress }),
    ...((dateFrom || dateTo) && {
      time: { ...(dateFrom && { gte: dayStart(dateFrom, 'From') }), ...(dateTo && { lte: dayStart(dateTo, 'To') }) },
    }),
  };
}

/** Unless the caller says how many. */
const pageSize = 100;

export const listAdminEvents = read({
  name: 'adminEvent.list',
  summary: 'What administrators changed in a realm, the newest first.',
  input: AdminEventFilter,
  allow: 'view:events',
  run: async (ctx, { realm }: Target, filter) => {
    const { authClient, first = 0, max = pageSize } = filter;
    // records name the client by its clientId, the contract by its id
    const asked = authClient
      ? await ctx.db.client.findMany({ where: { id: authClient }, select: { clientId: true } })
      : undefined;
    const rows = await ctx.db.adminEvent.findMany({
      where: adminEventWhere(
        realm.id,
        filter,
        asked?.map(({ clientId }) => clientId),
      ),
      orderBy: [{ time: 'desc' }, { id: 'desc' }],
      select: adminEventSelect,
      ...(first > 0 && { skip: first }),
      ...(max >= 0 && { take: max }),
    });
    const clients = await ctx.db.client.findMany({
      where: {
        realmId: { in: [...new Set(rows.map(({ authRealmId }) => authRealmId ?? ''))] },
        clientId: { in: [...new Set(rows.map(({ authClientId }) => authClientId ?? ''))] },
      },
      select: { id: true, realmId: true, clientId: true },
    });
    const ids = new Map(clients.map(({ id, realmId, clientId }) => [`${realmId} ${clientId}`, id]));
    return rows.map((row) =>
      encodeAdminEvent(row, ids.get(`${row.authRealmId} ${row.authClientId}`) ?? row.authClientId),
    );
  },
});

export const clearAdminEvents = write({
  name: 'adminEvent.clear',
  summary: 'Takes all admin events of a realm out of the list. The audit records stay.',
  allow: 'manage:events',
  run: async (tx, { realm }: Target) => {
    const { count } = await tx.adminEvent.updateMany({
      where: { realmId: realm.id, listed: true },
      data: { listed: false },
    });
    return count;
  },
  // the contract's list is empty afterwards
  event: () => undefined,
  touches: () => [],
});

export const listEvents = read({
  name: 'event.list',
  summary: 'What users did in a realm. Nothing is kept of that yet.',
  input: EventFilter,
  allow: 'view:events',
  run: async (_ctx, _target: Target, { dateFrom, dateTo }): Promise<unknown[]> => {
    if (dateFrom) dayStart(dateFrom, 'From');
    if (dateTo) dayStart(dateTo, 'To');
    return [];
  },
});

export const clearEvents = write({
  name: 'event.clear',
  summary: 'Empties the list of what users did, which is empty as long as nothing is kept of that.',
  allow: 'manage:events',
  run: async (_tx, _target: Target) => 0,
  event: () => undefined,
  touches: () => [],
});
