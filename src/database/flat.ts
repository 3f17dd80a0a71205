type Filter = Record<string, unknown>;

/** The parts of a Prisma `where` that have to hold together, each with its key, whatever the nesting of AND. */
export function partsOf(where: unknown): [string, unknown][] {
  return Object.entries((where ?? {}) as Filter).flatMap(([key, value]): [string, unknown][] => {
    if (value === undefined) return [];
    return key === 'AND' ? [value].flat().flatMap(partsOf) : [[key, value]];
  });
}

/** The fields that a `where` ties to one value each. */
export const equalFields = (where: unknown): string[] =>
  partsOf(where)
    .filter(([key, value]) => key !== 'OR' && key !== 'NOT' && value !== null && typeof value !== 'object')
    .map(([key]) => key);

/** What arguments of Prisma's choose: members that are false or empty choose nothing. */
export const chosen = (node: Record<string, unknown>): [string, unknown][] =>
  Object.entries(node).filter(([, value]) => value !== false && value != null);
