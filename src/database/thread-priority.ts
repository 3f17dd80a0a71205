import { getPriority, setPriority } from 'node:os';

/**
 * A tenth or so of the processor time of other threads that want it, on Linux. With a lower priority, other programs of the machine would
 * stop all searches.
 */
export const lowPriority = 10;
const lowest = 19;

/**
 * Gives only the calling thread a low priority, so that its long work does not hold up short requests. Works on Linux,
 * where a thread has its own priority (setpriority(2), "C library/kernel differences"); elsewhere nothing changes.
 */
export function lowerPriorityOfThread(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(lowest, getPriority() + lowPriority));
  } catch {
    // not allowed in this environment: the thread works as well, with normal priority
  }
}
