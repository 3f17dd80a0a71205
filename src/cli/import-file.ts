import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Services } from '../services/core/context.js';
import { readJsonFile } from '../services/core/json-file.js';
import { performWrite } from '../services/core/perform.js';
import { SpooledInput } from '../services/core/spool.js';
import { create, masterTarget } from '../services/realms/operations.js';
import { byteProgress, countedSpool } from './progress.js';
import { operatorContext } from './with-services.js';

/** Whether a realm that exists is left alone, or an error. */
export type Existing = 'skip' | 'fail';

/** Creates a realm from a file of the contract, all or nothing. */
export async function importFile(
  services: Services,
  file: string,
  existing: Existing,
): Promise<{ name: string; isNew: boolean }> {
  const { size } = await stat(file);
  const read = await readJsonFile(createReadStream(file).pipe(byteProgress('Reading', size)), 'users');
  const isSpooled = read instanceof SpooledInput;
  const { realm } = (isSpooled ? read.rest : read) as { realm?: unknown };
  if (typeof realm === 'string' && (await exists(services, realm, existing))) {
    if (isSpooled) await read.list.close();
    return { name: realm, isNew: false };
  }
  const input = isSpooled ? new SpooledInput(read.rest, countedSpool('Preparing users', read.list)) : read;
  const { result } = await performWrite(operatorContext(services), create, masterTarget, input);
  return { name: result.name, isNew: true };
}

/** Whether a realm with this name exists and may be skipped. Throws if it may not. */
export async function exists({ realms, database }: Services, name: string, existing: Existing): Promise<boolean> {
  if (!(await realms.byName(database.read, name))) return false;
  if (existing === 'fail') throw new Error(`The realm "${name}" already exists.`);
  return true;
}
