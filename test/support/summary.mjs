// Prints at the end of a run: how long it took, the ten slowest files, and the tests that only a thorough run has.
import { readFileSync } from 'node:fs';
import { declaredTests } from './declarations.mjs';

const rows = 10;

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
    const files = modules.map(measured).sort((a, b) => total(b) - total(a));
    if (files.length < 2) return;
    console.log(`\nSeconds of the ${Math.min(rows, files.length)} slowest of ${files.length} test files\n`);
    console.log(line('imports', 'hooks', 'tests', 'total', 'file'));
    for (const file of files.slice(0, rows)) print(file);
    print(files.reduce(sum, { name: 'all files', imports: 0, hooks: 0, tests: 0 }));
    if (!this.thorough) console.log(`\n${leftOut(modules)}`);
    if (this.watches) return;
    // the processor time of the workers is known once they have ended
    process.once('exit', () => {
      const seconds = Math.round((Date.now() - this.start) / 1000);
      console.log(`The run took ${seconds} s${processorSeconds()}.`);
    });
  }
}

/** The processor time of this process and of those that it started and that have ended; empty on systems without /proc. */
function processorSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const times = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15); // proc(5): utime, stime, cutime, cstime
    return `, and ${Math.round(times.reduce((all, ticks) => all + Number(ticks), 0) / 100)} s of processor time`;
  } catch {
    return '';
  }
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

/** What a file took, in milliseconds: hooks are what its suites do before and after their tests, such as starting a server. */
function measured(module) {
  const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } = module.diagnostic();
  let tests = 0;
  for (const test of module.children.allTests()) tests += test.diagnostic()?.duration ?? 0;
  return {
    name: `${module.project.name} ${module.relativeModuleId}`,
    imports: prepareDuration + environmentSetupDuration + setupDuration + collectDuration,
    hooks: Math.max(0, duration - tests),
    tests: Math.min(tests, duration), // less than their sum where they run at the same time
  };
}

const total = ({ imports, hooks, tests }) => imports + hooks + tests;

const sum = (a, b) => ({ ...a, imports: a.imports + b.imports, hooks: a.hooks + b.hooks, tests: a.tests + b.tests });

function print(file) {
  const times = [file.imports, file.hooks, file.tests, total(file)];
  console.log(line(...times.map((milliseconds) => (milliseconds / 1000).toFixed(1)), file.name));
}

const line = (...cells) => cells.map((cell, at) => (at < 4 ? cell.padStart(8) : `  ${cell}`)).join('');
