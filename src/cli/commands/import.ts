import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { readJsonFile } from '../../services/core/json-file.js';
import { performWrite } from '../../services/core/perform.js';
import { SpooledInput } from '../../services/core/spool.js';
import { create, masterTarget } from '../../services/realms/operations.js';
import { byteProgress, countedSpool } from '../progress.js';
import { operatorContext, withServices } from '../with-services.js';

/** Creates a realm from a file of the contract: all of it or nothing. Throws a refusal that names the field. */
export const importRealm = (file: string): Promise<void> =>
  withServices(async (services) => {
    const { size } = await stat(file);
    const read = await readJsonFile(createReadStream(file).pipe(byteProgress('Reading', size)), 'users');
    const input =
      read instanceof SpooledInput ? new SpooledInput(read.rest, countedSpool('Preparing users', read.list)) : read;
    const { realm } = (read instanceof SpooledInput ? read.rest : read) as { realm?: unknown };
    if (typeof realm === 'string' && (await services.realms.byName(services.database.read, realm))) {
      throw new Error(`The realm "${realm}" already exists.`);
    }
    const { result } = await performWrite(operatorContext(services), create, masterTarget, input);
    console.log(`The realm "${result.name}" was created.`);
  });
