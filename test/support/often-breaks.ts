import { beforeAll, vi } from 'vitest';

/** Milliseconds by which the clock advances whenever it is read: more than a piece of work has in a turn of the event loop. */
const step = 3;

/** In the tests of a file, long work makes as many breaks as it can. Call it after the `beforeAll` that prepares them. */
export function makeBreaksOften(): void {
  beforeAll(() => {
    const now = performance.now.bind(performance);
    let ahead = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      ahead += step;
      return now() + ahead;
    });
    return () => clock.mockRestore();
  });
}
