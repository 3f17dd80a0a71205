// Makes the compressed recordings from a folder with `scenarios/GROUP.mjs` and `recordings/GROUP.json`.
//
//   node test/contract/pack.mjs FOLDER
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { saveGroup } from './player/groups.mjs';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder with the scenarios and recordings.');
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));

for (const file of readdirSync(join(folder, 'scenarios')).filter((name) => name.endsWith('.mjs'))) {
  const group = file.slice(0, -'.mjs'.length);
  const { default: source } = await import(pathToFileURL(resolve(folder, 'scenarios', file)));
  saveGroup(group, source.scenarios, read(join(folder, 'recordings', `${group}.json`)).scenarios);
}
