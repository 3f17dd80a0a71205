import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { DatabaseUnusable } from './unusable.js';

const mark = 'realmgate.session';
const setMark = 'SELECT set_config($1, $2, false)';

/**
 * A connection with an exclusive session. Throws DatabaseUnusable if connections to the address share sessions of the
 * database, because locks and notifications of a session do not work there. A pooler lends a session to the next
 * statement of any client, starting with the session that was returned last.
 */
export async function ownSession(connect: () => Promise<Client>): Promise<Client> {
  const client = await connect();
  try {
    const value = randomUUID();
    await client.query(setMark, [mark, value]);
    if (!(await isSeen(value, connect))) return client;
    throw new DatabaseUnusable(
      'The database is behind a pooler in transaction mode. Set DATABASE_DIRECT_URL to the address of the database itself: see "PgBouncer" in docs/production.md.',
    );
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Whether another connection has the session with the mark. Removes it there. */
async function isSeen(value: string, connect: () => Promise<Client>): Promise<boolean> {
  const other = await connect();
  try {
    const { rows } = await other.query<{ value: string | null }>('SELECT current_setting($1, true) AS "value"', [mark]);
    if (rows[0]?.value !== value) return false;
    await other.query(setMark, [mark, '']);
    return true;
  } finally {
    await other.end();
  }
}
