// Builds the server if its sources changed: the tests import what was built, and start it.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('../..', import.meta.url));

export function setup() {
  execFileSync(process.execPath, ['tools/prepare.mjs', '--develop'], { cwd: project, stdio: 'inherit' });
}
