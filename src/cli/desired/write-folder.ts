import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from '../../services/core/json.js';
import { label } from '../../services/realms/files/natural-keys.js';
import { realmShape, type Shape, shapeOf } from '../../services/realms/files/shape.js';
import { folders, shapeOfFolder } from './folders.js';
import { yamlText } from './format.js';
import { type References, writable } from './secret-references.js';

/** The first line of `realm.yaml` in a folder that this module wrote, and may write again. */
const mark = '# Written by `realmgate pull`, which replaces the files of this folder.';

/** Writes a realm as a folder of files and returns their paths in it. Throws if the folder has files of others. */
export function writeFolder(realm: Record<string, unknown>, folder: string, references?: References): string[] {
  const files = filesOfRealm(realm, references);
  if (existsSync(folder) && readdirSync(folder).length > 0) clear(folder);
  for (const [path, text] of files) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    // a realm may have secrets, which are their owner's alone
    writeFileSync(join(folder, path), text, { mode: 0o600 });
  }
  return [...files.keys()];
}

/** Whether an earlier call wrote the files of a folder. */
export function isWritten(folder: string): boolean {
  const path = join(folder, 'realm.yaml');
  return existsSync(path) && readFileSync(path, 'utf8').startsWith(mark);
}

/** Removes the files of an earlier realm, so that objects that this realm lacks are not read again. */
function clear(folder: string): void {
  if (!isWritten(folder)) {
    throw new Error(`The folder ${folder} must be empty or written by \`realmgate pull\`.`);
  }
  for (const { name } of folders) rmSync(join(folder, name), { recursive: true, force: true });
}

/** The files of a realm: their paths and texts. Loading them gives the realm in its canonical order. */
export function filesOfRealm(realm: Record<string, unknown>, references?: References): Map<string, string> {
  const rest = structuredClone(writable(realm, references));
  const files = new Map<string, string>();
  for (const folder of folders) {
    const content = taken(rest, folder.path);
    if (content === undefined) continue;
    const shape = shapeOfFolder(folder);
    const parts = folder.form === 'list' ? partsOfList(content as unknown[], shape) : partsOfMap(content as object);
    const names = fileNames(parts.map(({ name }) => name));
    for (const [index, { value }] of parts.entries()) {
      files.set(
        `${folder.name}/${names[index]}.yaml`,
        yamlText(value, folder.form === 'list' ? shapeOf(shape, 0) : shape),
      );
    }
  }
  return new Map([['realm.yaml', `${mark}\n\n${yamlText(rest, realmShape())}`], ...files]);
}

/**
 * Takes a part with separate files out of the realm. Undefined if it must stay, because it is empty or has another
 * form.
 */
function taken(realm: Record<string, unknown>, path: readonly string[]): unknown {
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), realm);
  const key = path.at(-1) as string;
  if (!isObject(holder)) return undefined;
  const content = holder[key];
  const isFilled = Array.isArray(content) ? content.every(isObject) && content.length > 0 : isObject(content);
  if (!isFilled || Object.keys(content as object).length === 0) return undefined;
  delete holder[key];
  if (holder !== realm && Object.keys(holder).length === 0) delete realm[path[0] as string];
  return content;
}

interface Part {
  name: string;
  value: unknown;
}

const partsOfList = (list: unknown[], shape: Shape | undefined): Part[] =>
  list.map((value, index) => ({ value, name: label(shapeOf(shape, 0), value) ?? `unnamed-${index + 1}` }));

const partsOfMap = (map: object): Part[] =>
  Object.entries(map).map(([name, value]) => ({ name, value: { [name]: value } }));

/** Names that Windows reserves for devices, and the name of the file with the fields of the realm. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)|^realm$/i;
const longest = 80;

/** File names for these names of objects: different on every file system, and the same at every call. */
function fileNames(names: readonly string[]): string[] {
  const plain = names.filter((name) => safe(name) === name && !reserved.test(name));
  const counts = new Map<string, number>();
  for (const name of plain) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  const isPlain = new Set(plain.filter((name) => counts.get(name.toLowerCase()) === 1));
  const given = new Map<string, number>();
  return names.map((name) => {
    if (isPlain.has(name)) return name;
    const number = (given.get(name) ?? 0) + 1;
    given.set(name, number);
    // a realm can have several objects with the same name
    return `${safe(name)}-${digest(name)}${number === 1 ? '' : `-${number}`}`;
  });
}

const safe = (name: string): string =>
  name
    .replace(/[^\w.@-]+/g, '_')
    .replace(/^\.+/, '_')
    .slice(0, longest);

const digest = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 8);
