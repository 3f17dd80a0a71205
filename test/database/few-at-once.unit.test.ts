import { describe, expect, it } from 'vitest';
import { databaseFault } from '../../src/database/errors.js';
import { fewAtOnce } from '../../src/database/few-at-once.js';

const longPatience = 60_000;

describe('statements of which few run at a time', () => {
  it('run in the order in which they were asked for, also after one that fails', async () => {
    const ends: (() => void)[] = [];
    const begun: string[] = [];
    const inLine = fewAtOnce(2, longPatience);
    const statement = (name: string) =>
      inLine(async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        if (name === 'a') throw new Error('refused');
        return name;
      });
    const asked = ['a', 'b', 'c', 'd'].map(statement);
    const failed = expect(asked[0]).rejects.toThrow('refused');
    expect(begun).toEqual(['a', 'b']);
    ends[0]?.();
    await failed;
    expect(begun).toEqual(['a', 'b', 'c']);
    ends[1]?.();
    await asked[1];
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    for (const end of ends) end();
    expect(await Promise.all(asked.slice(1))).toEqual(['b', 'c', 'd']);
  });

  it('are late if they wait for too long, and leave the line then', async () => {
    const inLine = fewAtOnce(1, 1);
    let end = (): void => undefined;
    const running = inLine(() => new Promise<void>((resolve) => (end = resolve)));
    let hasBegun = false;
    const waiting = inLine(async () => {
      hasBegun = true;
    });
    expect(await waiting.catch(databaseFault)).toEqual({ kind: 'late' });
    end();
    await running;
    expect(await inLine(async () => 'next')).toBe('next');
    expect(hasBegun).toBe(false);
  });
});
