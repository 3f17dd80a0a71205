import { readConfig } from '../../config/config.js';
import { directUrl } from '../../config/database-hosts.js';
import { dialectOf } from '../../database/url.js';
import { print } from '../print.js';

/**
 * Accepts that the database is on another PostgreSQL cluster than before: it was restored there, or the cluster was upgraded. Throws
 * DatabaseUnusable if no server has the system identifier.
 */
export async function acceptDatabaseCluster(systemIdentifier: string): Promise<void> {
  const databaseUrl = directUrl(readConfig(process.env));
  if (dialectOf(databaseUrl) === 'sqlite')
    throw new Error('accept-database is for PostgreSQL. A SQLite file has no cluster.');
  const { acceptDatabase } = await import('../../database/host-states-postgresql.js');
  const host = await acceptDatabase(databaseUrl, systemIdentifier);
  print(`The database on ${host} is accepted. Restart the service where it is running.`);
}
