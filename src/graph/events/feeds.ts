import type { Allowing } from '../../services/core/allow.js';
import type { AdminEvent } from '../../services/core/audit.js';
import type { Context } from '../../services/core/context.js';
import { invalid } from '../../services/core/refusal.js';
import { type EventReader, eventsIn, realmsOfFeed } from '../../services/events/feed.js';
import { loginEventsOf } from '../../services/events/login-operations.js';
import { adminEventsOf } from '../../services/events/operations.js';
import { allOfAdminEvent, type LoginEventRow, loginEventSelect } from '../../services/events/representation.js';
import { builder } from '../core/builder.js';
import { type ConnectionValue, connectionOf, noRows, pageArgs } from '../core/connection.js';
import { requireNoNull } from '../core/filters.js';
import { listCost } from '../core/list-cost.js';
import { parseIds } from '../core/node.js';
import { type PageArgs, pageOf } from '../core/page.js';
import { adminEventList } from './admin-event-list.js';
import { type EventOrderValue, eventOrder } from './event-list.js';
import { loginEventList } from './login-event-list.js';

interface FeedArgs<F> extends PageArgs {
  realms?: string[] | null | undefined;
  filter?: F | null | undefined;
  orderBy?: EventOrderValue | null | undefined;
}

interface Source<F, R> extends EventReader<R> {
  /** lists the events of one realm: the feed has only events of realms in which the caller may perform it */
  operation: Allowing;
  where(args: { filter?: F | null | undefined }): object;
  count(where: object): Promise<number>;
}

/** A page of the events of all realms whose events the caller may view. */
async function feed<F, R extends { id: string; time: bigint }>(
  ctx: Context,
  { realms, filter, orderBy, ...args }: FeedArgs<F>,
  source: Source<F, R>,
): Promise<ConnectionValue<R>> {
  // null would stand for every realm, as in a filter
  if (realms === null) throw invalid('`realms` must not be null: omit it for all realms', 'realms');
  requireNoNull(filter);
  const matching = { ...source.where({ filter }) };
  const wanted = realms ? parseIds(realms, 'realms', 'Realm') : undefined;
  // before the realms, so that invalid arguments are refused even for callers who see nothing
  const page = pageOf('AdminEvent', args, eventOrder(orderBy), matching);
  const permits = await realmsOfFeed(ctx, source.operation, wanted);
  if (permits.size === 0) return noRows();
  // the objects of the events need these permits again; the caller's own realm may grant more
  for (const [id, permit] of permits) {
    if (id !== ctx.caller.realmId && !ctx.permits.has(id)) ctx.permits.set(id, permit);
  }
  const realmIds = [...permits.keys()];
  const rows = (await eventsIn(ctx, source, realmIds, page.args)) as (R & Record<string, unknown>)[];
  return connectionOf(
    page,
    rows,
    (row): R => row,
    () => source.count({ AND: [{ realmId: { in: realmIds } }, matching] }),
  );
}

const realmsArg = {
  description:
    'IDs of realms. Returns only events of these realms; a realm whose events the caller may not view has none. Omit for all realms.',
} as const;

builder.queryField('adminEvents', (t) =>
  t.field({
    type: adminEventList.connection,
    nullable: true,
    description: 'Admin events of all realms whose events the caller may view, newest first by default.',
    requires: { operation: adminEventsOf, otherwise: 'EMPTY', isChecked: true },
    args: { ...pageArgs, realms: t.arg.idList(realmsArg), ...adminEventList.args },
    complexity: listCost,
    resolve: (_root, args, ctx) =>
      feed(ctx, args, {
        operation: adminEventsOf,
        where: adminEventList.where,
        relation: 'adminEvents',
        select: allOfAdminEvent,
        find: async (page) => (await ctx.db.adminEvent.findMany(page)) as AdminEvent[],
        count: (where) => ctx.db.adminEvent.count({ where }),
      }),
  }),
);

builder.queryField('loginEvents', (t) =>
  t.field({
    type: loginEventList.connection,
    nullable: true,
    description: 'Login events of all realms whose events the caller may view, newest first by default.',
    requires: { operation: loginEventsOf, otherwise: 'EMPTY', isChecked: true },
    args: { ...pageArgs, realms: t.arg.idList(realmsArg), ...loginEventList.args },
    complexity: listCost,
    resolve: (_root, args, ctx) =>
      feed(ctx, args, {
        operation: loginEventsOf,
        where: loginEventList.where,
        relation: 'loginEvents',
        select: loginEventSelect,
        find: (page): Promise<LoginEventRow[]> => ctx.db.loginEvent.findMany({ ...page, select: loginEventSelect }),
        count: (where) => ctx.db.loginEvent.count({ where }),
      }),
  }),
);
