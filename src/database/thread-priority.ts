import { getPriority, setPriority } from 'node:os';

/**
 * A tenth or so of the processor time of other threads that want it, on Linux. With a lower priority, other programs of the machine would
 * stop all searches.
 */
export const lowPriority = 10;
const lowest = 19;

/**
 * Gives the calling thread, and no other, a low priority, so that long work of few leaves the processors to short work of many. On Linux,
 * where the priority belongs to the thread (setpriority(2), "C library/kernel differences"); elsewhere nothing changes.
 */
export function lowerPriorityOfThread(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(lowest, getPriority() + lowPriority));
  } catch {
    // not allowed in this environment: it works as well, only not behind others
  }
}
