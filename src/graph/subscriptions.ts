import type { AdminEvent } from '../services/core/audit.js';
import type { Context } from '../services/core/context.js';
import { permitFor } from '../services/core/permit.js';
import { type LoginEventRow, loginEventSelect } from '../services/events/representation.js';
import { atOnce, type EventRow, tailEvents } from '../services/events/tail.js';
import { realmById } from '../services/realms/locate.js';
import { AdminEventFilter, adminEventFilterWhere } from './admin-event-list.js';
import { AdminEventRef } from './admin-events.js';
import { builder } from './builder.js';
import { LoginEvent, LoginEventFilter, loginEventFilterWhere } from './login-events.js';
import { pageOf } from './page.js';
import { realmTarget } from './realm-mutations.js';

/** What a subscription sends: an event, at first none, and where to go on. A failure is its last one. */
interface Message<R> {
  cursor: string;
  event: R | null;
  failure?: unknown;
}

/** The context of a request that may outlive its token. */
export interface RenewableContext extends Context {
  /** Makes the context again from the same request; throws `unauthenticated` when its token is not good any more. */
  renew?: () => Promise<Context>;
}

// oldest first; the cursors are those of the lists
const order = [{ path: 'time' }, { path: 'id' }];

const messageType = <R>(name: string, event: object) =>
  builder.objectRef<Message<R>>(`${name}Message`).implement({
    description: `A ${name} of a subscription, with its place in the order of all.`,
    fields: (t) => ({
      cursor: t.string({
        description: 'Give it as after to go on from here with another subscription.',
        resolve: ({ cursor }) => cursor,
      }),
      event: t.field({
        type: event as never,
        nullable: true,
        description: 'The event; null in the first message, which tells that the subscription has begun.',
        resolve: ((message: Message<R>) => message.event) as never,
      }),
    }),
  });

interface Source<R> {
  realm: string;
  after: string | null | undefined;
  filter: object;
  find(args: { where: object; orderBy: object[]; take: number }): Promise<R[]>;
}

/** The messages of one subscription. A refusal is one of them, so that the subscriber hears why it ends. */
async function* messages<R extends EventRow>(ctx: RenewableContext, source: Source<R>): AsyncGenerator<Message<R>> {
  const { services } = ctx;
  const { realm } = await realmTarget(ctx, source.realm, 'realm');
  const check = async (): Promise<void> => {
    const present = (await ctx.renew?.()) ?? ctx;
    // nothing that was remembered for the first event is trusted for the next
    for (const remembered of [ctx.permits, ctx.loaders, present.permits]) remembered.clear();
    (await permitFor(present, await realmById(present, realm.id))).require('view:events');
  };
  const start = { id: '', time: BigInt(services.now()) };
  const cursorOf = (row: EventRow): string => pageOf({}, order, {}).cursorOf({ id: row.id, time: row.time });
  let cursor = source.after ?? cursorOf(start);
  const filter = { AND: [{ realmId: realm.id }, source.filter] };
  const read = (_last: R | undefined, horizon: bigint): Promise<R[]> => {
    const page = pageOf({ first: atOnce, after: cursor }, order, filter);
    const where = { AND: [page.args.where, { time: { lte: horizon } }] };
    return source.find({ ...page.args, where, take: atOnce });
  };
  await check();
  // a cursor that is none is refused before anything is sent
  pageOf({ first: atOnce, after: cursor }, order, filter);
  const events = tailEvents(services, { read, check });
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

/** Begins at once, so that what is wrong with the request is told as an answer to it. */
async function begun<M>(stream: AsyncGenerator<M>): Promise<AsyncIterable<M>> {
  const first = await stream.next();
  return (async function* () {
    try {
      if (!first.done) yield first.value;
      yield* stream;
    } finally {
      await stream.return(undefined);
    }
  })();
}

function told<R>(message: Message<R>): Message<R> {
  if (message.failure !== undefined) throw message.failure;
  return message;
}

const takes =
  'Takes one of view-events, manage-events for as long as it lasts. An event comes about a second after it happened.';
const realmArg = { required: true, description: 'Id of the realm.' } as const;
const afterArg = {
  description:
    'Cursor of a message, or of an edge of the list, to go on after; only what happens from now on unless told.',
} as const;

builder.subscriptionType({ description: 'What is told as it happens, by server-sent events.' });

builder.subscriptionField('loginEvents', (t) =>
  t.field({
    type: messageType<LoginEventRow>('LoginEvent', LoginEvent),
    description: `What users do in a realm, in the order of time, each event once. ${takes}`,
    args: {
      realm: t.arg.id(realmArg),
      after: t.arg.string(afterArg),
      filter: t.arg({ type: LoginEventFilter, description: 'Which of them.' }),
    },
    subscribe: (_root, { realm, after, filter }, ctx) =>
      begun(
        messages<LoginEventRow>(ctx, {
          realm,
          after,
          filter: filter ? loginEventFilterWhere(filter) : {},
          find: (args) => ctx.services.database.read.loginEvent.findMany({ ...args, select: loginEventSelect }),
        }),
      ),
    resolve: told,
  }),
);

builder.subscriptionField('adminEvents', (t) =>
  t.field({
    type: messageType<AdminEvent>('AdminEvent', AdminEventRef),
    description: `What administrators change in a realm, in the order of time, each event once. ${takes}`,
    args: {
      realm: t.arg.id(realmArg),
      after: t.arg.string(afterArg),
      filter: t.arg({ type: AdminEventFilter, description: 'Which of them.' }),
    },
    subscribe: (_root, { realm, after, filter }, ctx) =>
      begun(
        messages<AdminEvent>(ctx, {
          realm,
          after,
          filter: filter ? adminEventFilterWhere(filter) : {},
          find: async (args) => (await ctx.services.database.read.adminEvent.findMany(args)) as AdminEvent[],
        }),
      ),
    resolve: told,
  }),
);
