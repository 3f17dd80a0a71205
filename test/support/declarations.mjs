// The declarations of a test file, in comments on its first lines:
//
//   // @both-databases   The behaviour depends on the database: the file runs on SQLite and on PostgreSQL.
//   // @thorough         The file costs more than it finds in daily work: it runs in `npm run test:thorough` alone.
//
// A file without a declaration runs once, on SQLite. `*.unit.test.ts` needs neither a server nor a database and runs once.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from './build.mjs';

const names = ['both-databases', 'thorough'];

/**
 * The test files of the project.
 * @returns {{ path: string, isUnit: boolean, onBothDatabases: boolean, isThorough: boolean }[]} `path` is relative to the project
 */
export function declaredTests() {
  return readdirSync(join(project, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .sort()
    .map((path) => declared(`test/${path.replaceAll('\\', '/')}`));
}

function declared(path) {
  const found = declarationsOf(readFileSync(join(project, path), 'utf8'));
  const unknown = found.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`${path} declares @${unknown[0]}, which is none of @${names.join(', @')}`);
  return {
    path,
    isUnit: path.endsWith('.unit.test.ts'),
    onBothDatabases: found.includes('both-databases'),
    isThorough: found.includes('thorough'),
  };
}

/** The names that the first lines of a text declare. */
function declarationsOf(text) {
  const found = [];
  for (const line of text.split('\n', 10)) {
    const [, name] = /^\/\/ @([a-z-]+)/.exec(line) ?? [];
    if (name === undefined) break;
    found.push(name);
  }
  return found;
}
