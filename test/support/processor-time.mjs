import { readFileSync } from 'node:fs';

/**
 * Seconds of processor time of this process and of those that it started and that have ended; zeros on systems without /proc.
 * @returns {{ own: number, children: number }}
 */
export function processorTime() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const ticks = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15) // proc(5): utime, stime, cutime, cstime
      .map(Number);
    const [user, system, childUser, childSystem] = ticks.map((count) => count / 100);
    return { own: user + system, children: childUser + childSystem };
  } catch {
    return { own: 0, children: 0 };
  }
}
