import { stat } from 'node:fs/promises';
import { ensureMaster } from '../ensure-master.js';
import { type Existing, importFile } from '../import-file.js';
import { painter, print } from '../print.js';
import { withServices } from '../with-services.js';
import { findingLines, findingsOf } from './assess.js';
import { importFolder } from './import-folder.js';

/**
 * Creates the realms of a file or a folder, after the realm master if it is missing. Throws a refusal that names the
 * field.
 */
export const importRealms = (path: string, existing: Existing | undefined): Promise<void> =>
  withServices(async (services) => {
    const isFolder = (await stat(path)).isDirectory();
    await ensureMaster(services);
    if (isFolder) return importFolder(services, path, existing ?? 'skip');
    const { name, isNew } = await importFile(services, path, existing ?? 'fail');
    print(`The realm "${name}" ${isNew ? 'was created' : 'already exists'}.`);
    if (isNew) for (const line of findingLines(await findingsOf(path), painter(process.stdout))) print(line);
  });
