// Which functions of the build each test file executes, and how long it takes. The files of a run are kept beside the packages.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from './build.mjs';

const folder = join(project, 'node_modules/.cache/realmgate/tests');

export function writeRecord(record) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${record.path.replaceAll('/', '__')}.json`), JSON.stringify(record));
}

export function readRecords() {
  const records = new Map();
  for (const name of filesIn(folder)) {
    const record = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    records.set(record.path, record);
  }
  return records;
}

function filesIn(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
