/** Tracks the change rows that have been read. PostgreSQL's rows do not become visible in the order of their seq. */
export interface Seen {
  /** Marks these rows, in the order of their seq, as read; the missing numbers between them may still appear. */
  begin(seqs: readonly number[]): void;
  /** The row with this number was read at a time in milliseconds. */
  add(seq: number, at: number): void;
  /** The unread numbers: all after `last`, and `gaps`. */
  next(at: number): { last: number; gaps: number[] };
}

/**
 * How long a number can be missing, in milliseconds: the maximum duration of a transaction. After that it was rolled
 * back.
 */
const longest = 3 * 60 * 1000;
/**
 * After a larger gap, only its last `mostGaps` numbers are waited for, and `mostBefore` if there is no row before it.
 */
const mostGaps = 10_000;
const mostBefore = 1000;

/** An empty record of rows. */
export function createSeen(): Seen {
  let last = 0;
  /** when each missing number was noticed, oldest first */
  const gaps = new Map<number, number>();

  const add = (seq: number, at: number): void => {
    gaps.delete(seq);
    if (seq <= last) return;
    for (let missing = Math.max(last + 1, seq - (last === 0 ? mostBefore : mostGaps)); missing < seq; missing += 1)
      gaps.set(missing, at);
    last = seq;
  };
  return {
    add,
    begin(seqs) {
      const [first] = seqs;
      last = first === undefined ? 0 : first - 1;
      for (const seq of seqs) add(seq, Date.now());
    },
    next(at) {
      for (const [seq, noticed] of gaps) {
        if (at - noticed <= longest && gaps.size <= mostGaps) break;
        gaps.delete(seq);
      }
      return { last, gaps: [...gaps.keys()] };
    },
  };
}
