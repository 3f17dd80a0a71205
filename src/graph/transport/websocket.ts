import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GraphQLError, GraphQLFormattedError, GraphQLSchema } from 'graphql';
import { CloseCode, handleProtocols, makeServer } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { limit } from '../../config/limits.js';
import { unavailable } from '../../http/answer.js';
import { addressOf } from '../../http/authenticate.js';
import { type Client, createConcurrencyLimiter, type LineOf } from '../../http/concurrency-limiter.js';
import { openTo } from '../../http/cors.js';
import { senderLine } from '../../http/sender-line.js';
import type { Context, Services } from '../../services/core/context.js';
import { network } from '../../services/core/failed-attempts.js';
import { checkJsonText } from '../../services/core/json-file.js';
import { Refusal } from '../../services/core/refusal.js';
import { masked } from '../core/masked.js';
import { codeOf } from '../core/user-errors.js';
import type { RenewableContext } from '../events/subscriptions.js';
import { documentLimits, parseWithin } from './document.js';
import { executeRequest, subscribeRequest } from './execute.js';
import type { PersistedDocuments } from './persisted.js';
import type { Places } from './places.js';

/** Takes over the connection of an upgrade request. */
export type UpgradeHandler = (message: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Limits of one process, and of one connection. Sizes are in bytes, times in milliseconds. */
const mostOperations = limit(
  'GraphQL',
  'Operations of one WebSocket at a time',
  50,
  'operations',
  'error of the operation',
);
/** Maximum connections that have not sent connection_init yet, and maximum time for it. */
const mostPending = limit(
  'GraphQL',
  'WebSockets of all callers that have not sent `connection_init`',
  500,
  'connections',
  'the oldest is closed',
);
const mostPendingOfAddress = limit(
  'GraphQL',
  'WebSockets of an address that have not sent `connection_init`',
  20,
  'connections',
  '429',
);
const initTimeout = 10_000;
/** Close code of a connection without a place. */
const tooManyConnections = 4429;
const largestMessage = limit('GraphQL', 'Message of a WebSocket', 1024 * 1024, 'bytes', 'the connection is closed');
const requests = { running: 32, waiting: 64, patience: 5000 };
const heartbeat = 15_000;
/** Maximum delay until a connection with an expired token ends. */
const tokenCheck = 1000;
const farewell = 500;

interface SocketContext extends RenewableContext {
  /** the client that waits for a place, which determines its queue */
  sender: Client;
  lineOf: LineOf;
}

interface Connection {
  socket: WebSocket;
  message: IncomingMessage;
  /** makes the context of a request with the token of this connection; throws `unauthenticated` */
  authenticate: () => Promise<Context>;
}

/**
 * Serves GraphQL over WebSocket (protocol graphql-transport-ws) under the rules of requests over HTTP. The token comes
 * in the payload of connection_init, as `Authorization`, or as the header of the request. A connection without a valid
 * token ends with 4403, so that clients know to reconnect with another one.
 */
export function websocketHandler(
  services: Services,
  schema: GraphQLSchema,
  places: Places,
  documents: PersistedDocuments,
  authenticate: (message: IncomingMessage) => Promise<Context>,
): UpgradeHandler {
  const { config, log, stopping } = services;
  const patience = config.clientTimeout * 1000;
  const limiter = createConcurrencyLimiter(requests);
  /** the addresses of connections without connection_init, the oldest first */
  const pending = new Map<WebSocket, string>();
  const wss = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessage,
    handleProtocols,
    clientTracking: true,
  });

  const graphql = makeServer<Record<string, unknown>, Connection>({
    schema,
    connectionInitWaitTimeout: Math.min(patience, initTimeout),
    parse: (source, options) => parseWithin(source, documentLimits, options),
    async onConnect({ connectionParams, extra }) {
      const given = connectionParams?.Authorization ?? connectionParams?.authorization;
      const message = typeof given === 'string' ? withAuthorization(extra.message, given) : extra.message;
      extra.authenticate = () => authenticate(message);
      if (!(await isAuthenticated(extra))) return false;
      const leave = places.connection(addressOf(extra.message, config.trustProxy));
      if (!leave) {
        extra.socket.close(tooManyConnections, 'Too many connections from this IP address');
        return false;
      }
      extra.socket.once('close', leave);
      if (extra.socket.readyState !== extra.socket.OPEN) leave();
      pending.delete(extra.socket);
      return true;
    },
    onSubscribe({ subscriptions, extra }, _id, payload) {
      // it is included in the number
      if (Object.keys(subscriptions).length > mostOperations)
        extra.socket.close(CloseCode.TooManyInitialisationRequests, 'Too many operations');
      try {
        Object.assign(payload, { query: documents.textOf(payload, false) ?? payload.query });
      } catch (error) {
        return [masked(error, services)];
      }
      return undefined;
    },
    async context({ extra }): Promise<SocketContext> {
      const { authenticate: renew, message } = extra;
      return { ...(await renew()), renew, sender: message.socket, lineOf: senderLine(message, config.trustProxy) };
    },
    execute: async (args) => {
      const { sender, lineOf } = args.contextValue as SocketContext;
      const leave = await limiter.acquire(sender, lineOf);
      try {
        return leave ? await executeRequest(args) : {};
      } catch (error) {
        return { errors: [masked(error, services)] };
      } finally {
        leave?.();
      }
    },
    subscribe: (args) => subscribeRequest(args, places, false),
    onError: ({ extra }, _id, _payload, errors) => told(extra, errors),
    onNext: ({ extra }, _id, _payload, _args, { errors, ...result }) => ({
      ...result,
      ...(errors && { errors: told(extra, errors) }),
    }),
  });

  const told = ({ socket }: Connection, errors: readonly GraphQLError[]): GraphQLFormattedError[] => {
    const shown = errors.map((error) => masked(error, services).toJSON());
    const code = codeOf('unauthenticated');
    if (shown.some(({ extensions }) => extensions?.code === code)) socket.close(CloseCode.Forbidden, 'Forbidden');
    return shown;
  };

  const isAuthenticated = async ({ authenticate: authenticating }: Connection): Promise<boolean> => {
    try {
      await authenticating();
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'unauthenticated') return false;
      // the database may recover before the token ends
      return true;
    }
  };

  wss.on('connection', (socket: WebSocket, message: IncomingMessage) => {
    const connection: Connection = { socket, message, authenticate: () => authenticate(message) };
    const failed = (error: unknown): void => {
      const refused = error instanceof Refusal && error.kind === 'unauthenticated';
      if (!refused) log.warn({ err: error }, 'a WebSocket connection failed');
      socket.close(refused ? CloseCode.Forbidden : CloseCode.InternalServerError, refused ? 'Forbidden' : 'Failed');
    };
    let acknowledged = false;
    const closed = graphql.opened(
      {
        protocol: socket.protocol,
        send: (data) => {
          acknowledged ||= data.startsWith('{"type":"connection_ack"');
          return sent(socket, data, patience);
        },
        close: (code, reason) => socket.close(code, reason),
        onMessage: (take) =>
          socket.on('message', (data) => {
            const text = String(data);
            if (isTooMuch(text))
              socket.close(CloseCode.BadRequest, 'The message is nested too deeply or has too many entries');
            else void take(text).catch(failed);
          }),
      },
      connection,
    );
    let alive = true;
    const beat = setInterval(() => {
      if (!alive) return socket.terminate();
      alive = false;
      socket.ping();
    }, heartbeat);
    const checks = setInterval(async () => {
      if (acknowledged && !(await isAuthenticated(connection))) socket.close(CloseCode.Forbidden, 'Forbidden');
    }, tokenCheck);
    socket.on('pong', () => {
      alive = true;
    });
    // the close code tells the sender about the fault of its message
    socket.on('error', () => undefined);
    socket.once('close', (code, reason) => {
      pending.delete(socket);
      clearInterval(beat);
      clearInterval(checks);
      void closed(code, String(reason));
    });
  });

  stopping.addEventListener('abort', () => {
    for (const socket of wss.clients) {
      socket.close(1001, 'Going away');
      setTimeout(() => socket.terminate(), farewell).unref();
    }
  });

  return (message, socket, head) => {
    socket.on('error', () => undefined);
    if (stopping.aborted) return refuse(socket, unavailable.status);
    if (!isAllowed(message, config.graphqlOrigins ?? [])) return refuse(socket, 403);
    const address = network(addressOf(message, config.trustProxy));
    const waiting = [...pending.values()].filter((other) => other === address).length;
    if (waiting >= mostPendingOfAddress) return refuse(socket, 429);
    wss.handleUpgrade(message, socket, head, (upgraded) => {
      const [oldest] = pending.size >= mostPending ? pending.keys() : [];
      oldest?.close(CloseCode.ConnectionInitialisationTimeout, 'Connection initialisation timeout');
      if (oldest) pending.delete(oldest);
      pending.set(upgraded, address);
      wss.emit('connection', upgraded, message);
    });
  };
}

function isTooMuch(text: string): boolean {
  try {
    checkJsonText(text);
    return false;
  } catch {
    return true;
  }
}

/**
 * Resolves when the message has left this process. A client that reads nothing for `patience` milliseconds is
 * disconnected.
 */
const sent = (socket: WebSocket, data: string, patience: number): Promise<void> =>
  new Promise((done) => {
    if (socket.readyState !== socket.OPEN) return done();
    const late = setTimeout(() => socket.terminate(), patience);
    socket.send(data, () => {
      clearTimeout(late);
      done();
    });
  });

/** Pages of other origins may connect if they may send requests. Clients other than browsers send no origin. */
function isAllowed(message: IncomingMessage, origins: readonly string[]): boolean {
  const { origin, host } = message.headers;
  if (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)) return true;
  return Object.keys(openTo(message, origins)).length > 0;
}

/** The request with another Authorization header. */
const withAuthorization = (message: IncomingMessage, authorization: string): IncomingMessage =>
  Object.create(message, { headers: { value: { ...message.headers, authorization } } }) as IncomingMessage;

function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
