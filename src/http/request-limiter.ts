import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../config/config.js';
import { inPlace } from '../services/core/place.js';
import { type ConcurrencyLimiter, createConcurrencyLimiter, type LineOf } from './concurrency-limiter.js';
import { senderLine } from './sender-line.js';
import { bodyBegun, hasBody, keepPace } from './slow-clients.js';

/** What is limited: requests, among them those for tokens by themselves, and large bodies. */
type LimitedKind = 'requests' | 'tokens' | 'large';

/** Limits how many requests are worked on at a time. */
export interface RequestLimiter {
  /**
   * Runs `work` once there is a place for the request and its body has begun to arrive. Undefined when the client was
   * gone before; throws `busy` at once when there are too many requests already.
   */
  run<R>(message: IncomingMessage, response: ServerResponse, work: () => Promise<R>): Promise<R | undefined>;
  /** Runs `work` that reads a large body when few others do; runs it at once if the body is small. */
  runLarge<R>(message: IncomingMessage, response: ServerResponse, work: () => Promise<R>): Promise<R | undefined>;
  /** Ends the connection of an answer that its receiver does not read. */
  watchDelivery(response: ServerResponse): void;
  /** How many requests are in work, wait, and were refused, by what is limited. */
  counts(): Record<LimitedKind, ReturnType<ConcurrencyLimiter['counts']>>;
}

export type RequestLimits = Pick<
  Config,
  'bodyLimit' | 'clientTimeout' | 'maxConcurrentRequests' | 'maxQueuedRequests' | 'trustProxy'
>;

/** Times in milliseconds. */
const patience = 5000;
const largeBodies = { running: 2, waiting: 16, patience: 60_000 };
const tokenEndpoint = /^\/auth\/realms\/[^/]+\/protocol\/openid-connect\/token\/?(\?|$)/;

/** Makes the request limiter of one server. */
export function createRequestLimiter(settings: RequestLimits): RequestLimiter {
  const { bodyLimit, clientTimeout, maxConcurrentRequests, maxQueuedRequests, trustProxy } = settings;
  const requests = createConcurrencyLimiter({ running: maxConcurrentRequests, waiting: maxQueuedRequests, patience });
  // anybody can have passwords hashed: that must not take the places of callers with a token
  const tokens = createConcurrencyLimiter({
    running: Math.ceil(maxConcurrentRequests / 4),
    waiting: Math.ceil(maxQueuedRequests / 4),
    patience,
  });
  const large = createConcurrencyLimiter(largeBodies);
  const pace = keepPace({ timeout: clientTimeout * 1000 });

  async function within<R>(
    limiter: ConcurrencyLimiter,
    lineOf: LineOf,
    response: ServerResponse,
    work: () => Promise<R>,
  ) {
    const leave = await limiter.acquire(response, lineOf);
    return leave && inPlace(leave, () => limiter.acquireAgain(), work);
  }

  return {
    async run(message, response, work) {
      const limiter = message.method === 'POST' && tokenEndpoint.test(message.url ?? '') ? tokens : requests;
      const lineOf = senderLine(message, trustProxy);
      limiter.expectRoom(lineOf);
      if (hasBody(message)) {
        pace.receiving(message, response);
        // a request whose body has not begun takes no place
        await bodyBegun(message);
      }
      return within(limiter, lineOf, response, work);
    },
    runLarge: (message, response, work) =>
      sizeOf(message) > bodyLimit ? within(large, senderLine(message, trustProxy), response, work) : work(),
    watchDelivery: (response) => pace.sending(response),
    counts: () => ({ requests: requests.counts(), tokens: tokens.counts(), large: large.counts() }),
  };
}

/** Bytes of the body; one that does not say may have any number. */
const sizeOf = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.POSITIVE_INFINITY;
