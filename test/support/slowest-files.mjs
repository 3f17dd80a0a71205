// Prints where the time of a run went: the phases of all files together, and the files that took longest.
const rows = 20;

/** A reporter of vitest that prints a table of the slowest test files. */
export default class SlowestFiles {
  onTestRunEnd(modules) {
    const files = modules.map(measured).sort((a, b) => total(b) - total(a));
    if (files.length < 2) return;
    console.log(`\nSeconds of the ${Math.min(rows, files.length)} slowest of ${files.length} test files\n`);
    console.log(line('imports', 'hooks', 'tests', 'total', 'file'));
    for (const file of files.slice(0, rows)) print(file);
    print(files.reduce(sum, { name: 'all files', imports: 0, hooks: 0, tests: 0 }));
    console.log('');
  }
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
