import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

// Files of a realm may come from an untrusted source. They must not name or link to other files of the machine that
// reads them.

/** The fault of a path that is not reachable, as the end of a sentence. */
export const outside = 'must be in the folder of the realm, or in one that `--files-from` allows';

const isWithin = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
};

/** The path of a file after following all links; undefined if it does not exist. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Whether a path leads into one of these folders, also after all links were followed. */
export function isReachable(path: string, folders: readonly string[]): boolean {
  const real = realPath(path);
  if (real === undefined) return folders.some((folder) => isWithin(path, folder));
  return folders.some((folder) => isWithin(real, realPath(folder) ?? folder));
}
