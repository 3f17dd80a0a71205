import { createTurnstile } from '../../core/turnstile.js';

/**
 * Runs evaluations of whole resource servers one at a time in a process. Several at once would not be faster, and
 * garbage collection of their memory would hold up all requests. Realms take turns, and callers within them.
 */
export const evaluateInLine = createTurnstile(1, Number.POSITIVE_INFINITY);
