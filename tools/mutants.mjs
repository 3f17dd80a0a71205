// Puts faults into the server, one at a time, and finds out whether the tests see them.
//
//   node tools/mutants.mjs sample --coverage FOLDER [--build build] [--seed 36] [--count 100] > list.json
//   node tools/mutants.mjs run LIST --result FILE (--coverage FOLDER | --records) [--project CLONE] [--earlier FILE] [--direct dist]
//   node tools/mutants.mjs table RESULT [RESULT]
//
// `sample` chooses faults at random, spread over the layers, in code that some test executes. `run` puts each into its source, in a
// clone that nobody else uses, and runs the test files that execute it, cheapest first, until one fails or they took three minutes of
// processor time. A test that fails is run again, and at the end without faults: then it must succeed. It goes on where an earlier run with the same
// result ended. `table` prints the results of one or two test suites as Markdown.
//
// --coverage: what `REALMGATE_COVERAGE=FOLDER npm run test:record` has written. --records: what the last `npm run test:record` in the clone has recorded, which is
// less exact. --earlier: a result whose failed tests come first. --direct: the folder of a build module by module, which is changed in place of
// the source: for clones that build slowly. --on sqlite: tests recorded on another database run on this one, but for code of the other.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { transformSync } from 'rolldown/utils';
import { executionsOf, placeIn, recordedExecutionsOf } from './mutants/coverage.mjs';
import { faultsOf, moved } from './mutants/faults.mjs';
import { generatedOffset } from './mutants/positions.mjs';
import { tableOf } from './mutants/table.mjs';
import { batches, failures, secondsOf, stop } from './mutants/tests.mjs';

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    coverage: { type: 'string' },
    records: { type: 'boolean', default: false },
    build: { type: 'string', default: 'build' },
    seed: { type: 'string', default: '36' },
    count: { type: 'string', default: '100' },
    project: { type: 'string', default: '.' },
    direct: { type: 'string' },
    on: { type: 'string' },
    earlier: { type: 'string' },
    seconds: { type: 'string', default: '180' },
    result: { type: 'string', default: 'mutants-result.json' },
  },
});
const [command, ...files] = positionals;
const project = resolve(options.project);
const build = join(project, options.direct ?? options.build);

/** The share of each layer in a sample. */
const layers = { services: 0.55, database: 0.16, graph: 0.16, rest: 0.13 };
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const textOf = (file) => (existsSync(join(project, file)) ? readFileSync(join(project, file), 'utf8') : '');
const moduleOf = (file) => file.replace(/^src\//, '').replace(/ts$/, 'js');

/** The test files that execute each fault, cheapest first, and whether some test executes it after its module is loaded. */
function executions(faults) {
  const wanted = faults.flatMap((fault) => {
    if (fault.start === undefined) return [];
    const module = moduleOf(fault.file);
    const offset = generatedOffset(join(build, module), fault);
    const place = offset === undefined ? undefined : placeIn(join(build, module), offset);
    return place ? [{ id: fault.id, module, place }] : [];
  });
  return options.records ? recordedExecutionsOf(project, wanted) : executionsOf(options.coverage, wanted);
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
  const random = randomFrom(Number(options.seed));
  const chosen = [];
  const taken = new Set();
  for (const [layer, share] of Object.entries(layers)) {
    const sources = readdirSync(join(project, 'src', layer), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .sort()
      .map((name) => `src/${layer}/${name}`);
    const faults = sources.flatMap((file) => faultsOf(file, textOf(file)));
    const found = executions(faults);
    const candidates = faults.filter(({ id }) => found.get(id)?.isKnown);
    const wanted = chosen.length + Math.round(share * Number(options.count));
    while (chosen.length < wanted && candidates.length > 0) {
      const [fault] = candidates.splice(Math.floor(random() * candidates.length), 1);
      const place = `${fault.file}:${fault.function}`;
      if (taken.has(place) || transpiled(fault, textOf(fault.file)) === undefined) continue;
      taken.add(place);
      chosen.push(fault);
    }
  }
  return chosen;
}

/** The module with a fault; undefined if that is not valid. */
function transpiled({ file, start, end, replacement }, source) {
  const text = source.slice(0, start) + replacement + source.slice(end);
  const { code, errors } = transformSync(file, text, {
    lang: 'ts',
    target: 'es2023',
    typescript: { onlyRemoveTypeImports: true },
  });
  return errors.length > 0 ? undefined : code;
}

/** The file that is changed at present, with its right text: an interruption leaves it behind. */
const backup = `${options.result}.original`;

function put(path, text) {
  writeFileSync(`${backup}.part`, JSON.stringify({ path, text: readFileSync(path, 'utf8') }));
  renameSync(`${backup}.part`, backup);
  writeFileSync(path, text);
}

function restore() {
  if (!existsSync(backup)) return;
  const { path, text } = readJson(backup);
  writeFileSync(path, text);
  rmSync(backup);
}

async function run(list) {
  restore();
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      stop();
      restore();
      process.exit(1);
    });
  }
  const results = existsSync(options.result) ? readJson(options.result) : [];
  const save = () => writeFileSync(options.result, `${JSON.stringify(results, null, 1)}\n`);
  const wanted = readJson(list).map((fault) => ({ ...fault, ...moved(fault, textOf(fault.file)) }));
  const earlier = new Map((options.earlier ? readJson(options.earlier) : []).map((result) => [result.id, result]));
  const found = executions(wanted);
  const testsOf = (fault) => {
    const first = (earlier.get(fault.id)?.by ?? []).filter(({ path }) => existsSync(join(project, path)));
    const others = (found.get(fault.id)?.tests ?? []).map((test) =>
      options.on && test.project !== 'units' && !/postgresql/.test(fault.file)
        ? { ...test, project: options.on }
        : test,
    );
    return [...first, ...others.filter(({ path }) => !first.some((one) => one.path === path))];
  };
  for (const fault of wanted) {
    if (results.some(({ id }) => id === fault.id)) continue;
    const result = { ...fault, ...(await tried(fault, testsOf(fault))) };
    results.push(result);
    save();
    print(result);
  }
  await verify(results, testsOf, save);
  const killed = results.filter(({ outcome }) => outcome === 'killed').length;
  console.log(`${killed} of ${results.length} killed`);
}

const print = ({ id, outcome, by, seconds, executed, tests }) =>
  console.log(
    `${id}: ${outcome}${by ? ` by ${by.map(({ path }) => path).join(', ')}` : ''}, ${executed} of ${tests} test files, ${seconds} s`,
  );

/** Runs the tests that failed without any fault. What fails then too proves nothing, and the others are tried without it. */
async function verify(results, testsOf, save) {
  const unsure = results.filter(({ by, isVerified }) => by && !isVerified);
  const killers = new Map(unsure.flatMap(({ by }) => by).map((test) => [keyOf(test), test]));
  if (killers.size === 0) return;
  console.log(`Without faults: ${killers.size} test files`);
  const failing = new Set();
  for (const batch of batches([...killers.values()], 60)) {
    const { outcome, failed = batch } = await failures(project, batch);
    if (outcome !== 'passed') for (const test of failed) failing.add(keyOf(test));
  }
  for (const result of unsure) {
    if (result.by.some((test) => failing.has(keyOf(test)))) {
      console.log(`${result.id}: ${result.by.map(({ path }) => path).join(', ')} does not succeed without it either`);
      const others = testsOf(result).filter((test) => !failing.has(keyOf(test)));
      Object.assign(result, { by: undefined }, await tried(result, others));
      print(result);
    }
    result.isVerified = true;
    save();
  }
}

const keyOf = ({ project: name, path }) => `${name} ${path}`;

/** Runs the tests of a fault until one fails. */
async function tried(fault, tests) {
  const start = Date.now();
  const told = (outcome, executed, by) => ({
    outcome,
    ...(by && { by }),
    executed,
    tests: tests.length,
    seconds: Math.round((Date.now() - start) / 1000),
  });
  if (fault.start === undefined) return told('gone', 0);
  const path = join(project, fault.file);
  const source = textOf(fault.file);
  const code = transpiled(fault, source);
  if (code === undefined) return told('invalid', 0);
  if (options.direct) put(join(build, moduleOf(fault.file)), code);
  else put(path, source.slice(0, fault.start) + fault.replacement + source.slice(fault.end));
  let executed = 0;
  let spent = 0;
  try {
    for (const batch of batches(tests)) {
      if (executed > 0 && spent + secondsOf(batch) > Number(options.seconds)) break;
      const { outcome, failed } = await failures(project, batch, true);
      executed += batch.length;
      // a busy machine makes tests fail too, but hardly the same one twice
      if (outcome === 'failed' && (await failures(project, failed, true)).outcome !== 'passed') {
        return told('killed', executed, failed);
      }
      if (outcome === 'timeout') return told('timeout', executed, batch);
      spent += secondsOf(batch);
    }
    return told('survived', executed);
  } finally {
    restore();
  }
}

if (command === 'sample') console.log(JSON.stringify(sample(), null, 1));
else if (command === 'run') await run(files[0]);
else if (command === 'table') console.log(tableOf(files.map(readJson)));
else {
  console.error('Name what to do: sample, run, or table.');
  process.exitCode = 2;
}
