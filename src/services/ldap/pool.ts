import type { Client } from 'ldapts';
import { close, connect } from './connection.js';
import type { Directory } from './directory.js';
import { LdapFault, ldapFault } from './fault.js';

const idleTime = 60_000;

interface Idle {
  client: Client;
  timer: NodeJS.Timeout;
}

interface Pool {
  idle: Idle[];
  open: number;
  waiting: ((client: Client | undefined) => void)[];
}

// by settings: whoever changes them gets new connections, and the old ones end when they have been idle
const pools = new Map<string, Pool>();

function poolOf(directory: Directory): Pool {
  const key = JSON.stringify(directory);
  const known = pools.get(key);
  if (known) return known;
  const pool: Pool = { idle: [], open: 0, waiting: [] };
  pools.set(key, pool);
  return pool;
}

async function taken(pool: Pool, directory: Directory): Promise<Client> {
  for (;;) {
    const idle = pool.idle.pop();
    if (!idle) break;
    clearTimeout(idle.timer);
    if (idle.client.isConnected) return idle.client;
    pool.open -= 1;
  }
  if (pool.open >= directory.pool) {
    const client = await waited(pool, directory.connectTimeout);
    if (client) return client;
  } else pool.open += 1;
  try {
    return await connect(directory);
  } catch (error) {
    released(pool, undefined);
    throw error;
  }
}

/** A connection that another one gives back, or nothing with the right to open one. */
function waited(pool: Pool, time: number): Promise<Client | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      pool.waiting.splice(pool.waiting.indexOf(next), 1);
      reject(new LdapFault('all connections to the directory are in use'));
    }, time);
    const next = (client: Client | undefined) => {
      clearTimeout(timer);
      resolve(client);
    };
    pool.waiting.push(next);
  });
}

function released(pool: Pool, client: Client | undefined): void {
  const next = pool.waiting.shift();
  if (next) {
    next(client);
    return;
  }
  if (!client) {
    pool.open -= 1;
    return;
  }
  const idle: Idle = {
    client,
    timer: setTimeout(() => {
      pool.idle.splice(pool.idle.indexOf(idle), 1);
      pool.open -= 1;
      close(client);
    }, idleTime).unref(),
  };
  pool.idle.push(idle);
}

/** A connection that is lent to one piece of work. */
export interface Lent {
  client: Client;
  /** Gives it back; one that failed without an answer is closed. */
  giveBack(good: boolean): void;
}

/** Lends a connection of the storage's own. Throws `LdapFault`. */
export async function lend(directory: Directory): Promise<Lent> {
  const pooled = directory.pool > 0;
  const pool = poolOf(directory);
  const client = pooled ? await taken(pool, directory) : await connect(directory);
  return {
    client,
    giveBack(good) {
      const kept = pooled && good && client.isConnected;
      if (!kept) close(client);
      if (pooled) released(pool, kept ? client : undefined);
    },
  };
}

/**
 * Has the directory do something, over a connection that is kept for the next. `work` does nothing else, so that whatever
 * it fails of is a fault of the directory: throws `LdapFault`.
 */
export async function withDirectory<T>(directory: Directory, work: (client: Client) => Promise<T>): Promise<T> {
  const { client, giveBack } = await lend(directory);
  let good = false;
  try {
    const result = await work(client);
    good = true;
    return result;
  } catch (error) {
    if (error instanceof TypeError) throw error;
    const fault = ldapFault(error);
    good = fault.code !== undefined;
    throw fault;
  } finally {
    giveBack(good);
  }
}
