import { spawnSync } from 'node:child_process';

/** Whether a program is installed. Says so if it is not, as its tests are skipped then. */
export function isInstalled(program: string): boolean {
  const { error } = spawnSync(program, ['--version']);
  if (error) console.log(`${program} is not installed: see test/deploy/linters.txt and .github/workflows/ci.yml`);
  return !error;
}
