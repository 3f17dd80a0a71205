import { ConfigError, readConfig } from '../config/config.js';
import { migrate } from '../database/migrate.js';
import { openDatabase } from '../database/open.js';
import { rotateKey } from '../services/secrets-key/rotate.js';

const help = `npm run rotate-secrets-key
Encrypts all secrets in the database that DATABASE_URL names with SECRETS_KEY. Before, they are encrypted with SECRETS_KEY_PREVIOUS, or not
encrypted. If it is interrupted, run it again. Running services need both settings until it has ended. Before the first
encryption of a database, stop the service.`;

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const { secretsKey: key, secretsKeyPrevious: previous } = config;
  if (key === undefined) throw new ConfigError(`SECRETS_KEY must be set.\n\n${help}`);
  await migrate(config.databaseUrl);
  const database = await openDatabase(config);
  try {
    await rotateKey(database, { key, previous });
    console.log('All secrets are encrypted with SECRETS_KEY.');
  } finally {
    await database.close();
  }
}

if (process.argv.includes('--help')) console.log(help);
else {
  await run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}
