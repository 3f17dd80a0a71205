// Prints at the end of a run: how long it took, the ten slowest files, and the tests that only a thorough run has. The times of all files
// are in a table beside the packages.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { project } from './build.mjs';
import { declaredTests } from './declarations.mjs';
import { processorTime } from './processor-time.mjs';

const rows = 10;
const table = 'node_modules/.cache/realmgate/test-times.tsv';

/** A reporter of vitest. `thorough`: whether this is a thorough run. */
export default class Summary {
  constructor({ thorough = false } = {}) {
    this.thorough = thorough;
  }

  onInit(vitest) {
    this.watches = vitest.config.watch;
  }

  onTestRunStart() {
    this.start = Date.now();
  }

  onTestRunEnd(modules) {
    const files = modules.map(measured).sort((a, b) => b.own + b.children - a.own - a.children);
    if (files.length < 2) return;
    mkdirSync(dirname(join(project, table)), { recursive: true });
    writeFileSync(join(project, table), [columns, ...files.map(cells)].map((row) => `${row.join('\t')}\n`).join(''));
    console.log(`\nThe ${Math.min(rows, files.length)} of ${files.length} test files that take most (all: ${table})`);
    console.log(
      'Seconds of processor time of the worker and of the processes that it starts, and seconds by the clock\n',
    );
    for (const row of [columns, ...files.slice(0, rows).map(cells), cells(files.reduce(sum))]) console.log(line(row));
    if (!this.thorough) console.log(`\n${leftOut(modules)}`);
    if (this.watches) return;
    // the processor time of the workers is known once they have ended
    process.once('exit', () => {
      const seconds = Math.round((Date.now() - this.start) / 1000);
      console.log(`The run took ${seconds} s${processorSeconds()}.`);
    });
  }
}

/** The processor time of this process and of the workers, which have ended; empty on systems that do not tell it. */
function processorSeconds() {
  const { own, children } = processorTime();
  return own > 0 ? `, and ${Math.round(own + children)} s of processor time` : '';
}

function leftOut(modules) {
  const tests = declaredTests();
  const files = tests.filter(({ isThorough }) => isThorough).length;
  const onSqliteOnly = tests.filter(({ path, isUnit, isThorough, onBothDatabases }) => {
    return !isUnit && !isThorough && !onBothDatabases && !path.startsWith('test/console/');
  }).length;
  const cases = modules.reduce((count, module) => count + (module.meta().leftOut ?? 0), 0);
  return `npm run test:thorough adds ${files} files, ${cases} cases of these files, and PostgreSQL for ${onSqliteOnly} files.`;
}

const columns = ['worker', 'others', 'imports', 'hooks', 'tests', 'cases', 'file'];

/** What a file took, in seconds: hooks are what its suites do before and after their tests, such as starting a server. */
function measured(module) {
  const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } = module.diagnostic();
  const all = [...module.children.allTests()];
  const tests = all.reduce((time, test) => time + (test.diagnostic()?.duration ?? 0), 0);
  return {
    ...(module.meta().processor ?? { own: 0, children: 0 }),
    imports: (prepareDuration + environmentSetupDuration + setupDuration + collectDuration) / 1000,
    hooks: Math.max(0, duration - tests) / 1000,
    tests: Math.min(tests, duration) / 1000, // less than their sum where they run at the same time
    cases: all.length,
    name: `${module.project.name} ${module.relativeModuleId}`,
  };
}

const cells = ({ own, children, imports, hooks, tests, cases, name }) => [
  ...[own, children, imports, hooks, tests].map((seconds) => seconds.toFixed(1)),
  String(cases),
  name,
];

const sum = (a, b) => ({
  own: a.own + b.own,
  children: a.children + b.children,
  imports: a.imports + b.imports,
  hooks: a.hooks + b.hooks,
  tests: a.tests + b.tests,
  cases: a.cases + b.cases,
  name: 'all files',
});

const line = (row) => row.map((cell, at) => (at < 6 ? cell.padStart(8) : `  ${cell}`)).join('');
