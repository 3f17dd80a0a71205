import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../config/config.js';
import { openDatabase } from '../database/open.js';
import { createSealer, sealingKeys } from '../services/core/seal.js';
import { wholeRealm } from '../services/realms/export/whole.js';
import { recordedForm } from '../services/secrets-key/check.js';

const help = `npm run export -- --realm NAME [options]
  --realm NAME        name of the realm
  --out FILE          file to write; default: standard output
  --without-users     leaves the users out
  --without-secrets   writes masks instead of secrets, and users without credentials

Reads the database that DATABASE_URL names, with SECRETS_KEY. The service may be running.`;

const { values: args } = parseArgs({
  options: {
    realm: { type: 'string' },
    out: { type: 'string' },
    'without-users': { type: 'boolean' },
    'without-secrets': { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

async function run(name: string): Promise<void> {
  const config = readConfig(process.env);
  const database = await openDatabase(config);
  try {
    const realm = await database.read.realm.findFirst({ where: { name }, select: { id: true } });
    if (!realm) throw new Error(`Realm "${name}" not found`);
    const keys = sealingKeys(config);
    // a database that no version with a record has used yet
    const form = (await recordedForm(database.read, keys)) ?? { opensUnbound: true };
    const options = { users: !args['without-users'], secrets: !args['without-secrets'] };
    const text = wholeRealm(database.read, createSealer(keys, form), realm.id, options);
    // a file with secrets is its owner's alone
    const target = args.out === undefined ? process.stdout : createWriteStream(args.out, { mode: 0o600 });
    await pipeline(Readable.from(text), target, { end: args.out !== undefined });
  } finally {
    await database.close();
  }
}

if (args.help || !args.realm) {
  console.error(help);
  process.exitCode = args.help ? 0 : 1;
} else {
  await run(args.realm).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}
