import { describe, expect, it } from 'vitest';
import { createSeen } from '../../src/database/seen-changes.js';

describe('the numbers of change rows', () => {
  it('that are missing between others are asked for until they come', () => {
    const seen = createSeen();
    seen.begin([7, 9]);
    expect(seen.next(0)).toEqual({ last: 9, gaps: [8] });
    seen.add(12, 0);
    expect(seen.next(0)).toEqual({ last: 12, gaps: [8, 10, 11] });
    seen.add(10, 0);
    seen.add(8, 0);
    expect(seen.next(0)).toEqual({ last: 12, gaps: [11] });
  });

  it('that nobody has stored after three minutes were rolled back', () => {
    const seen = createSeen();
    seen.begin([1]);
    seen.add(3, 1000);
    seen.add(5, 100_000);
    expect(seen.next(181_000)).toEqual({ last: 5, gaps: [2, 4] });
    expect(seen.next(181_001)).toEqual({ last: 5, gaps: [4] });
  });

  it('are not all waited for after a leap', () => {
    const seen = createSeen();
    seen.begin([]);
    seen.add(50_000, 0);
    expect(seen.next(0).gaps).toHaveLength(1000);
    seen.add(100_000, 0);
    const { gaps } = seen.next(0);
    expect(gaps).toHaveLength(10_000);
    expect(gaps.at(-1)).toBe(99_999);
  });
});
