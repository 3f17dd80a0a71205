import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DesiredRealmError, type Fault } from '../../src/cli/desired/faults.js';
import { atEndOfFile } from '../support/cleanup.js';

/** A new folder with these files, by their paths. It is deleted at the end of the test file. */
export function folderOf(files: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(join(tmpdir(), 'realmgate-test-'));
  atEndOfFile(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** The faults that `load` throws. */
export function faultsOf(load: () => unknown): readonly Fault[] {
  try {
    load();
  } catch (error) {
    if (error instanceof DesiredRealmError) return error.faults;
    throw error;
  }
  throw new Error('The files have no fault');
}
