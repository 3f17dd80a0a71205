import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { DesiredRealmError } from './faults.js';
import { type Folder, folderNamed, folders } from './folders.js';
import { formatOf } from './parse.js';
import { isReachable, outside, realPath } from './reachable.js';

/** A file with a realm or a part of one. */
export interface DesiredFile {
  path: string;
  /** in messages: relative to the working directory */
  name: string;
  format: 'json' | 'yaml';
  /** the folder of the realm, which `${file:…}` can read from */
  root: string;
  /** undefined for a file with fields of the realm itself */
  folder: Folder | undefined;
}

/** The folder below the folder of a realm that does not belong to the realm: overlays are named on the command line. */
const overlayFolder = 'overlays';

/** Maximum nesting of folders. */
const mostLevels = 10;

/**
 * Lists the files of these files and folders, in the order of their names. Throws for other kinds of files. Also throws
 * for links that lead out of the folder of the realm and the folders in `readable`.
 */
export function desiredFiles(paths: readonly string[], cwd: string, readable: readonly string[]): DesiredFile[] {
  const found = paths.flatMap((given) => {
    const path = resolve(cwd, given);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) throw failed(`The file or folder ${given} does not exist`);
    return stat.isDirectory() ? filesOfFolder(path, cwd, readable) : [fileOf(path, cwd)];
  });
  for (const { path, name, root } of found) requireFile(path, name, [root, ...readable]);
  if (found.length === 0) throw failed(`No file with the ending .json, .yaml or .yml in ${paths.join(', ')}`);
  return [...new Map(found.map((file) => [file.path, file])).values()];
}

const failed = (message: string) => new DesiredRealmError([{ severity: 'error', message }]);

/** Throws for a link that leads elsewhere, and for devices and pipes, because reading these may never end. */
function requireFile(path: string, name: string, allowed: readonly string[]): void {
  if (!isReachable(path, allowed)) throw failed(`The file ${name} ${outside}`);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw failed(`The link ${name} leads to no file`);
  if (!stat.isFile()) throw failed(`${name} must be a file`);
}

/** A single file. The name of its folder determines its part of a realm. */
function fileOf(path: string, cwd: string): DesiredFile {
  const format = formatOf(path);
  const name = shortest(path, cwd);
  if (!format) throw failed(`The name of the file ${name} must end in .json, .yaml or .yml`);
  const isRealm = /^realm\.\w+$/.test(basename(path));
  const folder = isRealm ? undefined : folderNamed(basename(dirname(path)));
  return { path, name, format, root: folder ? dirname(dirname(path)) : dirname(path), folder };
}

function filesOfFolder(root: string, cwd: string, readable: readonly string[]): DesiredFile[] {
  const walk = createWalk([root, ...readable], cwd);
  const own = namesIn(root).flatMap((name): DesiredFile[] => {
    const path = join(root, name);
    const format = formatOf(name);
    return format && isFile(path) ? [{ path, name: shortest(path, cwd), format, root, folder: undefined }] : [];
  });
  const inFolders = namesIn(root).flatMap((name): DesiredFile[] => {
    const path = join(root, name);
    if (name === overlayFolder || isFile(path)) return [];
    const files = walk(path, 1);
    const folder = folderNamed(name);
    if (!folder && files.length > 0) {
      const known = folders.map((one) => one.name).join(', ');
      throw failed(
        `The folder ${shortest(path, cwd)} is unknown. Folders of a realm are ${known} and ${overlayFolder}`,
      );
    }
    return files.map(({ path: file, format }) => ({ path: file, name: shortest(file, cwd), format, root, folder }));
  });
  return [...own, ...inFolders];
}

/** Whether a folder has files or folders of a realm directly in it. */
export const isDesiredFolder = (root: string): boolean =>
  namesIn(root).some((name) => {
    const path = join(root, name);
    return isFile(path) ? formatOf(name) !== undefined : folderNamed(name) !== undefined;
  });

type Walk = (folder: string, level: number) => { path: string; format: 'json' | 'yaml' }[];

/**
 * Returns a function for the files of a folder and its subfolders. A folder is read once, even if several links lead to
 * it.
 */
function createWalk(allowed: readonly string[], cwd: string): Walk {
  const seen = new Set<string>();
  const walk: Walk = (folder, level) => {
    if (!isReachable(folder, allowed)) throw failed(`The folder ${shortest(folder, cwd)} ${outside}`);
    const real = realPath(folder) ?? folder;
    if (level > mostLevels || seen.has(real)) return [];
    seen.add(real);
    return namesIn(folder).flatMap((name) => {
      const path = join(folder, name);
      if (!isFile(path)) return walk(path, level + 1);
      const format = formatOf(name);
      return format ? [{ path, format }] : [];
    });
  };
  return walk;
}

/** Names in the order of their characters, which does not depend on the language. Hidden files are skipped. */
const namesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort();

/** Whether a path is no folder; a link that leads nowhere counts as a file, so that reading it fails. */
const isFile = (path: string): boolean => !statSync(path, { throwIfNoEntry: false })?.isDirectory();

function shortest(path: string, cwd: string): string {
  const name = relative(cwd, path);
  return name.startsWith('..') ? path : name;
}
