import type { Server, ServerOptions } from 'node:http';
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

/**
 * Waits for running requests, `seconds` at most; connections are closed as soon as they idle. Closes right after all was read that has
 * arrived, so that no request is lost that waits on a connection.
 */
export const drain = (server: Server, seconds: number): Promise<void> =>
  new Promise((done) => {
    const closeIdle = () => setImmediate(() => server.closeIdleConnections());
    const idle = setInterval(closeIdle, 20);
    const late = setTimeout(() => server.closeAllConnections(), seconds * 1000);
    setImmediate(() => {
      server.close(() => {
        clearInterval(idle);
        clearTimeout(late);
        done();
      });
      server.closeIdleConnections();
    });
  });
