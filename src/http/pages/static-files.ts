import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../../config/project.js';
import { ownMember } from '../../services/core/json.js';
import type { Answer } from '../answer.js';

const types: Record<string, string> = {
  br: 'application/octet-stream',
  css: 'text/css;charset=UTF-8',
  gz: 'application/gzip',
  html: 'text/html;charset=UTF-8',
  js: 'text/javascript;charset=UTF-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
  woff2: 'font/woff2',
};

/** The media type of a file by the ending of its name; undefined for files that are not served. */
export const mediaTypeOf = (name: string): string | undefined => ownMember(types, name.split('.').at(-1) ?? '');

/**
 * Answers with files of a folder of the project, by their names. Nothing is read before it is requested, and nothing is kept
 * but the names. `only`: names of the files that may be read. Undefined for other names.
 */
export function staticFiles(folder: string, only?: readonly string[]): (name: string) => Promise<Answer | undefined> {
  const path = join(projectFolder, folder);
  let names: Promise<ReadonlySet<string>> | undefined;
  return async (name) => {
    const type = mediaTypeOf(name);
    if (!type) return undefined;
    names ??= only ? Promise.resolve(new Set(only)) : readdir(path).then((found) => new Set(found));
    if (!(await names).has(name)) return undefined;
    return { status: 200, body: await readFile(join(path, name)), type, public: true };
  };
}
