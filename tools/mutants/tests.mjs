// Runs test files in a clone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Processor seconds of the tests that run together: the first ones find most faults, and each start takes several seconds. */
const growing = [8, 25, 60, 120];
const filesPerBatch = 20;

let running;

/** Ends the tests that run at present, with the workers and servers that they started. */
export function stop() {
  try {
    if (running !== undefined) process.kill(-running, 'SIGKILL');
  } catch {} // they have ended
  running = undefined;
}

/** Processor seconds of test files. */
export const secondsOf = (batch) => batch.reduce((sum, { seconds }) => sum + seconds, 0);

/**
 * Divides tests into those that run together.
 * @param {number} [limit] processor seconds of each part; default: `growing`
 */
export function* batches(tests, limit) {
  let [batch, at] = [[], 0];
  for (const test of tests) {
    const most = limit ?? growing[Math.min(at, growing.length - 1)];
    if (batch.length > 0 && (batch.length >= filesPerBatch || secondsOf(batch) + test.seconds > most)) {
      yield batch;
      [batch, at] = [[], at + 1];
    }
    batch.push(test);
  }
  if (batch.length > 0) yield batch;
}

/**
 * Runs test files of a clone. `failed`: those that failed, or all if the server does not even start. `timeout`: they took ten times as
 * long as their seconds of processor time, and two minutes more.
 * @param {string} project
 * @param {{ path: string, project: string, seconds: number }[]} batch
 * @param {boolean} [bail] ends at the first one that fails
 * @returns {Promise<{ outcome: 'passed' | 'failed' | 'timeout', failed?: typeof batch }>}
 */
export async function failures(project, batch, bail = false) {
  const report = join(tmpdir(), `realmgate-mutants-${process.pid}.json`);
  rmSync(report, { force: true });
  const projects = [...new Set(batch.map((test) => test.project))].flatMap((name) => ['--project', name]);
  const argv = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', '--passWithNoTests', ...projects];
  argv.push(
    ...(bail ? ['--bail=1'] : []),
    '--reporter=json',
    `--outputFile=${report}`,
    ...batch.map(({ path }) => path),
  );
  const child = spawn(process.execPath, argv, { cwd: project, stdio: 'ignore', detached: true });
  running = child.pid;
  let isLate = false;
  const timer = setTimeout(
    () => {
      isLate = true;
      stop();
    },
    (120 + 10 * secondsOf(batch)) * 1000,
  );
  const [status] = await once(child, 'exit');
  clearTimeout(timer);
  stop();
  if (isLate) return { outcome: 'timeout' };
  if (status === 0) return { outcome: 'passed' };
  if (!existsSync(report)) return { outcome: 'failed', failed: batch }; // the server does not start
  const failed = JSON.parse(readFileSync(report, 'utf8'))
    .testResults.filter((result) => result.status === 'failed')
    .map(({ name }) => batch.find(({ path }) => name.endsWith(path)))
    .filter(Boolean);
  return { outcome: 'failed', failed: failed.length > 0 ? failed : batch };
}
