import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../config/config.js';
import { watchChanges } from '../../database/backup.js';
import { printError } from '../print.js';
import { backUp } from './backup.js';

/** The name of a copy, or of the rest of an interrupted one. */
const ownName = /^realmgate-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db(\.part(-journal)?)?$/;

/**
 * Copies the SQLite database to a folder at once, and then every `every` seconds if it has changed, until the process
 * receives a signal to end. Keeps the newest `keep` copies. A failed copy is reported, and repeated after the same
 * time.
 */
export async function backUpContinuously(folder: string, every: number, keep: number): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const changes = await watchChanges(readConfig(process.env).databaseUrl);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let isMissing = true;
  while (!stopping.signal.aborted) {
    // checked before the copy, so that a commit during the copy is in the next one
    isMissing = changes.haveHappened() || isMissing;
    if (isMissing) isMissing = !(await copied(folder, keep));
    await sleep(every * 1000, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
  changes.close();
}

/** Whether a copy was made. */
async function copied(folder: string, keep: number): Promise<boolean> {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  try {
    removeInterrupted(folder);
    await backUp(join(folder, `realmgate-${time}Z.db`));
    for (const name of copiesIn(folder).slice(0, -keep)) rmSync(join(folder, name), { force: true });
    return true;
  } catch (error) {
    printError(`${new Date().toISOString()} The copy failed: ${(error as Error).message}`);
    return false;
  }
}

/** The copies in the order of their age, the oldest first. */
const copiesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => ownName.test(name))
    .sort();

/** A process that was killed leaves a part, perhaps its journal, and the empty file that the part was to become. */
function removeInterrupted(folder: string): void {
  for (const name of copiesIn(folder).filter((one) => !one.endsWith('.db'))) {
    for (const path of [name, name.replace(/\.part.*$/, '')]) rmSync(join(folder, path), { force: true });
  }
}
