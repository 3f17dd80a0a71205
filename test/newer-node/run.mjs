// Runs tests of SQLite on a newer Node, whose own SQLite the service then uses.
//
//   node test/newer-node/run.mjs [--contract] [--node PATH]
//
// --contract replays the recorded contract as well.
// Without --node it is the Node of the manifest beside this file, which comes from the registry and is kept in
// node_modules/.cache/newer-node. It is skipped where the registry has none for this machine.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const project = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(project, 'node_modules/.cache/newer-node');
const { values: options } = parseArgs({
  options: { node: { type: 'string' }, contract: { type: 'boolean', default: false } },
});

/** Tests of what depends on the driver and on the version of SQLite: statements, migrations, durability, and copies. */
const tests = ['database', 'faults/kill.test.ts', 'faults/locked.test.ts', 'cli/backup.test.ts'];

const node = options.node ?? installed();
if (node === undefined) {
  console.log(`skipped: there is no newer Node for ${process.platform} on ${process.arch} in the registry.`);
} else {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const statuses = [
    run('tests', [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'sqlite',
      ...tests.map((path) => `test/${path}`),
    ]),
    ...(options.contract
      ? [run('contract', ['test/contract/replay.mjs', '--database', 'sqlite', '--mount', 'admin'])]
      : []),
  ];
  const failed = statuses.filter((status) => status !== 0).length;
  console.log(`${version}: ${statuses.length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

/** The path of the Node of the manifest, which is installed unless it is there already. */
function installed() {
  const name = `node-${process.platform}-${process.arch}`;
  const wanted = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).optionalDependencies[name];
  if (wanted === undefined) return undefined;
  const path = join(cache, 'node_modules', name, 'bin/node');
  const isThere = existsSync(path) && execFileSync(path, ['--version'], { encoding: 'utf8' }).trim() === `v${wanted}`;
  if (!isThere) {
    mkdirSync(cache, { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) cpSync(new URL(file, import.meta.url), join(cache, file));
    execFileSync('npm', ['ci', '--silent', '--ignore-scripts'], { cwd: cache, stdio: 'inherit' });
  }
  return path;
}

/** Runs a script by the newer Node, which the processes that the script starts find first as well. */
function run(name, args) {
  const start = Date.now();
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const { status } = spawnSync(node, args, { cwd: project, env, stdio: ['ignore', 'inherit', 'inherit'] });
  console.log(`${name}: ended with ${status} after ${((Date.now() - start) / 1000).toFixed(0)} s`);
  return status;
}
