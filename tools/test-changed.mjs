// npm run test:changed   runs the tests that the changes of the working tree can affect, within a minute, and prints what it left out.
//
//   node tools/test-changed.mjs [--base REVISION] [--seconds 20] [--list]
//
// --base: also the changes since this revision. --seconds: recorded time of the tests that are chosen. --list: only prints them.
// A test is affected if it imports a changed file of test/, or if it executed functions of a changed file of src/ when it was last
// recorded: by `npm run test:record`, or here.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { affectedTests } from '../test/support/affected.mjs';
import { declaredTests } from '../test/support/declarations.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { values: options } = parseArgs({
  options: {
    base: { type: 'string', default: 'HEAD' },
    seconds: { type: 'string', default: '20' },
    list: { type: 'boolean', default: false },
  },
});

/** Tests of files that are no TypeScript of src/ or test/, by the beginning of their paths. */
const testsOfFiles = [
  ['client/', /^test\/client\//],
  ['console/', /^test\/console\//],
  ['deploy/', /^test\/deploy\//],
  ['docs/', /^test\/(documents|style)\//],
  ['examples/', /^test\/(realms\/desired\/laws|surfaces)/],
  ['explorer/', /^test\/browser\/graphiql/],
  ['prisma/', /^test\/(database|upgrade)\//],
  ['schema/', /^test\/(openapi|style)/],
];

const tests = declaredTests().filter(({ isThorough }) => !isThorough);
const changed = changedFiles();
const sources = changed.filter((path) => path.startsWith('src/'));

const direct = new Set([...testsThatImport(changed), ...testsOfOtherFiles(changed)]);
const affected = affectedTests(sources, Number(options.seconds));
const files = [...new Set([...direct, ...affected.chosen])].sort();

if (changed.length === 0) console.log(`Nothing has changed since ${options.base}.`);
else report();
if (files.length > 0 && !options.list) {
  execFileSync(process.execPath, ['tools/prepare.mjs', '--develop'], { stdio: 'inherit' });
  const onBoth = tests.filter(({ path, onBothDatabases }) => onBothDatabases && direct.has(path));
  // what executes changed code runs on SQLite, and what was changed itself on each database that it declares
  const projects = ['units', 'sqlite', ...(onBoth.length > 0 ? ['postgresql'] : [])].flatMap((name) => [
    '--project',
    name,
  ]);
  const run = ['node_modules/vitest/vitest.mjs', 'run', '--mode', 'recorded', ...projects, ...files];
  const { status } = spawnSync(process.execPath, run, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

function report() {
  console.log(`${changed.length} changed files, ${files.length} test files that they can affect.`);
  const { left, leftSeconds, isRecorded } = affected;
  if (sources.length > 0 && !isRecorded) {
    console.log(
      'No test is recorded: `npm run test:record` records which code each test executes. Until then, names decide.',
    );
  }
  if (left.length > 0) {
    console.log(
      `Left out: ${left.length} files that execute changed code too (${Math.round(leftSeconds)} s). npm test runs them.`,
    );
    console.log(`  ${left.slice(0, 12).join('\n  ')}${left.length > 12 ? `\n  and ${left.length - 12} more` : ''}`);
  }
  const unknown = changed.filter(
    (path) => !/^(src|test)\//.test(path) && !testsOfFiles.some(([start]) => path.startsWith(start)),
  );
  if (unknown.length > 0) console.log(`No test is known for: ${unknown.join(', ')}`);
}

function changedFiles() {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  const paths = [...git('diff', '--name-only', options.base), ...git('ls-files', '--others', '--exclude-standard')];
  return [...new Set(paths)].sort();
}

/** The test files among the changed files, and those that import one of them, directly or not. */
function testsThatImport(paths) {
  const wanted = new Set(paths.filter((path) => path.startsWith('test/')));
  if (wanted.size === 0) return [];
  const known = new Map();
  const reaches = (path, seen) => {
    if (wanted.has(path)) return true;
    if (known.has(path)) return known.get(path);
    if (seen.has(path)) return false;
    seen.add(path);
    const found = importsOf(path).some((one) => reaches(one, seen));
    known.set(path, found);
    return found;
  };
  return tests.map(({ path }) => path).filter((path) => reaches(path, new Set()));
}

/** The modules of test/ that a module of test/ imports. */
function importsOf(path) {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/(?:from|import|import\() ?'(\.[^']+)'/g)].flatMap(([, name]) => {
    const target = normalize(join(dirname(path), name));
    const found = [target, target.replace(/\.js$/, '.ts')].find((one) => one.startsWith('test/') && existsSync(one));
    return found ? [found] : [];
  });
}

function testsOfOtherFiles(paths) {
  const patterns = testsOfFiles
    .filter(([start]) => paths.some((path) => path.startsWith(start)))
    .map(([, pattern]) => pattern);
  return tests.map(({ path }) => path).filter((path) => patterns.some((pattern) => pattern.test(path)));
}
