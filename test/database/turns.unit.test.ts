import { describe, expect, it } from 'vitest';
import { breaks, sharedBreaks } from '../../src/database/turns.js';

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

describe('work with shared breaks', () => {
  /** How often each of some pieces of work has gone on after so many turns of the event loop. */
  async function partsOf(pieces: number, turns: number): Promise<number[]> {
    const parts = Array.from({ length: pieces }, () => 0);
    let isOver = false;
    const all = parts.map(async (_, at) => {
      const pause = sharedBreaks();
      while (!isOver) {
        await pause();
        work(3);
        parts[at] = (parts[at] ?? 0) + 1;
      }
    });
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    isOver = true;
    await Promise.all(all);
    return parts;
  }

  it('takes turns, one piece in a turn of the event loop', async () => {
    const turns = 24;
    const parts = await partsOf(4, turns);
    // each is done with what it was at when it hears that it is over
    expect(parts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(turns * 2 + 4 * 2);
    expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(4);
  });

  it('goes on at once as long as it is short', () => {
    const [one, other] = [sharedBreaks(), sharedBreaks()];
    expect([one(), other(), one(), other()]).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('goes on although others are busy all the time', async () => {
    let isOver = false;
    const busy = (): void => {
      work(2);
      if (!isOver) setImmediate(busy);
    };
    setImmediate(busy);
    const pause = sharedBreaks(0);
    let parts = 0;
    for (; parts < 3; parts += 1) {
      await pause();
      work(5);
    }
    isOver = true;
    expect(parts).toBe(3);
  });
});
