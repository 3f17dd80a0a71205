/** Statements that took long on the main thread although no estimate predicted it, by their texts. */
export interface SlowStatements {
  isSlow(sql: string): boolean;
  /** Remembers a statement if it took long, in milliseconds. */
  took(sql: string, duration: number): void;
}

/** Milliseconds that others may have to wait for a statement. */
const longest = 25;
/** Milliseconds for which a statement counts as slow: with other values, or a new index, it can be fast. */
const remembered = 10 * 60 * 1000;
const mostKnown = 500;

/** Starts empty. `now` is in milliseconds. */
export function slowStatements(now: () => number = () => performance.now()): SlowStatements {
  const known = new Map<string, number>();
  return {
    isSlow(sql) {
      const since = known.get(sql);
      if (since === undefined) return false;
      if (now() - since < remembered) return true;
      known.delete(sql);
      return false;
    },
    took(sql, duration) {
      if (duration <= longest) return;
      const [oldest] = known.keys();
      if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest);
      known.set(sql, now());
    },
  };
}
