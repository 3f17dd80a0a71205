import { describe, expect, it } from 'vitest';
import { begun } from '../../src/services/core/begun.js';

function counted(pieces: number[]): { stream: AsyncGenerator<number, void>; ends: () => number } {
  let ends = 0;
  async function* generate(): AsyncGenerator<number, void> {
    try {
      for (const piece of pieces) yield piece;
    } finally {
      ends += 1;
    }
  }
  return { stream: generate(), ends: () => ends };
}

describe('a stream with its first piece made', () => {
  it('has every piece once', async () => {
    for (const pieces of [[], [1], [1, 2, 3]]) {
      const { stream, ends } = counted(pieces);
      const read: number[] = [];
      for await (const piece of await begun(stream)) read.push(piece);
      expect([read, ends()]).toEqual([pieces, 1]);
    }
  });

  it.each(['unread', 'read'])('ends with whoever ends it, %s', async (how) => {
    const { stream, ends } = counted([1, 2, 3]);
    const one = await begun(stream);
    if (how === 'read') await one.next();
    await one.return?.();
    expect([ends(), await one.next()]).toEqual([1, { value: undefined, done: true }]);
  });

  it('throws what the stream is refused for', async () => {
    // biome-ignore lint/correctness/useYield: it is refused before its first piece
    async function* refused(): AsyncGenerator<number, void> {
      throw new Error('refused');
    }
    await expect(begun(refused())).rejects.toThrow('refused');
  });
});
