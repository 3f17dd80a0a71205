import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createSealer, sealingKeys } from '../../services/core/seal.js';
import { wholeRealm } from '../../services/realms/export/whole.js';
import { recordedForm } from '../../services/secrets-key/check.js';
import { byteProgress } from '../progress.js';
import { withDatabase } from '../with-services.js';

interface ExportOptions {
  out?: string;
  users: boolean;
  secrets: boolean;
}

/** Writes a realm as a file of the contract to `out`, or to the standard output. Throws if there is no such realm. */
export const exportRealm = (name: string, { out, users, secrets }: ExportOptions): Promise<void> =>
  withDatabase(async (database, config) => {
    const realm = await database.read.realm.findFirst({ where: { name }, select: { id: true } });
    if (!realm) throw new Error(`Realm "${name}" not found`);
    const keys = sealingKeys(config);
    // a database that no version with a record has used yet
    const form = (await recordedForm(database.read, keys)) ?? { opensUnbound: true };
    const text = wholeRealm(database.read, createSealer(keys, form), realm.id, { users, secrets });
    if (out === undefined) return pipeline(Readable.from(text), process.stdout, { end: false });
    // a file with secrets is its owner's alone
    const file = createWriteStream(out, { mode: 0o600 });
    return pipeline(Readable.from(text), byteProgress('Exporting', undefined), file);
  });
