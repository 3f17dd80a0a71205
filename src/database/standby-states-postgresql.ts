import type pg from 'pg';
import { hostsOf } from '../config/database-hosts.js';
import { Fence } from './fence.js';
import { connectTo, connectToPrimary, hostName } from './hosts-postgresql.js';
import { type Position, positionIn, primaryPosition, standbyPosition } from './standbys-postgresql.js';

/** The state of a standby in relation to the primary. */
export interface StandbyState {
  readonly host: string;
  /** whether it follows that server; undefined when it does not answer */
  readonly follows: boolean | undefined;
  /** bytes of the log of writes that it has not applied yet */
  readonly behind: number;
}

/** Asks each host of DATABASE_READ_URL. Throws when the primary does not answer. */
export async function standbyStates(databaseUrl: string, readUrl: string): Promise<StandbyState[]> {
  const primary = await positionAt(await connectToPrimary(databaseUrl, new Fence()), primaryPosition);
  return Promise.all(
    hostsOf(readUrl).map(async (url) => {
      const host = hostName(url);
      const position = await connectTo(url)
        .then((client) => positionAt(client, standbyPosition))
        .catch(() => undefined);
      if (!position) return { host, follows: undefined, behind: 0 };
      const follows = position.cluster === primary.cluster && position.timeline === primary.timeline && position.at > 0;
      return { host, follows, behind: Math.max(primary.at - position.at, 0) };
    }),
  );
}

async function positionAt(client: pg.Client, text: string): Promise<Position> {
  try {
    return positionIn((await client.query<unknown[]>({ text, rowMode: 'array' })).rows);
  } finally {
    client.end().catch(() => undefined);
  }
}
