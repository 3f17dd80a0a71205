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
