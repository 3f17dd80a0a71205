import { afterAll } from 'vitest';
import { cleanUp } from './cleanup.js';
import { restartSlowClock } from './slow-clock.js';

// A worker runs many files with the same modules, so this is registered anew for each of them. It is registered first and
// therefore runs last, after what the test file itself closes.
restartSlowClock();
afterAll(cleanUp);
