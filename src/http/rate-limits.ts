import type { Config } from '../config/config.js';
import { network } from '../services/core/failed-attempts.js';

/** Where the limits are reached, how long to wait, in whole seconds; 0 where a request may go on. */
export interface RateLimits {
  ofAddress(address: string): number;
  ofClient(realmName: string, clientId: string): number;
}

/** The requests of a minute may come at once, the next ones as the minute passes. Milliseconds. */
const period = 60_000;
/** Most addresses, and most clients, that are remembered. */
const mostKnown = 50_000;

/**
 * The limits of one process for logins and token requests: so many in a minute for each address and each client. `now`
 * is in milliseconds and never goes back.
 */
export function createRateLimits(
  { rateLimitAddress, rateLimitClient }: Pick<Config, 'rateLimitAddress' | 'rateLimitClient'>,
  now: () => number = () => performance.now(),
): RateLimits {
  const addresses = createLimit(rateLimitAddress, now);
  const clients = createLimit(rateLimitClient, now);
  return {
    ofAddress: (address) => addresses(network(address)),
    ofClient: (realmName, clientId) => clients(JSON.stringify([realmName, clientId])),
  };
}

/** The generic cell rate algorithm: of each key only the time is kept at which all that was sent is paid for. */
function createLimit(perMinute: number, now: () => number): (key: string) => number {
  if (perMinute === 0) return () => 0;
  const cost = period / perMinute;
  const paidAt = new Map<string, number>();
  return (key) => {
    const at = now();
    const next = Math.max(paidAt.get(key) ?? at, at) + cost;
    if (next - at > period) return Math.ceil((next - at - period) / 1000);
    // the ones that were not seen for the longest time come first
    paidAt.delete(key);
    paidAt.set(key, next);
    for (const [oldest, time] of paidAt) {
      if (time > at && paidAt.size <= mostKnown) break;
      paidAt.delete(oldest);
    }
    return 0;
  };
}
