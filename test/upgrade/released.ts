import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpackReleased } from '../../tools/released.mjs';
import { temporaryFolder } from '../support/database.js';

/** What the last release is started with, beside its settings. */
export const releasedOptions = { NODE_OPTIONS: `--import ${new URL('released-sqlite.mjs', import.meta.url).href}` };

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Unpacks the last release and returns the script that starts it. It uses the packages of this version, and those in its `dist/node_modules`. */
export function releasedScript(): string {
  const folder = temporaryFolder();
  unpackReleased(folder);
  symlinkSync(packages, join(folder, 'package', 'node_modules'));
  return join(folder, 'package', 'dist', 'main.js');
}
