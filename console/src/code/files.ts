import { loadModule } from '../session/modules.js';
import type { Translate } from '../text/text.js';
import type { DesiredModesInput } from './documents.js';
import type { texts } from './texts.js';

/** What files describe of a realm, with their names. */
export interface Desired {
  names: string;
  /** the modes that the files have for kinds of objects */
  modes: DesiredModesInput;
  value: Record<string, unknown>;
}

/** Reads files as one realm. Throws an error with a text for the reader if they are not such files. */
export async function readFiles(files: File[], t: Translate<typeof texts>): Promise<Desired> {
  const value: Record<string, unknown> = {};
  for (const file of files) {
    const parsed = await parse(file);
    if (!isObject(parsed)) throw new Error(t('notObject', { file: file.name }));
    merge(value, parsed, [], (field) => t('twice', { file: file.name, field }));
  }
  const { $realmgate: settings, ...realm } = value;
  const modes = isObject(settings) && isObject(settings.modes) ? settings.modes : {};
  return { names: files.map(({ name }) => name).join(', '), modes, value: realm };
}

/** Parses a file by its ending. The parser of YAML is loaded only for files that need it. */
async function parse(file: File): Promise<unknown> {
  const text = await file.text();
  try {
    if (!/\.ya?ml$/i.test(file.name)) return JSON.parse(text);
    const { parse } = await loadModule(() => import('yaml'));
    return parse(text, { version: '1.2', maxAliasCount: 10_000 });
  } catch (error) {
    throw new Error(`${file.name}: ${(error as Error).message}`);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds the fields of a file: lists are continued, objects are merged, and other values may be in one file only. */
function merge(
  into: Record<string, unknown>,
  from: Record<string, unknown>,
  path: string[],
  refusal: (field: string) => string,
) {
  for (const [key, value] of Object.entries(from)) {
    const before = Object.hasOwn(into, key) ? into[key] : undefined;
    if (before === undefined) Object.defineProperty(into, key, { value, enumerable: true, writable: true });
    else if (Array.isArray(before) && Array.isArray(value)) into[key] = [...before, ...value];
    else if (isObject(before) && isObject(value)) merge(before, value, [...path, key], refusal);
    else throw new Error(refusal([...path, key].join('.')));
  }
}

/** The text of a realm as a file of a format. */
export async function fileText(value: unknown, format: 'json' | 'yaml'): Promise<string> {
  if (format === 'json') return `${JSON.stringify(value, null, 2)}\n`;
  const { stringify } = await loadModule(() => import('yaml'));
  return stringify(value, { aliasDuplicateObjects: false });
}
