import type { ObjectRef } from '@pothos/core';
import { eventHorizon } from '../../database/event-positions.js';
import { type Allowing, permissionFor } from '../../services/core/allow.js';
import type { AdminEvent } from '../../services/core/audit.js';
import { begun } from '../../services/core/begun.js';
import type { Context } from '../../services/core/context.js';
import { permitFor } from '../../services/core/permit.js';
import type { Permit } from '../../services/core/ports.js';
import type { Target } from '../../services/core/target.js';
import { loginEventsOf } from '../../services/events/login-operations.js';
import { adminEventsOf } from '../../services/events/operations.js';
import { type LoginEventRow, loginEventSelect } from '../../services/events/representation.js';
import { atOnce, type EventRow, tailEvents } from '../../services/events/tail.js';
import { realmById } from '../../services/realms/locate.js';
import { type BuilderTypes, builder } from '../core/builder.js';
import { requireNoNull } from '../core/filters.js';
import { pageOf } from '../core/page.js';
import { realmTarget } from '../realms/mutations.js';
import { AdminEventFilter, adminEventFilterWhere } from './admin-event-filter.js';
import { AdminEventRef } from './admin-events.js';
import { cursorFrom, cursorOf, oldestFirst, type PositionOf, subscriptionCursor } from './cursor.js';
import { LoginEventFilter, loginEventFilterWhere } from './login-event-filter.js';
import { LoginEvent } from './login-events.js';

/**
 * A message of a subscription: an event (none in the first message), and the cursor to continue from. A failure is the
 * last message.
 */
interface Message<R> {
  cursor: string;
  event: R | null;
  failure?: unknown;
}

/** The context of a request that may outlive its token. */
export interface RenewableContext extends Context {
  /** Makes the context again from the same request; throws `unauthenticated` if its token is no longer valid. */
  renew?: () => Promise<Context>;
}

const messageType = <R>(name: string, event: ObjectRef<BuilderTypes, R>) =>
  builder.objectRef<Message<R>>(`${name}Message`).implement({
    description: `A message of a subscription with an event of type ${name}.`,
    fields: (t) => ({
      cursor: t.string({
        description: 'Cursor of the message. Pass it as `after` of a new subscription to continue after this message.',
        resolve: ({ cursor }) => cursor,
      }),
      event: t.field({
        type: event,
        nullable: true,
        description: 'The event. Null in the first message, which confirms that the subscription has started.',
        // Pothos cannot tell that the type variable is not a list
        resolve: ((message: Message<R>) => message.event) as never,
      }),
    }),
  });

type StoredAdminEvent = AdminEvent & EventRow;

interface Source<R> {
  /** the operation that lists the same events */
  operation: Allowing;
  realm: string;
  after: string | null | undefined;
  filter: object;
  find(args: { where: object; orderBy: object[]; take: number }): Promise<R[]>;
  /** the position of the last of these in the order of the list, newest first */
  position(args: { where: object; orderBy: object[] }): Promise<{ position: bigint } | null>;
}

/** A check of an operation besides its permission. */
type FurtherCheck = (permit: Permit, target: Target) => void;

/** Throws a refusal if the caller may no longer perform an operation in the realm, with a token of any kind. */
export const stillMay =
  (ctx: RenewableContext, realmId: string, operation: Allowing, check?: FurtherCheck) => async (): Promise<void> => {
    const present = (await ctx.renew?.()) ?? ctx;
    // values that were cached for the first event are not used for the next ones
    for (const remembered of [ctx.permits, ctx.loaders, present.permits]) remembered.clear();
    const realm = await realmById(present, realmId);
    const permit = await permitFor(present, realm);
    permit.require(permissionFor(operation));
    check?.(permit, { realm });
  };

/** The messages of one subscription. A refusal is one of them, so that the subscriber learns why it ends. */
async function* messages<R extends EventRow>(ctx: RenewableContext, source: Source<R>): AsyncGenerator<Message<R>> {
  const { services } = ctx;
  const { realm } = await realmTarget(ctx, source.realm, 'realm');
  const check = stillMay(ctx, realm.id, source.operation);
  await check();
  const positionOf: PositionOf = async ({ id, time }) => {
    const notYounger = { OR: [{ time: { lt: time } }, { time, id: { lte: id } }] };
    const where = { AND: [{ realmId: realm.id }, notYounger] };
    return (await source.position({ where, orderBy: [{ time: 'desc' }, { id: 'desc' }] }))?.position;
  };
  // an invalid cursor is refused before anything is sent
  let cursor = source.after
    ? await subscriptionCursor(source.after, positionOf)
    : cursorFrom(await eventHorizon(services.database));
  const filter = { AND: [{ realmId: realm.id }, source.filter] };
  const read = (horizon: bigint): Promise<R[]> => {
    const page = pageOf('AdminEvent', { first: atOnce, after: cursor }, oldestFirst, filter);
    const where = { AND: [page.args.where, { position: { lt: horizon } }] };
    return source.find({ ...page.args, where, take: atOnce });
  };
  const events = tailEvents(services, { realmId: realm.id, read, check });
  try {
    yield { cursor, event: null };
    for await (const event of events) {
      cursor = cursorOf(event);
      yield { cursor, event };
    }
  } catch (failure) {
    yield { cursor, event: null, failure };
  } finally {
    await events.return(undefined);
  }
}

function told<R>(message: Message<R>): Message<R> {
  if (message.failure !== undefined) throw message.failure;
  return message;
}

/** A filter of a subscription as one of the database. */
function whereOf<F>(filter: F | null | undefined, toWhere: (filter: F) => object): object {
  requireNoNull(filter);
  return filter ? toWhere(filter) : {};
}

const follows = 'The permission is checked before each message. An event arrives shortly after it was stored.';
const realmArg = { required: true, description: 'ID of the realm.' } as const;
const afterArg = {
  description: 'Cursor of a message or of an edge in the event list. Returns only later events. Omit to start now.',
} as const;

builder.subscriptionType({
  description:
    'All subscriptions. Transports: server-sent events, and WebSocket with the protocol graphql-transport-ws.',
});

builder.subscriptionField('loginEvents', (t) =>
  t.field({
    type: messageType<LoginEventRow>('LoginEvent', LoginEvent),
    description: `Sends login events of a realm in the order in which they were stored, each once. ${follows}`,
    requires: { operation: loginEventsOf, isChecked: true },
    args: {
      realm: t.arg.id(realmArg),
      after: t.arg.string(afterArg),
      filter: t.arg({ type: LoginEventFilter, description: 'Returns only the items that match. Omit for all.' }),
    },
    subscribe: (_root, { realm, after, filter }, ctx) =>
      begun(
        messages<LoginEventRow & EventRow>(ctx, {
          operation: loginEventsOf,
          realm,
          after,
          filter: whereOf(filter, loginEventFilterWhere),
          find: (args) =>
            ctx.services.database.read.loginEvent.findMany({
              ...args,
              select: { ...loginEventSelect, position: true },
            }),
          position: (args) => ctx.services.database.read.loginEvent.findFirst({ ...args, select: { position: true } }),
        }),
      ),
    resolve: told,
  }),
);

builder.subscriptionField('adminEvents', (t) =>
  t.field({
    type: messageType<AdminEvent>('AdminEvent', AdminEventRef),
    description: `Sends admin events of a realm in the order in which they were stored, each once. ${follows}`,
    requires: { operation: adminEventsOf, isChecked: true },
    args: {
      realm: t.arg.id(realmArg),
      after: t.arg.string(afterArg),
      filter: t.arg({ type: AdminEventFilter, description: 'Returns only the items that match. Omit for all.' }),
    },
    subscribe: (_root, { realm, after, filter }, ctx) =>
      begun(
        messages<StoredAdminEvent>(ctx, {
          operation: adminEventsOf,
          realm,
          after,
          filter: whereOf(filter, adminEventFilterWhere),
          find: (args) => ctx.services.database.read.adminEvent.findMany(args) as Promise<StoredAdminEvent[]>,
          position: (args) => ctx.services.database.read.adminEvent.findFirst({ ...args, select: { position: true } }),
        }),
      ),
    resolve: told,
  }),
);
