import type pg from 'pg';
import { hostsOf } from '../config/database-hosts.js';
import type { Fence } from './fence.js';
import { checkServer, connectTo, hostName } from './hosts-postgresql.js';

/** How often each host is asked, in milliseconds. */
const interval = 1000;

/**
 * Asks all hosts of a database every second whether they take writes, until the returned function is called. A process whose
 * connections are intact learns in this way of a promotion, and a primary that returns is refused before anybody uses it. Does
 * nothing for a single host.
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

  // a frozen server does not answer this either, so nobody waits for it
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
      // a server that is refused is reported by the fence, and one that does not answer is asked again
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
