import { openSync, readSync } from 'node:fs';

const schedule = openSchedule();
const line = Buffer.alloc(100);

/** Stays open, as it is read thousands of times. Undefined where the system has no such file. */
function openSchedule(): number | undefined {
  try {
    return openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  } catch {
    return undefined;
  }
}

/** Milliseconds that the main thread has had a processor; those by the clock where the system does not tell. */
function busyTime(): number {
  if (schedule === undefined) return performance.now();
  const text = line.toString('latin1', 0, readSync(schedule, line, 0, line.length, 0));
  return Number(text.split(' ', 1)[0]) / 1e6; // proc(5), nanoseconds
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
