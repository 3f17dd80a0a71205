import { describe, expect, it } from 'vitest';
import { fairLines } from '../../src/services/core/fair-lines.js';

/** Lines with these entries, of which the first letter and the second one name the lines. */
function linesWith(...names: string[]) {
  const lines = fairLines<string>();
  for (const name of names) lines.add([name[0] ?? '', name[1] ?? ''], name);
  return lines;
}

const all = (lines: ReturnType<typeof linesWith>): string[] =>
  Array.from({ length: lines.size }, () => lines.next() ?? '');

describe('lines', () => {
  it('take turns, and so do the lines within them', () => {
    expect(all(linesWith('ax1', 'ax2', 'ax3', 'ay1', 'bx1', 'bx2'))).toEqual([
      'ax1',
      'bx1',
      'ay1',
      'bx2',
      'ax2',
      'ax3',
    ]);
  });

  it('forget who has gone', () => {
    const lines = linesWith('ax1', 'bx1', 'ax2');
    lines.remove(['a', 'x'], 'ax1');
    lines.remove(['a', 'x'], 'ax1');
    lines.remove(['c', 'x'], 'cx1');
    expect([lines.size, lines.sizeOf('a'), all(lines), lines.next()]).toEqual([2, 1, ['ax2', 'bx1'], undefined]);
  });

  it('tell who came last into the longest, unless the own one is as long', () => {
    const lines = linesWith('ax1', 'ax2', 'ay1', 'bx1');
    expect(lines.lastOfLonger(['b', 'x'])).toEqual({ path: ['a', 'x'], one: 'ax2' });
    expect(lines.lastOfLonger(['c', 'x'])?.one).toBe('ax2');
    expect(lines.lastOfLonger(['a', 'z'])).toBeUndefined();
  });
});
