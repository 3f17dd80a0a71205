import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDesiredFolder } from './files.js';
import { readDesired } from './load.js';

/** The folders in a folder of realms; undefined for other folders and for files. */
function realmFolders(path: string): string[] | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory() || isDesiredFolder(path)) return undefined;
  const folders = readdirSync(path)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .map((name) => join(path, name))
    .filter((below) => statSync(below, { throwIfNoEntry: false })?.isDirectory());
  return folders.length > 0 && folders.every(isDesiredFolder) ? folders : undefined;
}

/** The realm that a file or folder names, if any, and whether it can be read. */
function realmNameIn(path: string): { path: string; name: unknown; isWhole: boolean } {
  const { desired, isWhole } = readDesired([path], { keepsReferences: true, readsConfigCli: true });
  return { path, name: desired.realm['realm'], isWhole };
}

/**
 * Groups the files and folders of a command by realm. They belong to one realm, unless several of them name their
 * realm, or one is a folder with folders of realms. Throws a sentence if only some of them name a realm, or several the
 * same.
 */
export function realmGroups(files: readonly string[]): string[][] {
  const paths = files.flatMap((path) => realmFolders(path) ?? [path]);
  if (paths.length === 1) return [paths];
  const names = paths.map(realmNameIn);
  const known = new Set(names.flatMap(({ name }) => name ?? []));
  const isFolderOfRealms = paths.length > files.length;
  if (known.size < 2 && !isFolderOfRealms) return [paths];
  const nameless = names.filter(({ name, isWhole }) => name === undefined && isWhole);
  if (nameless.length > 0)
    throw new Error(
      `${nameless.map(({ path }) => path).join(', ')} must name a realm in the field \`realm\`, because the other files are of several realms.`,
    );
  if (known.size < names.filter(({ name }) => name !== undefined).length)
    throw new Error('Each of several realms must be in one file or folder.');
  return paths.map((path) => [path]);
}
