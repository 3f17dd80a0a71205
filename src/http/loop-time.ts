/** Milliseconds of one turn of the event loop in which requests begin. */
const longest = 10;

/**
 * Returns a function that tells whether another request may begin in the present turn of the event loop: for ten milliseconds from the
 * first one on.
 */
export function createLoopTime(): () => boolean {
  let began: number | undefined;
  return () => {
    const now = performance.now();
    if (began !== undefined) return now - began < longest;
    began = now;
    setImmediate(() => {
      began = undefined;
    });
    return true;
  };
}
