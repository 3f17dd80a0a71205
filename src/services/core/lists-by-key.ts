/** Groups the values of pairs by key. Keys and values keep their order. */
export function listsByKey<K, V>(pairs: Iterable<readonly [K, V]>): Map<K, V[]> {
  const lists = new Map<K, V[]>();
  for (const [key, value] of pairs) {
    const list = lists.get(key);
    if (list) list.push(value);
    else lists.set(key, [value]);
  }
  return lists;
}
