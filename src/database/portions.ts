/** Splits a list into portions of at most `most` items, in order. An empty list has no portions. */
export const portionsOf = <T>(list: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / most) }, (_, at) => list.slice(at * most, (at + 1) * most));
