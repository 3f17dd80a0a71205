import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpackReleased } from '../../tools/released.mjs';
import { temporaryFolder } from '../support/database.js';

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Unpacks the last release and returns the script that starts it. It uses the packages of this version. */
export function releasedScript(): string {
  const folder = temporaryFolder();
  unpackReleased(folder);
  symlinkSync(packages, join(folder, 'package', 'node_modules'));
  return join(folder, 'package', 'dist', 'main.js');
}
