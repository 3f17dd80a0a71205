import type { Fence } from './fence.js';
import { connectToPrimary } from './hosts-postgresql.js';

/** An advisory lock under which one process at a time alters the role. */
const lock = 72_707_370;

const presentSettings = `SELECT unnest(s.setconfig) AS "setting" FROM pg_db_role_setting s
  JOIN pg_roles r ON r.oid = s.setrole JOIN pg_database d ON d.oid = s.setdatabase
 WHERE r.rolname = current_user AND d.datname = current_database()`;

/**
 * Stores these settings as the role's defaults in the database, because a pooler ignores the settings of a client. Does
 * nothing if they are already stored. `url` leads to the database without the pooler.
 */
export async function keepRoleSettings(
  url: string,
  settings: Readonly<Record<string, string>>,
  fence: Fence,
): Promise<void> {
  const client = await connectToPrimary(url, fence);
  try {
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(${lock})`);
    const { rows } = await client.query<{ setting: string }>(presentSettings);
    const present = new Set(rows.map(({ setting }) => setting));
    const missing = Object.entries(settings).filter(([name, value]) => !present.has(`${name}=${value}`));
    for (const [name, value] of missing) {
      const { rows: made } = await client.query<{ sql: string }>(
        `SELECT format('ALTER ROLE CURRENT_USER IN DATABASE %I SET %I TO %L', current_database(), $1::text, $2::text) AS "sql"`,
        [name, value],
      );
      if (made[0]) await client.query(made[0].sql);
    }
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
