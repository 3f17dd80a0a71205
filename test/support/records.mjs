// Which functions of the build each test file executes, and how long it takes. The files of a run are kept beside the packages.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from './build.mjs';

const folder = join(project, 'node_modules/.cache/realmgate/tests');

/**
 * @typedef {object} TestRecord
 * @property {string} path the test file, relative to the project
 * @property {number} seconds
 * @property {Record<string, number[]>} functions by files of the build, relative to it: where the functions begin
 */

/** @param {TestRecord} record */
export function writeRecord(record) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${record.path.replaceAll('/', '__')}.json`), JSON.stringify(record));
}

/** @returns {Map<string, TestRecord>} by their paths */
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
