import { createTurnstile } from '../../core/turnstile.js';

/**
 * Does an evaluation of everything that a resource server has, one at a time in a process: several at once take as long, and the garbage
 * collector holds up everybody for what all of them have in memory. Realms take turns, and in them callers.
 */
export const evaluateInLine = createTurnstile(1, Number.POSITIVE_INFINITY);
