// Which functions of the build each test file executes, and how long it takes. Kept beside the packages.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { project } from './build.mjs';

const folder = join(project, 'node_modules/.cache/realmgate/tests');

export function writeRecord(record) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${record.path.replaceAll('/', '__')}.json`), JSON.stringify(record));
}

/** Writes the coverage of a test file as `tools/mutants/coverage.mjs` reads it: functions and blocks that were executed, with counts up to 9. */
export function writeCoverage(target, { path, project: dialect, seconds: wall, processor, modules }) {
  mkdirSync(target, { recursive: true });
  const name = path.replace(/^test\//, '').replaceAll('/', '__');
  const part = modules.flatMap(({ url, functions }) => {
    const executed = functions.filter(({ ranges }) => ranges[0].count > 0);
    const told = executed.map(({ functionName, ranges }) => [
      functionName,
      ...ranges.map(({ startOffset, endOffset, count }) => [startOffset, endOffset, Math.min(count, 9)]),
    ]);
    return told.length > 0 ? [{ u: url, f: told }] : [];
  });
  const { own: cpu, children } = processor;
  const text = JSON.stringify({ dialect, name, wall, cpu, children, parts: [part] });
  writeFileSync(join(target, `${dialect}--${name}.json.gz`), gzipSync(text));
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
