/** A line of a comparison: in both texts, or in one of them. */
export interface ComparedLine {
  sign: ' ' | '-' | '+';
  text: string;
}

/** Maximum compared pairs of lines; larger texts are shown as replaced. */
const mostPairs = 4_000_000;

/**
 * Compares two texts line by line, with as few differences as possible. Removed lines come before the lines that
 * replace them.
 */
export function compareLines(before: readonly string[], after: readonly string[]): ComparedLine[] {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const same = (lines: readonly string[]): ComparedLine[] => lines.map((text) => ({ sign: ' ', text }));
  return [
    ...same(before.slice(0, start)),
    ...differences(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ];
}

function differences(before: readonly string[], after: readonly string[]): ComparedLine[] {
  const removed = before.map((text): ComparedLine => ({ sign: '-', text }));
  const added = after.map((text): ComparedLine => ({ sign: '+', text }));
  if (before.length * after.length > mostPairs) return [...removed, ...added];
  const lengths = commonLengths(before, after);
  const lengthAt = (i: number, j: number): number => lengths[i * (after.length + 1) + j] as number;
  const lines: ComparedLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const isCommon = i < before.length && j < after.length && before[i] === after[j];
    if (isCommon) {
      lines.push({ sign: ' ', text: before[i] as string });
      i += 1;
      j += 1;
    } else if (i < before.length && (j === after.length || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      lines.push(removed[i] as ComparedLine);
      i += 1;
    } else {
      lines.push(added[j] as ComparedLine);
      j += 1;
    }
  }
  return lines;
}

/** For each pair of positions, the number of common lines in the rests of both texts. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const at = i * width + j;
      lengths[at] =
        before[i] === after[j]
          ? (lengths[at + width + 1] as number) + 1
          : Math.max(lengths[at + width] as number, lengths[at + 1] as number);
    }
  }
  return lengths;
}
