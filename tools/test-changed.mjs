// npm run test:changed   runs the tests that the changes of the working tree can affect, within a minute, and prints what it left out.
//
//   node tools/test-changed.mjs [--base REVISION] [--seconds 20] [--list]
//
// --base: also the changes since this revision. --seconds: recorded time of the tests that are chosen. --list: only prints them.
// A test is affected if it imports a changed file of test/, or if it executed functions of a changed file of src/ when it was last
// recorded (`npm test` records). Tests in the folder of the changed area come first, then those that execute most of what no chosen
// test executes, for their time.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { declaredTests } from '../test/support/declarations.mjs';
import { readRecords } from '../test/support/records.mjs';

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
/** Seconds of a file that was never recorded. */
const unknownSeconds = 3;

const tests = declaredTests().filter(({ isThorough }) => !isThorough);
const changed = changedFiles();
const sources = changed.filter((path) => path.startsWith('src/'));
const records = readRecords();

const direct = new Set([...testsThatImport(changed), ...testsOfOtherFiles(changed)]);
const { chosen, left } = choose(sources, Number(options.seconds));
const files = [...new Set([...direct, ...chosen])].sort();

if (changed.length === 0) console.log(`Nothing has changed since ${options.base}.`);
else report();
if (files.length > 0 && !options.list) {
  execFileSync(process.execPath, ['tools/prepare.mjs'], { stdio: 'inherit' });
  const onBoth = tests.filter(({ path, onBothDatabases }) => onBothDatabases && direct.has(path));
  // what executes changed code runs on SQLite, and what was changed itself on each database that it declares
  const projects = ['units', 'sqlite', ...(onBoth.length > 0 ? ['postgresql'] : [])].flatMap((name) => ['--project', name]);
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...files], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}

function report() {
  console.log(`${changed.length} changed files, ${files.length} test files that they can affect.`);
  if (sources.length > 0 && records.size === 0) {
    console.log('No test is recorded: `npm test` records which code each test executes. Until then, names decide.');
  }
  if (left.length > 0) {
    const seconds = left.reduce((sum, path) => sum + secondsOf(path), 0);
    console.log(`Left out: ${left.length} files that execute changed code too (${Math.round(seconds)} s), which npm test runs:`);
    console.log(`  ${left.slice(0, 12).join('\n  ')}${left.length > 12 ? `\n  and ${left.length - 12} more` : ''}`);
  }
  const unknown = changed.filter((path) => !/^(src|test)\//.test(path) && !testsOfFiles.some(([start]) => path.startsWith(start)));
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
  const patterns = testsOfFiles.filter(([start]) => paths.some((path) => path.startsWith(start))).map(([, pattern]) => pattern);
  return tests.map(({ path }) => path).filter((path) => patterns.some((pattern) => pattern.test(path)));
}

function secondsOf(path) {
  return records.get(path)?.seconds ?? unknownSeconds;
}

/** The tests to run for changed sources within the given seconds, and those that are left out. */
function choose(changedSources, seconds) {
  if (changedSources.length === 0) return { chosen: [], left: [] };
  const areas = new Set(changedSources.flatMap((path) => dirname(path).split('/').slice(2)));
  const isOfArea = (path) => path.split('/').slice(1, -1).some((name) => areas.has(name));
  const candidates = tests
    .map(({ path }) => ({ path, executed: executedIn(path, changedSources), seconds: Math.max(secondsOf(path), 0.1) }))
    .filter(({ path, executed }) => executed.length > 0 || (isOfArea(path) && !records.has(path)));
  const covered = new Set();
  const picked = [];
  let rest = seconds;
  const take = (candidate) => {
    picked.push(candidate.path);
    rest -= candidate.seconds;
    for (const one of candidate.executed) covered.add(one);
  };
  for (const candidate of candidates.filter(({ path }) => isOfArea(path)).sort((a, b) => a.seconds - b.seconds)) {
    if (candidate.seconds <= rest) take(candidate);
  }
  for (;;) {
    const open = candidates.filter((one) => !picked.includes(one.path) && one.seconds <= rest);
    const worth = ({ executed, seconds: time }) => executed.filter((one) => !covered.has(one)).length / time;
    const [best] = open.sort((a, b) => worth(b) - worth(a));
    if (!best) break;
    // everything is executed by some test: each function once more
    if (worth(best) === 0) covered.clear();
    take(best);
  }
  return { chosen: picked, left: candidates.map(({ path }) => path).filter((path) => !picked.includes(path)) };
}

/** The functions of these sources that a test executed when it was last recorded. */
function executedIn(test, paths) {
  const functions = records.get(test)?.functions ?? {};
  return paths.flatMap((path) => (functions[path.slice('src/'.length).replace(/\.ts$/, '.js')] ?? []).map((start) => `${path}:${start}`));
}
