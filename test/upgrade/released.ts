import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/database.js';

const file = fileURLToPath(new URL('released.tgz', import.meta.url));
const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Unpacks the last release and returns the script that starts it. It uses the packages of this version, and has those in `dist/node_modules` that this version no longer needs. */
export function releasedScript(): string {
  const folder = temporaryFolder();
  execFileSync('tar', ['-xzf', file, '-C', folder]);
  symlinkSync(packages, join(folder, 'package', 'node_modules'));
  return join(folder, 'package', 'dist', 'main.js');
}
