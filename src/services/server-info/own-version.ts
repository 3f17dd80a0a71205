import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../../config/project.js';

let known: Promise<string> | undefined;

/** The version of this server, as its package states it. */
export function ownVersion(): Promise<string> {
  known ??= readFile(join(projectFolder, 'package.json'), 'utf8').then(
    (text) => (JSON.parse(text) as { version: string }).version,
  );
  return known;
}
