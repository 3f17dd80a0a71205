import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { linesIn } from '../core/lines.js';

/** Forbidden passwords, in lower case. */
export interface PasswordList {
  has(password: string): boolean;
}

interface Known {
  /** size and time of the file that was read */
  version: string;
  list: Promise<PasswordList>;
}

let folder: string | undefined;
const known = new Map<string, Known>();

/** Sets the folder with the lists; undefined for none. For the start of the process. */
export function useBlacklistsOf(path: string | undefined): void {
  folder = path;
  known.clear();
}

/** The path and version of a list; undefined for a name that is not a file directly in the folder. */
function fileOf(name: string): { path: string; version: string } | undefined {
  if (folder === undefined || name === '' || /[/\\\0]/.test(name)) return undefined;
  const path = join(folder, name);
  const file = statSync(path, { throwIfNoEntry: false });
  return file?.isFile() ? { path, version: `${file.size} ${file.mtimeMs}` } : undefined;
}

/** Whether a list of this name exists. */
export const isBlacklist = (name: string): boolean => fileOf(name) !== undefined;

/** The list of this name, which is read when it is first needed and when its file has changed. */
export async function blacklistNamed(name: string): Promise<PasswordList | undefined> {
  const file = fileOf(name);
  if (!file) return undefined;
  const entry = known.get(name);
  if (entry?.version === file.version) return entry.list;
  const list = readList(file.path);
  known.set(name, { version: file.version, list });
  // a file that could not be read is tried again
  list.catch(() => known.delete(name));
  return list;
}

/** Eight bytes of a digest for each password: lists have millions of them. */
const mark = (password: string): bigint => createHash('sha256').update(password).digest().readBigUInt64BE(0);

async function readList(path: string): Promise<PasswordList> {
  let marks = new BigUint64Array(1024);
  let count = 0;
  for await (const line of linesIn(createReadStream(path))) {
    if (line === '') continue;
    if (count === marks.length) {
      const larger = new BigUint64Array(count * 2);
      larger.set(marks);
      marks = larger;
    }
    marks[count++] = mark(line.toLowerCase());
  }
  const sorted = marks.slice(0, count).sort();
  return { has: (password) => contains(sorted, mark(password)) };
}

function contains(sorted: BigUint64Array, wanted: bigint): boolean {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const found = sorted[middle] as bigint;
    if (found === wanted) return true;
    if (found < wanted) from = middle + 1;
    else to = middle;
  }
  return false;
}
