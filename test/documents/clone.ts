import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../support/database.js';

const project = resolve('.');
const notShared = ['.git', 'node_modules', 'data'];

/**
 * A folder in which the commands of a document run: with the files of a clone, and with the package installed, so that `npx realmgate`
 * finds it. What the commands write stays in it.
 */
export function cloneFolder(): string {
  const folder = temporaryFolder();
  for (const name of readdirSync(project)) {
    if (!notShared.includes(name)) symlinkSync(join(project, name), join(folder, name));
  }
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(project, 'dist/cli/realmgate.js'), join(folder, 'node_modules/.bin/realmgate'));
  return folder;
}

/** Whether these commands are installed. Prints the name of a missing one. */
export function hasCommands(...names: string[]): boolean {
  return names.every((name) => {
    try {
      execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' });
      return true;
    } catch {
      console.log(`${name} is not installed: tests that need it are skipped.`);
      return false;
    }
  });
}
