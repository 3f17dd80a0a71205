import { describe, expect, it } from 'vitest';
import { createFeed } from '../../src/services/core/feed.js';
import { createRealmScopedCache, createScopedCache } from '../../src/services/core/scoped-cache.js';

interface Thing {
  realmId?: string;
  number: number;
}

function world() {
  const feed = createFeed((error) => {
    throw error;
  });
  const clock = { now: 0 };
  const cache = createRealmScopedCache<Thing>(
    feed,
    'test',
    () => clock.now,
    ({ realmId }) => realmId,
  );
  let reads = 0;
  const read = (key: string, realmId?: string) =>
    cache.get(key, async () => ({ ...(realmId && { realmId }), number: ++reads }));
  const write = (realmId: string) => feed.publish({ realmId, operation: 'x', eventId: '', touches: [] });
  return { feed, clock, cache, read, write };
}

describe('the cache of what belongs to realms', () => {
  it('is read once a second, by its key', async () => {
    const { read, clock } = world();
    expect((await read('a', 'one')).number).toBe(1);
    clock.now = 999;
    expect((await read('a', 'one')).number).toBe(1);
    expect((await read('b', 'one')).number).toBe(2);
    clock.now = 1000;
    expect((await read('a', 'one')).number).toBe(3);
  });

  it('is read again when the clock was set back', async () => {
    const { read, clock } = world();
    clock.now = 5_000_000;
    await read('a', 'one');
    clock.now = 1_000_000;
    expect((await read('a', 'one')).number).toBe(2);
    expect((await read('a', 'one')).number).toBe(2);
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

  it('is nothing that was read while its realm changed', async () => {
    const { cache, read, write } = world();
    const first = await cache.get('a', async () => {
      write('one');
      return { realmId: 'one', number: 0 };
    });
    expect(first.number).toBe(0);
    expect((await read('a', 'one')).number).toBe(1);
  });

  it('is found once for all who want it at the same time, unless the realm changes meanwhile', async () => {
    const { read, write } = world();
    const before = [read('a', 'one'), read('a', 'one')];
    write('one');
    const after = [read('a', 'one'), read('a', 'one')];
    expect((await Promise.all(before)).map(({ number }) => number)).toEqual([1, 1]);
    expect((await Promise.all(after)).map(({ number }) => number)).toEqual([2, 2]);
    expect((await read('a', 'one')).number).toBe(2);
  });

  it('is nothing that belongs to no realm, and nothing that failed', async () => {
    const { cache, read } = world();
    expect([(await read('a')).number, (await read('a')).number]).toEqual([1, 2]);
    await expect(cache.get('b', () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
    expect((await read('b', 'one')).number).toBe(3);
  });

  it('keeps what was read while another realm changed', async () => {
    const { cache, read, write } = world();
    await cache.get('a', async () => {
      write('two');
      return { realmId: 'one', number: 0 };
    });
    expect((await read('a', 'one')).number).toBe(0);
  });
});

describe('a cache with scopes of its own', () => {
  const world = () => {
    const feed = createFeed((error) => {
      throw error;
    });
    const cache = createScopedCache<number>(feed, {
      name: 'test',
      now: () => 0,
      scopeOf: (_value, key) => key.slice(0, 1),
      changedBy: ({ touches }) => (touches.includes('*') ? 'all' : touches),
    });
    let reads = 0;
    const read = (key: string) => cache.get(key, async () => ++reads);
    const change = (...touches: string[]) => feed.publish({ realmId: '', operation: 'x', eventId: '', touches });
    return { cache, read, change };
  };

  it('forgets the scopes that a change names, or everything', async () => {
    const { read, change } = world();
    const all = async () => [await read('a1'), await read('a2'), await read('b1')];
    expect(await all()).toEqual([1, 2, 3]);
    change('a', 'c');
    expect(await all()).toEqual([4, 5, 3]);
    change('*');
    expect(await all()).toEqual([6, 7, 8]);
  });

  it('keeps nothing that was read while everything changed', async () => {
    const { cache, read, change } = world();
    await cache.get('a1', async () => {
      change('*');
      return 0;
    });
    expect(await read('a1')).toBe(1);
  });
});
