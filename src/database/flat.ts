type Filter = Record<string, unknown>;

/** Returns all conditions of a Prisma `where` that are joined by AND, however nested, each with its key. */
export function partsOf(where: unknown): [string, unknown][] {
  return Object.entries((where ?? {}) as Filter).flatMap(([key, value]): [string, unknown][] => {
    if (value === undefined) return [];
    return key === 'AND' ? [value].flat().flatMap(partsOf) : [[key, value]];
  });
}

/** The fields for which a `where` requires exactly one value. */
export const equalFields = (where: unknown): string[] =>
  partsOf(where)
    .filter(([key, value]) => key !== 'OR' && key !== 'NOT' && value !== null && typeof value !== 'object')
    .map(([key]) => key);

/** The selected members of Prisma arguments. Members that are false or empty select nothing. */
export const chosen = (node: Record<string, unknown>): [string, unknown][] =>
  Object.entries(node).filter(([, value]) => value !== false && value != null);
