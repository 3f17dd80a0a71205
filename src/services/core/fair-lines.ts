/**
 * Waiting items in nested queues that take turns, for example one queue per realm with one queue per address in it. All
 * paths have the same length.
 */
export interface FairLines<T> {
  readonly size: number;
  /** The number of items in the queues whose paths begin with this name. */
  sizeOf(name: string): number;
  /** Puts one at the end of the line with this path. */
  add(path: readonly string[], one: T): void;
  /** Removes and returns the next item. */
  next(): T | undefined;
  /** Removes an item from the queue with this path. */
  remove(path: readonly string[], one: T): void;
  /** The last one of the longest line, if that line is longer than the one with this path. */
  lastOfLonger(path: readonly string[]): { path: readonly string[]; one: T } | undefined;
}

/** Creates empty queues. */
export function fairLines<T>(): FairLines<T> {
  return new Line<T>();
}

class Line<T> implements FairLines<T> {
  size = 0;
  /** the items of the innermost queue */
  readonly #own = new Set<T>();
  /** by the first part of their paths, in the order of their turns */
  readonly #inner = new Map<string, Line<T>>();

  sizeOf(name: string): number {
    return this.#inner.get(name)?.size ?? 0;
  }

  add([name, ...rest]: readonly string[], one: T): void {
    this.size += 1;
    if (name === undefined) {
      this.#own.add(one);
      return;
    }
    const line = this.#inner.get(name) ?? new Line<T>();
    this.#inner.set(name, line);
    line.add(rest, one);
  }

  next(): T | undefined {
    const [turn] = this.#inner;
    if (!turn) {
      const [one] = this.#own;
      if (one !== undefined) this.remove([], one);
      return one;
    }
    const [name, line] = turn;
    const one = line.next();
    this.size -= 1;
    this.#inner.delete(name);
    if (line.size > 0) this.#inner.set(name, line);
    return one;
  }

  remove([name, ...rest]: readonly string[], one: T): void {
    const line = name === undefined ? undefined : this.#inner.get(name);
    const before = line?.size ?? this.#own.size;
    if (line) line.remove(rest, one);
    else this.#own.delete(one);
    this.size -= before - (line?.size ?? this.#own.size);
    if (name !== undefined && line?.size === 0) this.#inner.delete(name);
  }

  lastOfLonger([name]: readonly string[]): { path: readonly string[]; one: T } | undefined {
    const least = name === undefined ? 0 : this.sizeOf(name);
    let longest: [string, Line<T>] | undefined;
    for (const entry of this.#inner) if (entry[1].size > (longest?.[1].size ?? least)) longest = entry;
    return longest?.[1].last([longest[0]]);
  }

  last(path: readonly string[]): { path: readonly string[]; one: T } | undefined {
    const own = [...this.#own].at(-1);
    if (own !== undefined) return { path, one: own };
    const [longest] = [...this.#inner].toSorted(([, a], [, b]) => b.size - a.size);
    return longest?.[1].last([...path, longest[0]]);
  }
}
