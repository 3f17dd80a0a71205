import type pg from 'pg';
import { hostsOf } from '../config/database-hosts.js';
import type { Fence } from './fence.js';
import { checkServer, connectTo, hostName } from './hosts-postgresql.js';

/** Interval of the checks of each host, in milliseconds. */
const interval = 1000;

/**
 * Checks every second which hosts of a database are writable, until the returned function is called. In this way a
 * process with intact connections learns of a promotion, and a returning primary is refused before anybody uses it.
 * Does nothing for a single host.
 */
export function watchHosts(databaseUrl: string, fence: Fence): () => void {
  const hosts = hostsOf(databaseUrl);
  const watched = hosts.length > 1 ? hosts.map((url) => watchHost(url, fence)) : [];
  return () => {
    for (const stop of watched) stop();
  };
}

function watchHost(url: string, fence: Fence): () => void {
  let client: pg.Client | undefined;
  let isAsking = false;
  let isStopped = false;

  // a frozen server does not answer this either, so it is not awaited
  const disconnect = (): void => {
    client?.end().catch(() => undefined);
    client = undefined;
  };
  const look = async (): Promise<void> => {
    if (isAsking || isStopped) return;
    isAsking = true;
    try {
      client ??= await connectTo(url);
      await checkServer(client, hostName(url), fence);
    } catch {
      // the fence reports a refused server, and a host that does not answer is checked again
      disconnect();
    } finally {
      isAsking = false;
    }
    if (isStopped) disconnect();
  };
  const timer = setInterval(() => void look(), interval);
  timer.unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
    if (!isAsking) disconnect();
  };
}
