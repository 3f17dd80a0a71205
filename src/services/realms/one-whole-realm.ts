import { createTurnstile } from '../core/turnstile.js';

/**
 * Runs work that needs all of a realm in memory, such as a plan, one at a time in a process: parts of it make no break.
 * Realms take turns. Use it only outside of transactions, which would hold up others.
 */
export const oneWholeRealm = createTurnstile(1, 20);
