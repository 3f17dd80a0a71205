import pg from 'pg';
import { hostsOf } from '../config/database-hosts.js';
import { writableUrl } from './hosts-postgresql.js';
import { type Position, positionIn, primaryPosition, standbyPosition } from './standbys-postgresql.js';

/** How a standby stands to the server that takes writes. */
export interface StandbyState {
  readonly host: string;
  /** whether it follows that server; undefined when it does not answer */
  readonly follows: boolean | undefined;
  /** how much of the log of writes it has not applied yet, in bytes */
  readonly behind: number;
}

/** Asks each host of DATABASE_READ_URL. Throws when the primary does not answer. */
export async function standbyStates(databaseUrl: string, readUrl: string): Promise<StandbyState[]> {
  const primary = await positionAt(await writableUrl(databaseUrl), primaryPosition);
  return Promise.all(
    hostsOf(readUrl).map(async (url) => {
      const { host } = new URL(url);
      const position = await positionAt(url, standbyPosition).catch(() => undefined);
      if (!position) return { host, follows: undefined, behind: 0 };
      const follows = position.cluster === primary.cluster && position.timeline === primary.timeline && position.at > 0;
      return { host, follows, behind: Math.max(primary.at - position.at, 0) };
    }),
  );
}

async function positionAt(url: string, text: string): Promise<Position> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000, query_timeout: 3000 });
  client.on('error', () => undefined); // a lost connection also fails the query that is running
  try {
    await client.connect();
    return positionIn((await client.query<unknown[]>({ text, rowMode: 'array' })).rows);
  } finally {
    client.end().catch(() => undefined);
  }
}
