let started = Date.now();
/** Sets the slow clock to the time. A worker runs many test files, and each is to begin with the time as it is. */
export const restartSlowClock = (): void => {
  started = Date.now();
};
/**
 * A clock that runs six hundred times slower, so that no cache of a second expires in between two statements that a test
 * counts, however slow the machine is.
 */
export const slowClock = (): number => Math.floor(started + (Date.now() - started) / 600);

const slowClocks = new WeakSet<() => number>([slowClock]);

/** Creates a clock that is ahead of the slow clock by the milliseconds that `ahead` returns, so that a test can move it on. */
export function slowClockAhead(ahead: () => number): () => number {
  const clock = () => slowClock() + ahead();
  slowClocks.add(clock);
  return clock;
}

/** Whether the clock is the slow clock, or one that is ahead of it. */
export const isSlowClock = (clock: () => number): boolean => slowClocks.has(clock);
