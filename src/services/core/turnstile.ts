import { fairLines } from './fair-lines.js';
import { busy } from './refusal.js';

/**
 * Limits the number of concurrent tasks. The others wait in nested queues, for example one for each realm with one for
 * each caller in it.
 */
export interface Turnstile {
  <T>(task: () => Promise<T>, line?: string, caller?: string): Promise<T>;
  /** how many run, and how many wait */
  counts(): { running: number; waiting: number };
}

/**
 * A turnstile for expensive tasks of threads. The lines take turns, so that a long one does not hold up the others. A
 * line with `waiting` tasks refuses the next one as `busy`, so that a flood of logins cannot grow memory and latency
 * without bound.
 */
export function createTurnstile(running: number, waiting: number): Turnstile {
  const lines = fairLines<() => void>();
  let free = running;

  const enter = (line: string, caller: string): Promise<void> => {
    if (lines.sizeOf(line) >= waiting) throw busy('Too many concurrent requests');
    return new Promise((resolve) => lines.add([line, caller], resolve));
  };

  const pass = async <T>(task: () => Promise<T>, line = '', caller = ''): Promise<T> => {
    if (free > 0) free -= 1;
    else await enter(line, caller);
    try {
      return await task();
    } finally {
      // the place goes directly to the next task, so that no new one can overtake it
      const follower = lines.next();
      if (follower) follower();
      else free += 1;
    }
  };
  const counts = () => ({ running: running - free, waiting: lines.size });
  return Object.assign(pass, { counts });
}
