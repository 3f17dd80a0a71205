import { expect, it } from 'vitest';
import { breaks } from '../../src/database/turns.js';

/** Works for so many milliseconds without a break. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

it('lets others go first when it has worked for more than ten milliseconds in one turn', async () => {
  const pause = breaks();
  expect(pause()).toBeUndefined();
  let others = 0;
  setImmediate(() => {
    others += 1;
  });
  work(11);
  await pause();
  expect(others).toBe(1);
});

it('begins to count again in the next turn', async () => {
  const pause = breaks();
  pause();
  work(11);
  expect(pause()).toBeInstanceOf(Promise);
  await new Promise((resolve) => setImmediate(resolve));
  expect(pause()).toBeUndefined();
});

it('counts the work of each by itself', () => {
  const [one, other] = [breaks(), breaks()];
  one();
  work(11);
  expect(other()).toBeUndefined();
  expect(one()).toBeInstanceOf(Promise);
});
