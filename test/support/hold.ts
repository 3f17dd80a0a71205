import { readFileSync } from 'node:fs';

const schedule = `/proc/self/task/${process.pid}/schedstat`;

/** Milliseconds that the main thread has had a processor; those by the clock where the system does not tell. */
function busyTime(): number {
  try {
    return Number(readFileSync(schedule, 'utf8').split(' ', 1)[0]) / 1e6; // proc(5), nanoseconds
  } catch {
    return performance.now();
  }
}

/**
 * The longest time, in milliseconds of a processor, for which this process and the server within it answered nobody while `work` went
 * on. What other processes do meanwhile does not count.
 */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = busyTime();
  let isOver = false;
  const look = (): void => {
    const now = busyTime();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  try {
    await work();
  } finally {
    isOver = true;
  }
  look();
  return longest;
}
