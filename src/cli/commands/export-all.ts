import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Database, Db } from '../../database/db.js';
import { databaseFault } from '../../database/errors.js';
import { counted } from '../../services/core/counted.js';
import { wholeRealm } from '../../services/realms/export/whole.js';
import { changesByRealm, isRemoved } from '../../services/realms/store.js';
import { print, printError } from '../print.js';
import { countProgress } from '../progress.js';
import { type ExportedParts, fileNameOf, openRealmFolder, type RealmEntry } from '../realm-folder.js';
import { withDatabase } from '../with-services.js';
import { sealerOf } from './export.js';

interface ExportAllOptions extends ExportedParts {
  /** whether files that are up to date are written again */
  fresh: boolean;
}

/** Changes are stored for a day (`changeLifetime`): whether a realm has changed since an older export is unknown. */
const provableFor = 23 * 60 * 60 * 1000;
const realmsAtOnce = 100;

/**
 * Writes every realm to a separate file in the folder. After an interruption, run it again: unchanged realms are not
 * written again. Throws at the end if a realm could not be exported; the others are.
 */
export const exportAllRealms = (out: string, { users, secrets, fresh }: ExportAllOptions): Promise<void> =>
  withDatabase(async (database, config) => {
    const sealer = await sealerOf(database, config);
    const parts = { users, secrets };
    const folder = await openRealmFolder(out, parts, fresh);
    const done = { written: 0, kept: 0, failed: 0 };
    try {
      // read before the realms, so that a later change gives another version in the next run
      const changes = await changesByRealm(database.read);
      const progress = countProgress('Exporting', 'realms', await database.read.realm.count());
      for await (const realm of realmsOf(database.read)) {
        progress.step();
        const version = `${realm.version}.${changes.get(realm.id) ?? 'none'}`;
        const known = await folder.known(realm.id);
        if (known && isCurrent(known, realm.name, version)) {
          await folder.note(known);
          done.kept += 1;
          continue;
        }
        const about = { name: realm.name, id: realm.id, file: fileNameOf(realm.name), version };
        const exportedAt = new Date().toISOString();
        try {
          const text = wholeRealm(database.read, sealer, realm.id, parts);
          await folder.note({ ...about, ...(await writeWhole(text, join(out, about.file))), exportedAt });
          done.written += 1;
        } catch (error) {
          if (concernsAll(error)) throw error;
          if (!(await exists(database, realm.id))) continue;
          // the file of an earlier run stays
          if (known) await folder.note(known);
          printError(`The realm "${realm.name}" was not exported: ${(error as Error).message}`);
          done.failed += 1;
        }
      }
      progress.end();
      await folder.finish();
    } finally {
      await folder.close();
    }
    print(`${counted(done.written, 'realm')} written to ${out}, ${done.kept} up to date.`);
    if (done.failed > 0) throw new Error(`${counted(done.failed, 'realm')} could not be exported.`);
  });

async function* realmsOf(db: Db) {
  let after = '';
  while (true) {
    const page = await db.realm.findMany({
      where: { id: { gt: after } },
      select: { id: true, name: true, version: true },
      orderBy: { id: 'asc' },
      take: realmsAtOnce,
    });
    for (const realm of page) if (!isRemoved(realm)) yield realm;
    after = page.at(-1)?.id ?? after;
    if (page.length < realmsAtOnce) return;
  }
}

const isCurrent = (entry: RealmEntry, name: string, version: string): boolean =>
  entry.name === name && entry.version === version && Date.now() - Date.parse(entry.exportedAt) < provableFor;

const exists = async ({ read }: Database, id: string): Promise<boolean> => {
  const realm = await read.realm.findUnique({ where: { id }, select: { name: true } });
  return realm !== null && !isRemoved(realm);
};

/** Whether the next realm would fail as well: of the database, or of the file system. */
const concernsAll = (error: unknown): boolean =>
  databaseFault(error) !== undefined || !(error instanceof Error) || 'syscall' in error;

/** Writes a file that gets its name only when it is complete. */
async function writeWhole(text: AsyncIterable<string>, path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(undefined, chunk);
    },
  });
  // a file with secrets is its owner's alone
  const file = createWriteStream(`${path}.part`, { mode: 0o600, flush: true });
  await pipeline(Readable.from(text), meter, file);
  await rename(`${path}.part`, path);
  return { bytes, sha256: hash.digest('hex') };
}
