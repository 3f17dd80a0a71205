import { parseJson } from './parse-json.js';
import { parseYaml } from './parse-yaml.js';
import type { Parsed } from './parsed.js';

/** Maximum nesting of objects and lists. Code that reads a value is recursive. */
const mostLevels = 100;

/** Maximum bytes of a JSON file and of a YAML file, which takes a hundred times as long to read. */
export const mostBytes = { json: 256 * 1024 * 1024, yaml: 16 * 1024 * 1024 };

/** The format of a file by its name; undefined for files of other kinds. */
export function formatOf(file: string): 'json' | 'yaml' | undefined {
  if (/\.json$/i.test(file)) return 'json';
  return /\.ya?ml$/i.test(file) ? 'yaml' : undefined;
}

/** Reads the bytes of a JSON or YAML file. */
export function parse(bytes: Buffer, format: 'json' | 'yaml'): { text: string; parsed: Parsed } {
  const failed = (message: string, text = '', offset = 0) => ({ text, parsed: { errors: [{ offset, message }] } });
  if (bytes.length > mostBytes[format]) {
    const megabytes = mostBytes[format] / 1024 / 1024;
    return failed(`The file must have at most ${megabytes} MB, got ${Math.ceil(bytes.length / 1024 / 1024)} MB`);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return failed('The file must be UTF-8 text');
  }
  const tooDeep = `The file must have at most ${mostLevels} levels of objects and lists`;
  try {
    const parsed = format === 'json' ? parseJson(text, mostLevels) : parseYaml(text);
    if (levels(parsed.value) > mostLevels) return failed(tooDeep, text);
    return { text, parsed };
  } catch (error) {
    if (error instanceof RangeError) return failed(tooDeep, text);
    throw error;
  }
}

function levels(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let deepest = 0;
  for (const item of Object.values(value)) deepest = Math.max(deepest, levels(item));
  return deepest + 1;
}
