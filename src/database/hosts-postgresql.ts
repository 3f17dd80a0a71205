import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { hostsOf } from '../config/database-hosts.js';
import { type Fence, type ServerIdentity, ServerRefused } from './fence.js';
import { connectionOf } from './pg-internals.js';
import { applicationName, fenceOff, keepRecord, patience, stateOf } from './server-identity-postgresql.js';

/** PostgreSQL's code for a write on a standby: the host was the primary once. */
const readOnly = '25006';
/**
 * Milliseconds that other hosts may take to answer after a writable one has answered: one of them can have a newer
 * timeline.
 */
const grace = 1000;

/** Name of a host in messages. */
export const hostName = (url: string): string => new URL(url).host || 'this machine';

/** Opens a connection to one host. Its server has not been checked. */
export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: patience,
    query_timeout: patience,
    application_name: applicationName,
  });
  client.on('error', () => undefined); // the loss of a connection also fails its statements
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}

/** The state of a server. Its record is read again if another connection was about to store it. */
async function settledState(client: pg.Client, host: string, fence: Fence) {
  const state = await stateOf(client, host, fence);
  const isUnclear = state.identity && fence.objectionTo(state.identity) === 'diverged';
  return isUnclear ? stateOf(client, host, fence) : state;
}

/**
 * Checks the server of a connection and records its timeline if it is new. Returns its identity if it is writable.
 * Throws ServerRefused if it is behind or belongs to another database.
 */
export async function checkServer(client: pg.Client, host: string, fence: Fence): Promise<ServerIdentity | undefined> {
  const { isWritable, identity, hasRecord } = await settledState(client, host, fence);
  if (!identity) {
    fence.accept(host);
    return undefined;
  }
  try {
    fence.admit(host, identity);
  } catch (error) {
    const { known } = fence;
    const isBehind = error instanceof ServerRefused && error.objection === 'behind';
    const isTold = known !== undefined && (identity.record?.timeline ?? 0) >= known.timeline;
    // a process that does not receive this finds out by itself
    if (isBehind && isWritable && !isTold && known?.branch) await fenceOff(client, known).catch(() => undefined);
    throw error;
  }
  const { known } = fence;
  if (known && isWritable && hasRecord && known.branch === undefined) {
    const record = await keepRecord(client, known);
    if (record) fence.recorded(record);
  }
  return identity;
}

/** A host that has answered. It is writable unless `server` is undefined. */
interface Answering {
  readonly url: string;
  readonly client: pg.Client;
  readonly server: ServerIdentity | undefined;
  readonly isWritable: boolean;
}

async function ask(url: string, fence: Fence): Promise<Answering> {
  const client = await connectTo(url);
  try {
    const { isWritable, identity } = await stateOf(client, hostName(url), fence);
    return { url, client, server: identity, isWritable };
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}

/** Waits for all hosts, but at most `grace` after the first writable one has answered. */
async function askAll(hosts: readonly string[], fence: Fence): Promise<PromiseSettledResult<Answering>[]> {
  const late = new Error('The host does not answer in time');
  const asked = hosts.map((url) => ask(url, fence));
  const first = Promise.any(
    asked.map((one) => one.then(({ isWritable }) => (isWritable ? undefined : Promise.reject(late)))),
  );
  const wait = first.then(
    () => sleep(grace, undefined, { ref: false }),
    () => new Promise<never>(() => undefined),
  );
  const settled = await Promise.allSettled(
    asked.map((one) => Promise.race([one, wait.then(() => Promise.reject(late))])),
  );
  asked.forEach((one, at) => {
    if (settled[at]?.status === 'rejected') one.then(({ client }) => client.end()).catch(() => undefined);
  });
  return settled;
}

/**
 * Sorts the servers of the known cluster first, the newest timeline ahead. Timelines of different clusters cannot be
 * compared.
 */
function newestFirst(answering: readonly Answering[], fence: Fence): Answering[] {
  const writable = answering.filter(({ isWritable }) => isWritable);
  const cluster = fence.known?.systemIdentifier ?? writable.find(({ server }) => server)?.server?.systemIdentifier;
  const rank = ({ server }: Answering): number => (server?.systemIdentifier === cluster ? (server?.timeline ?? 0) : -1);
  return writable.sort((one, other) => rank(other) - rank(one));
}

/**
 * The URL of the writable host with the newest timeline. A single host is not checked. Throws ServerRefused if all
 * writable hosts are refused, otherwise the error of the first host.
 */
async function primaryUrl(databaseUrl: string, fence: Fence): Promise<string> {
  const hosts = hostsOf(databaseUrl);
  const [only] = hosts;
  if (only !== undefined && hosts.length === 1) return only;
  const settled = await askAll(hosts, fence);
  const answering = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  let chosen: string | undefined;
  const failures: unknown[] = [];
  try {
    for (const { url, client } of newestFirst(answering, fence)) {
      try {
        await checkServer(client, hostName(url), fence);
        chosen ??= url;
      } catch (error) {
        failures.push(error);
      }
    }
  } finally {
    for (const { client } of answering) client.end().catch(() => undefined);
  }
  if (chosen !== undefined) return chosen;
  for (const one of settled) if (one.status === 'rejected') failures.push(one.reason);
  throw failures[0] ?? Object.assign(new Error('No host of the database takes writes'), { code: 'ECONNREFUSED' });
}

/**
 * Connects to the writable host. A single host is used even if it is read-only. The connection ends when a newer
 * timeline is known. Throws ServerRefused if the server is behind or belongs to another database.
 */
export async function connectToPrimary(
  databaseUrl: string,
  fence: Fence,
  options: pg.ClientConfig = {},
): Promise<pg.Client> {
  const Client = clientOfHosts(databaseUrl, fence);
  const [connectionString] = hostsOf(databaseUrl);
  const client = new Client({
    connectionTimeoutMillis: patience,
    application_name: applicationName,
    ...options,
    connectionString,
  });
  client.on('error', () => undefined); // a lost connection also fails the query that is running
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}

/**
 * The client for connections to a database that can have several hosts. Each connection goes to the writable host, and
 * its server is checked. The host is determined again after a connection was lost or refused, or after a new standby
 * has refused a write.
 */
export function clientOfHosts(databaseUrl: string, fence: Fence): typeof pg.Client {
  const isOneOfSeveral = hostsOf(databaseUrl).length > 1;
  let known: Promise<string> | undefined;
  const forget = (): void => {
    known = undefined;
  };

  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connected = this.connectToPrimary();
      if (!callback) return connected;
      connected.then(() => callback(undefined as never), callback);
      return undefined;
    }

    private async connectToPrimary(): Promise<pg.Client> {
      // a later listener would miss a connection that is lost during the check of its server
      this.on('error', () => undefined);
      try {
        known ??= primaryUrl(databaseUrl, fence);
        const url = await known;
        const { host, port } = new pg.Client(url);
        Object.assign(this, { host, port });
        await super.connect();
        const server = await checkServer(this, hostName(url), fence);
        if (server)
          this.once(
            'end',
            fence.hold(this, server.timeline, () => this.destroy()),
          );
      } catch (error) {
        forget();
        this.destroy();
        throw error;
      }
      this.once('end', forget);
      if (isOneOfSeveral) {
        connectionOf(this).on('errorMessage', ({ code }) => {
          if (code === readOnly) this.destroy();
        });
      }
      return this;
    }

    private destroy(): void {
      connectionOf(this).stream.destroy();
    }
  };
}
