import { type Profiler, Session } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, inject } from 'vitest';
import { processorTime } from './processor-time.mjs';
import { writeCoverage, writeRecord } from './records.mjs';

// Notes the processor time of each test file for the summary of the run. `npm run test:record` also records which functions of the
// build it executes, for `npm run test:changed`, and which blocks, for `tools/mutants.mjs`, if `REALMGATE_COVERAGE` names a folder.
// V8 does not optimise recorded code. Processes that a file starts are not recorded.

declare module 'vitest' {
  interface ProvidedContext {
    /** whether functions are recorded */
    recorded: boolean;
  }
  interface TaskMeta {
    /** seconds of processor time of the worker, and of the processes that the file started */
    processor?: { own: number; children: number };
  }
}

const project = fileURLToPath(new URL('../..', import.meta.url));

/** The recorder of this worker, which runs many files. */
const recording = globalThis as { recorder?: Session };
const build = `file://${project}build/`;
const coverageFolder = process.env.REALMGATE_COVERAGE;

if (inject('recorded') && !recording.recorder) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  // counts begin anew with each reading, so that they are those of one file
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: coverageFolder !== undefined });
  recording.recorder = session;
}
const start = Date.now();
const before = processorTime();

// biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures a hook needs
afterAll(({}, suite) => {
  const now = processorTime();
  const processor = { own: now.own - before.own, children: now.children - before.children };
  suite.file.meta.processor = processor;
  // the callback is called before `post` returns
  recording.recorder?.post('Profiler.takePreciseCoverage', (_error, { result }) => record(result, processor));
});

function record(result: Profiler.ScriptCoverage[], processor: { own: number; children: number }): void {
  const functions: Record<string, number[]> = {};
  const modules: { url: string; functions: Profiler.FunctionCoverage[] }[] = [];
  for (const { url, functions: all } of result) {
    if (!url.startsWith(build)) continue;
    modules.push({ url: url.slice(build.length), functions: all });
    // the first is the module itself, which is executed when it is loaded
    const executed = all
      .slice(1)
      .flatMap(({ ranges: [range] }) => (range && range.count > 0 ? [range.startOffset] : []));
    if (executed.length > 0) functions[url.slice(build.length)] = executed;
  }
  const path = relative(project, expect.getState().testPath ?? '');
  const seconds = (Date.now() - start) / 1000;
  const dialect = inject('dialect');
  if (coverageFolder !== undefined)
    writeCoverage(coverageFolder, { path, project: dialect ?? 'units', seconds, processor, modules });
  // what differs by database is little, and the time of SQLite is that of most files
  if (dialect !== 'postgresql') writeRecord({ path, seconds, processor, functions });
}
