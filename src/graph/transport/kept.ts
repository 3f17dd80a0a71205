/** A cache of limited size. The least recently used value is dropped first. */
export interface Kept<V> {
  get(key: string): V | undefined;
  keep(key: string, value: V): void;
}

/** Makes an empty cache for this maximum of entries and of characters in all of them. */
export function createKept<V>(entries: number, characters: number, sizeOf: (key: string, value: V) => number): Kept<V> {
  const kept = new Map<string, V>();
  let size = 0;
  const drop = (key: string): void => {
    const value = kept.get(key);
    if (value === undefined) return;
    kept.delete(key);
    size -= sizeOf(key, value);
  };
  return {
    get(key) {
      const value = kept.get(key);
      if (value === undefined) return undefined;
      kept.delete(key);
      kept.set(key, value);
      return value;
    },
    keep(key, value) {
      drop(key);
      kept.set(key, value);
      size += sizeOf(key, value);
      for (const oldest of kept.keys()) {
        if (kept.size <= entries && size <= characters) break;
        drop(oldest);
      }
    },
  };
}
