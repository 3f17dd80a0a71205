// The recordings of the project: one compressed file per group, `{ scenarios, recordings }`.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

const folder = new URL('../recordings/', import.meta.url);
const ending = '.json.br';

/** The names of the recorded groups. */
export const groupNames = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort();

/** The scenarios of a group, each with the recorded answers to its steps. */
export function loadGroup(name) {
  const file = new URL(name + ending, folder);
  if (!existsSync(file)) throw new Error(`There is no recording of the group ${name}`);
  const { scenarios, recordings } = JSON.parse(brotliDecompressSync(readFileSync(file)).toString('utf8'));
  const recorded = new Map(recordings.map(({ scenario, steps }) => [scenario, steps]));
  return scenarios.map((scenario) => ({ scenario, recorded: recorded.get(scenario.name) ?? [] }));
}

/** Stores a group as one compressed file. */
export function saveGroup(name, scenarios, recordings) {
  mkdirSync(folder, { recursive: true });
  const text = JSON.stringify({ scenarios, recordings });
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  writeFileSync(new URL(name + ending, folder), brotliCompressSync(text, { params }));
}
