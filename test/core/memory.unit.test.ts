import { describe, expect, it } from 'vitest';
import { createFeed } from '../../src/services/core/feed.js';
import { rememberInRealms } from '../../src/services/core/memory.js';

interface Thing {
  realmId?: string;
  number: number;
}

function world() {
  const feed = createFeed((error) => {
    throw error;
  });
  const clock = { now: 0 };
  const memory = rememberInRealms<Thing>(
    feed,
    () => clock.now,
    ({ realmId }) => realmId,
  );
  let reads = 0;
  const read = (key: string, realmId?: string) =>
    memory.get(key, async () => ({ ...(realmId && { realmId }), number: ++reads }));
  const write = (realmId: string) => feed.publish({ realmId, operation: 'x', eventId: '', touches: [] });
  return { feed, clock, memory, read, write };
}

describe('what is remembered of a realm', () => {
  it('is read once a second, by its key', async () => {
    const { read, clock } = world();
    expect((await read('a', 'one')).number).toBe(1);
    clock.now = 999;
    expect((await read('a', 'one')).number).toBe(1);
    expect((await read('b', 'one')).number).toBe(2);
    clock.now = 1000;
    expect((await read('a', 'one')).number).toBe(3);
  });

  it('is forgotten with a write in that realm, and with no other', async () => {
    const { read, write } = world();
    await read('a', 'one');
    await read('b', 'one');
    write('two');
    expect([(await read('a', 'one')).number, (await read('b', 'one')).number]).toEqual([1, 2]);
    write('one');
    expect([(await read('a', 'one')).number, (await read('b', 'one')).number]).toEqual([3, 4]);
  });

  it('is nothing that was read while something changed', async () => {
    const { memory, read, write } = world();
    const first = await memory.get('a', async () => {
      write('one');
      return { realmId: 'one', number: 0 };
    });
    expect(first.number).toBe(0);
    expect((await read('a', 'one')).number).toBe(1);
  });

  it('is nothing that belongs to no realm, and nothing that failed', async () => {
    const { memory, read } = world();
    expect([(await read('a')).number, (await read('a')).number]).toEqual([1, 2]);
    await expect(memory.get('b', () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
    expect((await read('b', 'one')).number).toBe(3);
  });
});
