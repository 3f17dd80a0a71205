import type { Server, ServerOptions } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { limit } from '../config/limits.js';

/** Longest a request may take to arrive, in milliseconds: a large import over a slow line. */
const requestTimeout = 600_000;

/** A token can list many roles. */
const largestHeaders = limit('Requests', 'Headers with the address', 32 * 1024, 'bytes', '431');

/** How connections of clients are kept. Times are in milliseconds, sizes in bytes. */
export const connections = ({ clientTimeout }: Config): ServerOptions => ({
  headersTimeout: clientTimeout * 1000,
  requestTimeout: Math.max(requestTimeout, clientTimeout * 1000),
  connectionsCheckingInterval: 1000,
  // longer than balancers keep an idle connection, a minute most often: one that they use is not closed under their hands
  keepAliveTimeout: 75_000,
  // finds out about clients that are gone without notice
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
  maxHeaderSize: largestHeaders,
});

/** The address to tell the operator. */
export function addressOf({ host, publicUrl }: Config, port: number): string {
  return publicUrl ?? `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${port}`;
}

/** Opens the port. Rejects where that cannot be had. */
export const listen = (server: Server, { host, port }: Config): Promise<void> =>
  new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      done();
    });
  });

/** Milliseconds of a turn of the event loop that is short enough to close the port after it. */
const shortTurn = 0.5;
const mostTurns = 200;

/** Waits for a short turn of the event loop: it has accepted all connections, and hardly any can have come since. */
async function untilShortTurn(): Promise<void> {
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const began = performance.now();
    await setImmediate();
    if (performance.now() - began < shortTurn) return;
  }
}

/** Milliseconds that a connection of a proxy has to send its request after the port is closed. */
const lastRequests = 200;

/**
 * Closes the port, and waits for running requests, `seconds` at most. Connections are closed as soon as they idle; those of proxies, which may
 * be sending a request, only after `lastRequests`. So no request is lost that has arrived.
 */
export async function drain(server: Server, seconds: number, { isBehindProxy = false } = {}): Promise<void> {
  await untilShortTurn();
  const closed = new Promise((done) => {
    // the method of HTTP servers also closes idle connections
    NetServer.prototype.close.call(server, done);
  });
  const late = setTimeout(() => server.closeAllConnections(), seconds * 1000);
  const ended = new AbortController();
  const closeIdle = async (): Promise<void> => {
    if (isBehindProxy) await sleep(lastRequests, undefined, { signal: ended.signal });
    for (;;) {
      // right after all was read that has arrived
      await setImmediate();
      server.closeIdleConnections();
      await sleep(20, undefined, { signal: ended.signal });
    }
  };
  const closing = closeIdle().catch(() => undefined);
  await closed;
  ended.abort();
  clearTimeout(late);
  await closing;
  // ends what watches for slow requests
  server.close();
}
