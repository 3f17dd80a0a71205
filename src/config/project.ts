import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package: the next one above this file with a manifest. */
export const projectFolder: string = folderAbove(fileURLToPath(import.meta.url));

function folderAbove(path: string): string {
  const folder = dirname(path);
  return existsSync(join(folder, 'package.json')) ? folder : folderAbove(folder);
}

/** The version of the package. */
export const version: string = String(JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')).version);

/** The script of a thread, which the build makes of `src/**\/<name>-thread.ts`. */
export const threadFile = (name: string): string => join(projectFolder, 'dist/threads', `${name}.js`);
