import { createTurnstile } from '../core/turnstile.js';

/**
 * Does work that has all of a realm in memory, such as a plan, one at a time in a process: parts of it make no break. Realms take turns.
 * Outside of transactions only, which would keep others waiting.
 */
export const oneWholeRealm = createTurnstile(1, 20);
