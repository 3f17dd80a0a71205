import { Refusal } from '../core/refusal.js';

/** Lets a bounded number of tasks run at a time; the others wait in line. */
export type Turnstile = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * A turnstile for expensive tasks of the thread pool. When `waiting` tasks stand in line already, a further one is
 * refused as `busy`, so that a flood of logins cannot grow memory and latency without bound.
 */
export function createTurnstile(running: number, waiting: number): Turnstile {
  const line: (() => void)[] = [];
  let free = running;
  return async (task) => {
    if (free > 0) free -= 1;
    else {
      if (line.length >= waiting) throw new Refusal('busy', 'Too many requests at a time');
      await new Promise<void>((enter) => line.push(enter));
    }
    try {
      return await task();
    } finally {
      // the place goes straight to the next in line, so that nobody can slip in between
      const next = line.shift();
      if (next) next();
      else free += 1;
    }
  };
}
