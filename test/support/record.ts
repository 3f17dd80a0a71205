import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, inject } from 'vitest';
import { writeCoverage, writeRecord } from './records.mjs';

// Records for `npm run test:changed` which functions of the build the test file executes, and for `tools/mutants.mjs` which blocks,
// if `REALMGATE_COVERAGE` names a folder. Processes that it starts are not recorded.

const project = fileURLToPath(new URL('../..', import.meta.url));

/** The recorder of this worker, which runs many files. */
const recording = globalThis as { recorder?: Session };
const build = `file://${project}build/`;
const coverageFolder = process.env.REALMGATE_COVERAGE;

if (!recording.recorder) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  // counts begin anew with each reading, so that they are those of one file
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: coverageFolder !== undefined });
  recording.recorder = session;
}
const start = Date.now();
const before = processorTimes();

afterAll(() => {
  const functions: Record<string, number[]> = {};
  const modules: { url: string; functions: Profiler.FunctionCoverage[] }[] = [];
  // the callback is called before `post` returns
  recording.recorder?.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    for (const { url, functions: all } of result) {
      if (!url.startsWith(build)) continue;
      modules.push({ url: url.slice(build.length), functions: all });
      // the first is the module itself, which is executed when it is loaded
      const executed = all
        .slice(1)
        .flatMap(({ ranges: [range] }) => (range && range.count > 0 ? [range.startOffset] : []));
      if (executed.length > 0) functions[url.slice(build.length)] = executed;
    }
  });
  const path = relative(project, expect.getState().testPath ?? '');
  const now = processorTimes();
  const processor = { worker: now.worker - before.worker, children: now.children - before.children };
  const seconds = (Date.now() - start) / 1000;
  const dialect = inject('dialect');
  if (coverageFolder !== undefined)
    writeCoverage(coverageFolder, { path, project: dialect ?? 'units', seconds, processor, modules });
  // what differs by database is little, and the time of SQLite is that of most files
  if (dialect !== 'postgresql') writeRecord({ path, seconds, processor, functions });
});

/** Seconds of processor time of this worker and, where the system has /proc, of the processes that it started and that have ended. */
function processorTimes(): { worker: number; children: number } {
  const { user, system } = process.cpuUsage();
  let children = 0;
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [, , childUser, childSystem] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15); // proc(5): utime, stime, cutime, cstime
    children = (Number(childUser) + Number(childSystem)) / 100;
  } catch {}
  return { worker: (user + system) / 1e6, children };
}
