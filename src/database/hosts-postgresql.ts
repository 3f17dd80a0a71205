import pg from 'pg';
import { hostsOf } from '../config/database-hosts.js';
import { connectionOf } from './pg-internals.js';

/** How long a host may take to say whether it takes writes, in milliseconds. */
const patience = 3000;
/** PostgreSQL's code for a write on a standby: the host was the primary once. */
const readOnly = '25006';

async function takesWrites(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: patience, query_timeout: patience });
  client.on('error', () => undefined); // a connection that is lost also fails what is asked on it
  try {
    await client.connect();
    const { rows } = await client.query<{ isWritable: boolean }>(
      `SELECT NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off' AS "isWritable"`,
    );
    if (rows[0]?.isWritable) return url;
  } finally {
    client.end().catch(() => undefined);
  }
  throw Object.assign(new Error('No host of the database takes writes'), { code: 'ECONNREFUSED' });
}

/**
 * The URL of the host that takes writes. With one host it is that one, and nobody is asked. Throws what the first host failed of
 * when none does.
 */
export async function writableUrl(databaseUrl: string): Promise<string> {
  const hosts = hostsOf(databaseUrl);
  const [only] = hosts;
  if (only !== undefined && hosts.length === 1) return only;
  try {
    return await Promise.any(hosts.map(takesWrites));
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}

/**
 * The client for a pool of connections to a database with several hosts: each new connection goes to the host that takes writes. Which
 * one that is, is asked anew after a connection was lost or refused, or a write was refused by what has become a standby.
 */
export function clientOfHosts(databaseUrl: string): typeof pg.Client {
  let known: Promise<string> | undefined;
  const forget = (): void => {
    known = undefined;
  };

  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connected = this.connectToWritable();
      if (!callback) return connected;
      connected.then(() => callback(undefined as never), callback);
      return undefined;
    }

    private async connectToWritable(): Promise<pg.Client> {
      try {
        known ??= writableUrl(databaseUrl);
        const { host, port } = new pg.Client(await known);
        Object.assign(this, { host, port });
        await super.connect();
      } catch (error) {
        forget();
        throw error;
      }
      this.once('end', forget);
      const connection = connectionOf(this);
      connection.on('errorMessage', ({ code }) => {
        if (code !== readOnly) return;
        forget();
        connection.stream.destroy();
      });
      return this;
    }
  };
}
