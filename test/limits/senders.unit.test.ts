import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createConcurrencyLimiter } from '../../src/http/concurrency-limiter.js';

const client = () => Object.assign(new EventEmitter(), { closed: false });

/** A limiter with so many places, and a function that asks it for a place for a sender and tells when it begins, or that it is refused. */
function limiterOf(running: number, waiting: number) {
  const limiter = createConcurrencyLimiter({ running, waiting, patience: 60_000 });
  const log: string[] = [];
  const ask = (sender: string) =>
    limiter
      .acquire(client(), () => [sender, ''])
      .then(
        (leave) => {
          log.push(sender);
          return leave;
        },
        () => {
          log.push(`${sender} refused`);
          return undefined;
        },
      );
  return { ask, log };
}

describe('requests that wait for a place', () => {
  it('take turns by their senders', async () => {
    const { ask, log } = limiterOf(1, 10);
    const asked = ['first', 'many', 'many', 'many', 'few'].map(ask);
    for (const one of asked.slice(0, 1)) (await one)?.();
    await expect.poll(() => log.length).toBe(2);
    for (const one of asked.slice(1)) void one.then((leave) => leave?.());
    await Promise.all(asked);
    expect(log).toEqual(['first', 'many', 'few', 'many', 'many']);
  });

  it('are refused where their sender has more of them than another one', async () => {
    const { ask, log } = limiterOf(1, 2);
    const [first, ...others] = ['first', 'many', 'many', 'few'].map(ask);
    await expect.poll(() => log).toEqual(['first', 'many refused']);
    for (const one of others) void one.then((leave) => leave?.());
    (await first)?.();
    await Promise.all(others);
    expect(log).toEqual(['first', 'many refused', 'many', 'few']);
  });

  it('begin for a few milliseconds in a turn of the event loop, also where there are places', async () => {
    const { ask, log } = limiterOf(100, 100);
    const work = async (sender: string) => {
      // as node:http tells of requests: one after the other, with what they do at once
      await new Promise((resolve) => setImmediate(resolve));
      const leave = await ask(sender);
      const end = performance.now() + 11;
      while (performance.now() < end);
      leave?.();
    };
    const all = Array.from({ length: 6 }, () => work('many'));
    const last = work('few');
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (log.length < 7) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all([...all, last]);
    expect(turns).toBeGreaterThan(3);
    expect(log.indexOf('few')).toBeLessThan(4);
  });
});
