import { GraphQLError } from 'graphql';
import type { Config } from '../../config/config.js';
import { limit } from '../../config/limits.js';
import { unavailable } from '../../http/answer.js';
import { network } from '../../services/core/failed-attempts.js';
import { gauge } from '../../telemetry/instruments.js';
import { codeOf } from '../core/user-errors.js';

/** Returns a place. May be called more than once. */
export type Leave = () => void;

/** The places of one process for long-lived work: connections and subscriptions. */
export interface Places {
  /** A place for a connection from an address; undefined when the address or the process has no more. */
  connection(address: string): Leave | undefined;
  /** A place for a subscription of a user; undefined when the user or the process has no more. */
  subscription(userId: string): Leave | undefined;
}

/** Maximum connections, and maximum subscriptions, of one process. */
const mostConnections = limit(
  'GraphQL',
  'WebSockets and event streams of all callers',
  1000,
  'connections',
  'close code 4429, or `BUSY`',
);
const mostSubscriptions = limit('GraphQL', 'Subscriptions of all callers', 5000, 'subscriptions', '`BUSY`');

const open = { connections: 0, subscriptions: 0 };
gauge({ name: 'realmgate_subscriptions_open', help: 'Number of open GraphQL subscriptions.' }, (subscriptions) =>
  subscriptions.set(open.subscriptions),
);
gauge(
  { name: 'realmgate_stream_connections_open', help: 'Number of open WebSockets and server-sent event streams.' },
  (connections) => connections.set(open.connections),
);

/** Makes the places of one process. No address or user can take all of them. */
export function createPlaces({
  connectionsPerAddress,
  subscriptionsPerCaller,
}: Pick<Config, 'connectionsPerAddress' | 'subscriptionsPerCaller'>): Places {
  const connections = placesByKey('connections', connectionsPerAddress, mostConnections);
  const subscriptions = placesByKey('subscriptions', subscriptionsPerCaller, mostSubscriptions);
  return { connection: (address) => connections(network(address)), subscription: subscriptions };
}

function placesByKey(kind: keyof typeof open, each: number, together: number): (key: string) => Leave | undefined {
  const taken = new Map<string, number>();
  let all = 0;
  return (key) => {
    const own = taken.get(key) ?? 0;
    if (own >= each || all >= together) return undefined;
    taken.set(key, own + 1);
    all += 1;
    open[kind] += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      all -= 1;
      open[kind] -= 1;
      const rest = (taken.get(key) ?? 1) - 1;
      if (rest > 0) taken.set(key, rest);
      else taken.delete(key);
    };
  };
}

/** The error of a subscription or connection without a place. */
export const noPlace = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: codeOf('busy'), http: unavailable } });

/** The stream, which returns its places when it ends in any way. */
export function holding<R>(stream: AsyncGenerator<R, void, void>, leave: Leave): AsyncGenerator<R, void, void> {
  const ended = async (result: Promise<IteratorResult<R, void>>): Promise<IteratorResult<R, void>> => {
    try {
      const one = await result;
      if (one.done) leave();
      return one;
    } catch (error) {
      leave();
      throw error;
    }
  };
  return {
    next: () => ended(stream.next()),
    return: (value) => {
      leave();
      return stream.return(value);
    },
    throw: (error) => ended(stream.throw(error)),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
