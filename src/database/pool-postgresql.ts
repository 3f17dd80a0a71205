import pg from 'pg';
import { hostsOf } from '../config/database-hosts.js';
import type { Fence } from './fence.js';
import { clientOfHosts } from './hosts-postgresql.js';
import { keepRoleSettings } from './pooler-postgresql.js';
import { applicationName } from './server-identity-postgresql.js';
import { endWhenSilent } from './silence.js';

/** Maximum wait for a connection, in milliseconds. */
const connectionTimeout = 10_000;
const keepAliveInitialDelayMillis = 10_000;
/** Milliseconds that a server may be silent beyond its own limit for a statement. */
const silence = 2000;

/**
 * Statements of this service follow keys from a few rows to a few others. PostgreSQL expects that recursive ones find
 * many thousands, and would read whole tables to join them. Compiling a statement takes longer than all of its
 * executions. Planning one again for its values takes three times as long as executing it.
 */
const plannerSettings = {
  jit: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_seqscan: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/** The same settings as arguments at the start of a session. */
const startupOptions = Object.entries(plannerSettings)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

interface PoolSettings {
  /** one host, or several with one that takes writes */
  readonly url: string;
  /** the maximum number of connections */
  readonly size: number;
  /** the longest time of a statement, in seconds */
  readonly statementTimeout: number;
  /**
   * Whether connections go through a pooler, which passes on no settings. Sessions then have the settings of their
   * role.
   */
  readonly hasPooler: boolean;
  /** Refuses servers that are behind. If undefined, any server is used: reads of standbys check each answer. */
  readonly fence?: Fence;
}

const limitsOf = (longest: number) => ({
  statement_timeout: longest,
  // releases the locks of a process that was frozen
  idle_in_transaction_session_timeout: longest,
});

/**
 * Stores the session settings in the role, for sessions behind a pooler. `url` leads to the database without the
 * pooler.
 */
export function keepSessionSettings(url: string, statementTimeout: number, fence: Fence): Promise<void> {
  const limits = Object.entries(limitsOf(statementTimeout * 1000)).map(([name, value]) => [name, String(value)]);
  return keepRoleSettings(url, { ...plannerSettings, ...Object.fromEntries(limits) }, fence);
}

/** Connections to PostgreSQL, made when they are needed. */
export function poolOf({ url, size, statementTimeout, hasPooler, fence }: PoolSettings): pg.Pool {
  const longest = statementTimeout * 1000;
  const [host] = hostsOf(url);
  const pool = new pg.Pool({
    connectionString: host,
    ...(fence && { Client: clientOfHosts(url, fence) }),
    application_name: applicationName,
    max: size,
    connectionTimeoutMillis: Math.min(connectionTimeout, longest),
    keepAlive: true,
    keepAliveInitialDelayMillis,
    ...(!hasPooler && { ...limitsOf(longest), options: startupOptions }),
  });
  // the server can end a connection while it changes hands; without a listener, that would end the process; the next
  // user of the connection gets the error
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    endWhenSilent(client, longest + silence);
  });
  pool.on('error', () => undefined);
  return pool;
}
