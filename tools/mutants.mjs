// Puts faults into the server, one at a time, and finds out whether the tests see them.
//
//   node tools/mutants.mjs sample --coverage FOLDER [--build build] [--seed 36] [--count 100] > mutants.json
//   node tools/mutants.mjs run mutants.json --coverage FOLDER [--project FOLDER] [--out build] [--seconds 180] > result.json
//
// `sample` chooses faults at random, spread over the areas, in functions that some test executes. `run` puts each into the module that
// was built of its source, in a clone that nobody else uses, and runs the test files that execute the line, cheapest first, until one
// fails. It begins where an earlier run of the same output ended. The coverage is that of `REALMGATE_COVERAGE=FOLDER npm test`.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { transformSync } from 'rolldown/utils';
import { faultsOf } from './mutants/faults.mjs';
import { generatedOffset } from './mutants/positions.mjs';

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    coverage: { type: 'string' },
    build: { type: 'string', default: 'build' },
    seed: { type: 'string', default: '36' },
    count: { type: 'string', default: '100' },
    project: { type: 'string', default: '.' },
    out: { type: 'string', default: 'build' },
    seconds: { type: 'string', default: '180' },
    result: { type: 'string', default: 'mutants-result.json' },
  },
});
/** The share of each layer in a sample. */
const layers = { services: 0.55, database: 0.16, graph: 0.16, rest: 0.13 };
/** Seconds of the tests that run together: starting a run takes several. */
const together = 20;
const [command, list] = positionals;

if (command === 'sample') console.log(JSON.stringify(sample(), null, 1));
else if (command === 'run') run();
else console.error('node tools/mutants.mjs sample|run, see the head of the file');

/** What test files executed: seconds of processor time, and for each module the ranges with their counts. */
function readCoverage() {
  return readdirSync(options.coverage).map((name) => {
    const text = gunzipSync(readFileSync(join(options.coverage, name)));
    const { dialect, name: file, cpu, children, wall, parts } = JSON.parse(text);
    const modules = new Map();
    for (const part of parts) {
      for (const { u, f } of part) modules.set(u, [...(modules.get(u) ?? []), ...f.map(([, ...ranges]) => ranges)]);
    }
    return {
      path: `test/${file.replaceAll('__', '/')}`,
      dialect,
      seconds: Math.max(cpu + children, wall / 2),
      modules,
    };
  });
}

/** Whether one of these functions, each a list of nested ranges, executed the code at an offset. */
function isExecuted(functions, offset) {
  return (functions ?? []).some((ranges) => {
    const around = ranges.filter(([start, end]) => start <= offset && offset < end);
    if (around.length === 0) return false;
    const [, , count] = around.reduce((inner, range) => (range[1] - range[0] <= inner[1] - inner[0] ? range : inner));
    return count > 0;
  });
}

/** The test files that execute a fault, cheapest first. */
function testsOf(fault, coverage) {
  const built = fault.file.replace(/^src\//, '').replace(/ts$/, 'js');
  const offset = generatedOffset(join(options.project, options.build, built), fault);
  if (offset === undefined) return [];
  const isOfPostgresql = fault.file.includes('postgresql');
  return coverage
    .filter(({ modules }) => isExecuted(modules.get(built), offset))
    .map((test) => (isOfPostgresql ? { ...test, dialect: 'postgresql' } : test))
    .sort((a, b) => a.seconds - b.seconds);
}

/** A generator of numbers below 1 that depend on the seed alone (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function sample() {
  const coverage = readCoverage();
  const random = randomFrom(Number(options.seed));
  const pick = (all) => all[Math.floor(random() * all.length)];
  const chosen = [];
  const taken = new Set();
  for (const [layer, share] of Object.entries(layers)) {
    const files = readdirSync(join('src', layer), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .sort()
      .map((name) => `src/${layer}/${name}`);
    const faults = files.flatMap((file) => faultsOf(file, readFileSync(file, 'utf8')));
    const wanted = chosen.length + Math.round(share * Number(options.count));
    for (let tries = 0; chosen.length < wanted && tries < 100 * wanted; tries += 1) {
      const fault = pick(faults);
      const place = `${fault.file}:${fault.function}`;
      if (taken.has(place) || testsOf(fault, coverage).length === 0) continue;
      taken.add(place);
      chosen.push(fault);
    }
  }
  return chosen;
}

function run() {
  const mutants = JSON.parse(readFileSync(list, 'utf8'));
  const coverage = readCoverage();
  const results = existsSync(options.result) ? JSON.parse(readFileSync(options.result, 'utf8')) : [];
  const known = new Set(results.map(({ id }) => id));
  for (const fault of mutants.filter(({ id }) => !known.has(id))) {
    const found = tried(fault, testsOf(fault, coverage));
    results.push({ ...fault, ...found });
    writeFileSync(options.result, JSON.stringify(results, null, 1));
    console.log(
      `${fault.id} ${fault.file}:${fault.line} ${fault.operator}: ${found.outcome} ${found.by ?? ''} (${found.seconds} s)`,
    );
  }
  const killed = results.filter(({ outcome }) => outcome === 'killed').length;
  console.log(`${killed} of ${results.length} killed`);
}

/** Runs the tests of a fault. Returns whether one failed, and which. */
function tried(fault, tests) {
  const module = join(options.project, options.out, fault.file.replace(/^src\//, '').replace(/ts$/, 'js'));
  const source = readFileSync(join(options.project, fault.file), 'utf8');
  const mutated = source.slice(0, fault.start) + fault.replacement + source.slice(fault.end);
  const transpiled = transformSync(fault.file, mutated, {
    lang: 'ts',
    target: 'es2023',
    typescript: { onlyRemoveTypeImports: true },
  });
  if (transpiled.errors.length > 0) return { outcome: 'invalid', seconds: 0 };
  const original = readFileSync(module, 'utf8');
  const start = Date.now();
  const elapsed = () => Math.round((Date.now() - start) / 1000);
  let executed = 0;
  writeFileSync(module, transpiled.code);
  try {
    for (const batch of batches(tests)) {
      const left = Number(options.seconds) - elapsed();
      if (left <= 0) return { outcome: 'survived', seconds: elapsed(), executed, tests: tests.length };
      const failed = failedIn(batch, left);
      if (failed) return { outcome: 'killed', by: failed, seconds: elapsed(), executed, tests: tests.length };
      executed += batch.length;
    }
    return { outcome: 'survived', seconds: elapsed(), executed, tests: tests.length };
  } finally {
    writeFileSync(module, original);
  }
}

function* batches(tests) {
  let batch = [];
  for (const test of tests) {
    const seconds = batch.reduce((sum, one) => sum + one.seconds, 0);
    if (batch.length > 0 && (batch.length >= 12 || seconds + test.seconds > together)) {
      yield batch;
      batch = [];
    }
    batch.push(test);
  }
  if (batch.length > 0) yield batch;
}

/** The first of the test files that fails, or that does not end in time. */
function failedIn(batch, seconds) {
  const report = resolve(`mutants-report-${process.pid}.json`);
  const projects = [...new Set(batch.map(({ dialect }) => dialect))].flatMap((name) => ['--project', name]);
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--maxWorkers=1', ...projects];
  const ended = spawnSync(
    process.execPath,
    [...args, '--reporter=json', `--outputFile=${report}`, ...batch.map(({ path }) => path)],
    {
      cwd: options.project,
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: (seconds + 30) * 1000,
      killSignal: 'SIGKILL',
      env: { ...process.env, NODE_V8_COVERAGE: '' },
    },
  );
  if (ended.status === 0) return undefined;
  if (ended.status === null) return `${batch[0]?.path} or a later one, which did not end`;
  const { testResults = [] } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  const failed = testResults.find(({ status }) => status === 'failed');
  return failed ? failed.name.slice(failed.name.indexOf('test/')) : 'the start of the server';
}
