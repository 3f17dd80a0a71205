import type { Client } from 'ldapts';
import { withoutPlace } from '../core/place.js';
import { close, connect, expectAnswer, isOpen, tracedRequest } from './connection.js';
import type { Directory } from './directory.js';
import { LdapFault, ldapFault } from './fault.js';

const idleTime = 60_000;
/** Maximum concurrent connections to a directory without a pool. */
const unpooled = 8;
/** Requests that may wait for a connection to one directory at a time. */
const mostWaiting = 40;
/** Milliseconds that a request waits if already as many requests wait as there are connections. */
const shortWait = 5000;

interface Idle {
  client: Client;
  timer: NodeJS.Timeout;
}

interface Pool {
  idle: Idle[];
  /** number of connections, used and idle */
  open: number;
  waiting: ((client: Client | undefined) => void)[];
}

// by settings: changed settings get new connections, and the old ones end when they are idle
const pools = new Map<string, Pool>();

const keyOf = (directory: Directory): string => JSON.stringify(directory);

function poolOf(directory: Directory): Pool {
  const key = keyOf(directory);
  const known = pools.get(key);
  if (known) return known;
  const pool: Pool = { idle: [], open: 0, waiting: [] };
  pools.set(key, pool);
  return pool;
}

/** Removes a pool that has no connections. */
function left(pool: Pool, directory: Directory): void {
  pool.open -= 1;
  const key = keyOf(directory);
  if (pool.open === 0 && pools.get(key) === pool) pools.delete(key);
}

/** Maximum connections to a directory. */
const mostConnections = ({ pool }: Pick<Directory, 'pool'>): number => (pool > 0 ? pool : unpooled);

/** An idle connection that is still open. */
function takeIdle(pool: Pool): Client | undefined {
  for (;;) {
    const idle = pool.idle.pop();
    if (!idle) return undefined;
    clearTimeout(idle.timer);
    if (isOpen(idle.client)) return idle.client;
    pool.open -= 1;
  }
}

/**
 * Takes a place among the connections to a directory. Returns an idle connection if `reuses`, or if no place is free.
 */
async function takePlace(pool: Pool, directory: Directory, reuses: boolean): Promise<Client | undefined> {
  const isFull = pool.open >= mostConnections(directory);
  const idle = reuses || isFull ? takeIdle(pool) : undefined;
  if (idle) return idle;
  if (pool.open >= mostConnections(directory)) return waited(pool, directory);
  pool.open += 1;
  return undefined;
}

/** Waits for a connection that is returned, or for the right to open one (undefined). */
function waited(pool: Pool, directory: Directory): Promise<Client | undefined> {
  // waiting requests occupy places of the service that other requests need
  if (pool.waiting.length >= mostWaiting) throw inUse();
  const isCrowded = pool.waiting.length >= mostConnections(directory);
  const time = isCrowded ? Math.min(shortWait, directory.connectTimeout) : directory.connectTimeout;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      pool.waiting.splice(pool.waiting.indexOf(next), 1);
      reject(inUse());
    }, time);
    const next = (client: Client | undefined) => {
      clearTimeout(timer);
      resolve(client);
    };
    pool.waiting.push(next);
  });
}

const inUse = (): LdapFault => new LdapFault('all connections to the directory are in use');

function givePlaceBack(pool: Pool, directory: Directory, client: Client | undefined): void {
  const next = pool.waiting.shift();
  if (next) {
    next(client);
    return;
  }
  if (!client) {
    left(pool, directory);
    return;
  }
  const idle: Idle = {
    client,
    timer: setTimeout(() => {
      pool.idle.splice(pool.idle.indexOf(idle), 1);
      left(pool, directory);
      close(client);
    }, idleTime).unref(),
  };
  pool.idle.push(idle);
}

/** A connection that is lent to one piece of work. */
export interface Lent {
  client: Client;
  /** Returns the connection; one that failed without an answer is closed. */
  giveBack(good: boolean): void;
}

/** Takes a connection of the storage itself from the pool. Throws `LdapFault`. */
export async function lend(directory: Directory): Promise<Lent> {
  const pool = poolOf(directory);
  const client = await connected(pool, directory, await takePlace(pool, directory, true));
  return {
    client,
    giveBack(good) {
      const kept = directory.pool > 0 && good && isOpen(client);
      if (!kept) close(client);
      givePlaceBack(pool, directory, kept ? client : undefined);
    },
  };
}

async function connected(pool: Pool, directory: Directory, present: Client | undefined): Promise<Client> {
  try {
    return present ?? (await connect(directory));
  } catch (error) {
    givePlaceBack(pool, directory, undefined);
    throw error;
  }
}

/**
 * Logs in to the directory as one of its users. Uses a separate connection, which counts among the connections of the
 * directory. Throws `LdapFault`.
 */
export const logIn = (directory: Directory, dn: string, password: string): Promise<void> =>
  withoutPlace(() => loggedIn(directory, dn, password));

async function loggedIn(directory: Directory, dn: string, password: string): Promise<void> {
  const pool = poolOf(directory);
  const idle = await takePlace(pool, directory, false);
  if (idle) close(idle);
  try {
    close(await connect(directory, { dn, password }));
  } finally {
    givePlaceBack(pool, directory, undefined);
  }
}

/**
 * Runs `work` with a connection of the pool, which is then kept for the next call. `work` must do nothing else, so that
 * any failure is a fault of the directory: throws `LdapFault`.
 */
export const withDirectory = <T>(directory: Directory, work: (client: Client) => Promise<T>): Promise<T> =>
  withoutPlace(() => lentFor(directory, work));

async function lentFor<T>(directory: Directory, work: (client: Client) => Promise<T>): Promise<T> {
  const { client, giveBack } = await lend(directory);
  let good = false;
  try {
    expectAnswer(client);
    const result = await tracedRequest('request', client, () => work(client));
    good = true;
    return result;
  } catch (error) {
    const fault = ldapFault(error);
    good = fault.code !== undefined;
    throw fault;
  } finally {
    giveBack(good);
  }
}
