import { describe, expect, it } from 'vitest';
import { type ReadHints, readerOf } from '../../src/database/reader.js';
import { slowStatements } from '../../src/database/slow-statements.js';

/** How many times a query of roles has tables looked through, by these tables. */
async function lookups(args: object): Promise<[string[], number][]> {
  let hints: ReadHints | undefined;
  const roles = readerOf('Role', 'sqlite', async (_text, _values, given) => {
    hints = given;
    return [['[]']];
  });
  await roles.findMany?.(args);
  return (hints?.scans ?? []).map(({ tables, times }) => [[...tables], times]);
}

// one object, as that of a selection of the program: its text is kept
const select = { id: true, _count: { select: { effectiveUsers: true } } };
const withIds = (count: number) => ({
  where: { id: { in: Array.from({ length: count }, (_, at) => `r${at}`) } },
  select,
});

describe('what a statement does with all rows of a table', () => {
  it('is done for each row of a list, also after a list without rows', async () => {
    for (const count of [0, 0, 0, 1, 500]) expect(await lookups(withIds(count))).toEqual([[['User'], count || 1]]);
    expect(await lookups({ take: 20, select })).toEqual([[['User'], 20]]);
  });

  it('is nothing where an index has what belongs together', async () => {
    expect(await lookups({ take: 500, select: { id: true, attributes: { select: { name: true } } } })).toEqual([]);
    expect(await lookups({ take: 5000, select: { id: true } })).toEqual([[['Role'], 1]]);
  });
});

describe('a statement that took long', () => {
  it('is remembered for ten minutes', () => {
    let now = 0;
    const known = slowStatements(() => now);
    known.took('quick', 25);
    known.took('slow', 26);
    expect([known.isSlow('quick'), known.isSlow('slow')]).toEqual([false, true]);
    now = 10 * 60 * 1000;
    expect(known.isSlow('slow')).toBe(false);
  });

  it('is forgotten for later ones', () => {
    const known = slowStatements();
    for (let at = 0; at <= 500; at += 1) known.took(`statement ${at}`, 30);
    expect([known.isSlow('statement 0'), known.isSlow('statement 1')]).toEqual([false, true]);
  });
});
