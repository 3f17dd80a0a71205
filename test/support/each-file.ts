import { afterAll } from 'vitest';
import { cleanUp } from './cleanup.js';
import { takeLeftOut } from './sample.js';
import { restartSlowClock } from './slow-clock.js';

declare module 'vitest' {
  interface TaskMeta {
    /** cases that only a thorough run has */
    leftOut?: number;
  }
}

// A worker runs many files with the same modules, so this is registered anew for each of them. It is registered first and
// therefore runs last, after what the test file itself closes.
restartSlowClock();
// biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures a hook needs
afterAll(async ({}, suite) => {
  suite.file.meta.leftOut = takeLeftOut();
  await cleanUp();
});
