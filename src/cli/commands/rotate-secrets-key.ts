import { ConfigError, readConfig } from '../../config/config.js';
import { directUrl } from '../../config/database-hosts.js';
import { migrate } from '../../database/migrate.js';
import { openDatabase } from '../../database/open.js';
import { rotateKey } from '../../services/secrets-key/rotate.js';
import { print } from '../print.js';

/** Encrypts all secrets of the database with SECRETS_KEY. Throws ConfigError without one. */
export async function rotateSecretsKey(): Promise<void> {
  const config = readConfig(process.env);
  const { secretsKey: key, secretsKeyPrevious: previous } = config;
  if (key === undefined) throw new ConfigError('SECRETS_KEY must be set.');
  await migrate(directUrl(config));
  const database = await openDatabase(config);
  try {
    await rotateKey(database, { key, previous });
    print('All secrets are encrypted with SECRETS_KEY.');
  } finally {
    await database.close();
  }
}
