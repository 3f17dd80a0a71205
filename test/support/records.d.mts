import type { Profiler } from 'node:inspector';

/** What a test file executes of the build, and how long it takes. */
export interface TestRecord {
  /** the test file, relative to the project */
  path: string;
  seconds: number;
  /** seconds of processor time of the worker, and of the processes that the file started */
  processor: { own: number; children: number };
  /** where the executed functions begin, by files of the build */
  functions: Record<string, number[]>;
}

export function writeRecord(record: TestRecord): void;

/** Writes the coverage of a test file, which V8 states by modules of the build, to a folder. */
export function writeCoverage(
  folder: string,
  coverage: Omit<TestRecord, 'functions'> & {
    project: string;
    modules: { url: string; functions: Profiler.FunctionCoverage[] }[];
  },
): void;

/** The records of all files, by their paths. */
export function readRecords(): Map<string, TestRecord>;
