import { textsInOrder } from '../../database/like.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { list, read, write } from '../core/operation.js';
import { patchOf } from '../core/patch.js';
import { type RealmRecord, refreshRealm } from '../core/realm.js';
import type { Input } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { encodeEventsConfig } from '../realms/encode.js';
import { RealmEventsConfigRepresentation } from '../realms/nested-representations.js';
import { applyEventsConfig } from '../realms/update.js';
import { dayStart } from './dates.js';
import { AdminEventFilter, adminEventSelect, encodeAdminEvent } from './representation.js';
import { unlistAdminEvents } from './store.js';

export const getConfig = read({
  name: 'events.config',
  summary:
    'Returns the event settings of a realm: which events are stored, for how long, and which listeners get them.',
  allow: 'view:events',
  run: async (_ctx, { realm }: Target) => encodeEventsConfig(realm),
});

export const updateConfig = write({
  name: 'events.updateConfig',
  summary:
    'Changes the event settings of a realm. If omitted, `eventsEnabled` becomes false and `eventsExpiration` is removed.',
  input: RealmEventsConfigRepresentation,
  allow: 'manage:events',
  lock: ({ realm }: Target) => ({ model: 'Realm', id: realm.id }),
  refresh: refreshRealm,
  run: async (tx, { realm }, input) => {
    const settings = applyEventsConfig(realm, input, true);
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

export const patchConfig = patchOf(updateConfig, {
  // fields that are not sent stay unchanged
  current: ({ realm: { settings } }) => ({
    eventsEnabled: settings.eventsEnabled === true,
    eventsExpiration: settings.eventsExpiration,
  }),
  empty: { eventsExpiration: undefined, eventsListeners: [], enabledEventTypes: [] },
});

type Filter = Input<typeof AdminEventFilter>;

/** Matches paths that begin and end like the parts around the stars; the parts in between must follow in order. */
function pathWhere(path: string): Prisma.StringFilter {
  if (!path.includes('*')) return { equals: path };
  const pattern = textsInOrder(...path.split('*'));
  return { startsWith: pattern, endsWith: pattern };
}

/** The listed admin events of a realm that pass the filter. */
function adminEventWhere(
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

/** Default page size. */
export const pageSize = 100;

export const listAdminEvents = read({
  name: 'adminEvent.list',
  summary: 'Returns the admin events of a realm, newest first unless `direction` is `asc`.',
  input: AdminEventFilter,
  allow: 'view:events',
  run: async (ctx, { realm }: Target, filter) => {
    const { authClient, first = 0, max = pageSize, direction = 'desc' } = filter;
    // records name the client by its clientId, the contract by its ID
    const asked = authClient
      ? await ctx.db.client.findMany({ where: { id: authClient }, select: { clientId: true } })
      : undefined;
    const rows = await ctx.db.adminEvent.findMany({
      where: adminEventWhere(
        realm.id,
        filter,
        asked?.map(({ clientId }) => clientId),
      ),
      orderBy: [{ time: direction }, { id: direction }],
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

export const adminEventsOf = list({
  name: 'adminEvent.all',
  summary:
    'Returns the audit records of a realm, newest first, including those that the list of admin events does not contain.',
  allow: 'view:events',
  model: 'AdminEvent',
  where: ({ realm }: Target): Prisma.AdminEventWhereInput => ({ realmId: realm.id }),
  orderBy: [{ time: 'desc' }, { id: 'desc' }],
});

export const clearAdminEvents = write({
  name: 'adminEvent.clear',
  summary: 'Clears the list of admin events of a realm. The audit records are kept.',
  allow: 'manage:events',
  run: (tx, { realm }: Target) => unlistAdminEvents(tx, realm.id),
  // the contract's list is empty afterwards
  event: () => undefined,
  touches: () => [],
});
