import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { DatabaseUnusable } from './unusable.js';

const mark = 'realmgate.session';

/**
 * Throws DatabaseUnusable if connections to an address share sessions of the database: locks and notifications of a session do not work
 * there. `client` is a connection to the address, `connect` opens another one. A pooler lends a session to the next statement of
 * whoever comes, and begins with the one that was returned last.
 */
export async function refuseSharedSessions(client: Client, connect: () => Promise<Client>): Promise<void> {
  const value = randomUUID();
  await client.query('SELECT set_config($1, $2, false)', [mark, value]);
  const other = await connect();
  try {
    const { rows } = await other.query<{ value: string | null }>('SELECT current_setting($1, true) AS "value"', [mark]);
    if (rows[0]?.value !== value) return;
    await other.query('SELECT set_config($1, $2, false)', [mark, '']);
  } finally {
    await other.end();
  }
  throw new DatabaseUnusable(
    'The database is behind a pooler in transaction mode. Set DATABASE_DIRECT_URL to the address of the database itself: see "PgBouncer" in docs/production.md.',
  );
}
