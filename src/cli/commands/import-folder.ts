import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseFault } from '../../database/errors.js';
import type { Services } from '../../services/core/context.js';
import { counted } from '../../services/core/counted.js';
import { masterName } from '../../services/realms/defaults/master.js';
import { type Existing, exists, importFile } from '../import-file.js';
import { oneLine, print, printError } from '../print.js';
import { countProgress } from '../progress.js';
import { isSound, listedRealms, manifestName, type RealmEntry } from '../realm-folder.js';

/**
 * Creates the realms of all files in a folder, in the order of the file names. After an interruption, run it again:
 * existing realms are left alone. If a file cannot be imported, it is named and the others are imported; then this
 * throws.
 */
export async function importFolder(services: Services, folder: string, existing: Existing): Promise<void> {
  const listed = await listedRealms(folder);
  const found = (await readdir(folder)).filter((name) => name.endsWith('.json') && name !== manifestName);
  // a file that the manifest lists and the folder lacks is an error as well
  const files = [...new Set([...found, ...listed.keys()])].sort();
  if (files.length === 0) throw new Error(`${folder} has no realm files.`);
  const done = { created: 0, skipped: 0, failed: 0 };
  const progress = countProgress('Importing', 'realms', files.length);
  for (const file of files) {
    try {
      const isNew = await importOne(services, { folder, file, entry: listed.get(file) }, existing);
      done[isNew ? 'created' : 'skipped'] += 1;
    } catch (error) {
      // the next realm would fail of it as well
      if (!(error instanceof Error) || ['unavailable', 'late', 'full'].includes(databaseFault(error)?.kind ?? ''))
        throw error;
      printError(oneLine(`${file}: ${error.message}`));
      done.failed += 1;
    }
    progress.step();
  }
  progress.end();
  print(`${counted(done.created, 'realm')} created, ${done.skipped} left as they are, because they exist.`);
  if (done.failed > 0) throw new Error(`${counted(done.failed, 'file')} could not be imported.`);
}

interface RealmFile {
  folder: string;
  file: string;
  entry: RealmEntry | undefined;
}

/** Whether the realm was created. */
async function importOne(services: Services, { folder, file, entry }: RealmFile, existing: Existing): Promise<boolean> {
  // every database has its own, and its file names clients of realms that are not imported yet
  const isMaster = entry?.name === masterName;
  if (entry && (await exists(services, entry.name, isMaster ? 'skip' : existing))) return false;
  if (entry && !(await isSound(folder, entry))) {
    throw new Error(`The file is missing or differs from what ${manifestName} states. Export the realm again.`);
  }
  const { isNew } = await importFile(services, join(folder, file), existing);
  return isNew;
}
