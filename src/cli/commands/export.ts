import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../../config/config.js';
import type { Database } from '../../database/db.js';
import { createSealer, type Sealer, sealingKeys } from '../../services/core/seal.js';
import { wholeRealm } from '../../services/realms/export/whole.js';
import { recordedForm } from '../../services/secrets-key/check.js';
import { byteProgress } from '../progress.js';
import { withDatabase } from '../with-services.js';

/** Returns the sealer that opens the secrets of a database that may be offline. */
export async function sealerOf({ read }: Database, config: Config): Promise<Sealer> {
  const keys = sealingKeys(config);
  // a database that no version with a record has used yet
  return createSealer(keys, (await recordedForm(read, keys)) ?? { opensUnbound: true });
}

interface ExportOptions {
  out?: string;
  users: boolean;
  secrets: boolean;
}

/** Writes a realm as a file of the contract to `out`, or to the standard output. Throws if the realm does not exist. */
export const exportRealm = (name: string, { out, users, secrets }: ExportOptions): Promise<void> =>
  withDatabase(async (database, config) => {
    const realm = await database.read.realm.findFirst({ where: { name }, select: { id: true } });
    if (!realm) throw new Error(`Realm "${name}" not found`);
    const text = wholeRealm(database.read, await sealerOf(database, config), realm.id, { users, secrets });
    if (out === undefined) return pipeline(Readable.from(text), process.stdout, { end: false });
    // a file with secrets is its owner's alone
    const file = createWriteStream(out, { mode: 0o600 });
    return pipeline(Readable.from(text), byteProgress('Exporting', undefined), file);
  });
