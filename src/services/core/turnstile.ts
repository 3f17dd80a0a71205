import { busy } from './refusal.js';

/** Lets a bounded number of tasks run at a time; the others wait in lines, e.g. one for each realm. */
export interface Turnstile {
  <T>(task: () => Promise<T>, line?: string): Promise<T>;
  /** how many run, and how many wait */
  counts(): { running: number; waiting: number };
}

/**
 * A turnstile for expensive tasks of threads. The lines take turns, so that a long one does not hold up the
 * others. When `waiting` tasks stand in a line already, a further one is refused as `busy`, so that a flood of logins
 * cannot grow memory and latency without bound.
 */
export function createTurnstile(running: number, waiting: number): Turnstile {
  const lines = new Map<string, (() => void)[]>();
  let free = running;

  const enter = (name: string): Promise<void> => {
    const line = lines.get(name) ?? [];
    if (line.length >= waiting) throw busy('Too many concurrent requests');
    lines.set(name, line);
    return new Promise((resolve) => line.push(resolve));
  };
  /** The first of the line whose turn it is; its line goes behind the others. */
  const next = (): (() => void) | undefined => {
    const [turn] = lines;
    if (!turn) return undefined;
    const [name, line] = turn;
    lines.delete(name);
    const first = line.shift();
    if (line.length > 0) lines.set(name, line);
    return first;
  };

  const pass = async <T>(task: () => Promise<T>, line = ''): Promise<T> => {
    if (free > 0) free -= 1;
    else await enter(line);
    try {
      return await task();
    } finally {
      // the place goes straight to the next in line, so that nobody can slip in between
      const follower = next();
      if (follower) follower();
      else free += 1;
    }
  };
  const counts = () => ({
    running: running - free,
    waiting: [...lines.values()].reduce((sum, { length }) => sum + length, 0),
  });
  return Object.assign(pass, { counts });
}
