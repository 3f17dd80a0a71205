/** Sections of docs/limits.md, in their order. */
export const limitAreas = [
  'Requests',
  'Texts, lists, and maps',
  'Objects',
  'GraphQL',
  'Searches and pages',
  'SCIM',
  'Logins and tokens',
  'Authorization services',
  'Keys and files',
] as const;

/** A limit of what callers send or ask for, as docs/limits.md lists it. */
export interface Limit {
  area: (typeof limitAreas)[number];
  what: string;
  most: number;
  /** what is counted */
  unit: string;
  /** what happens beyond it */
  beyond: string;
}

const declared: Limit[] = [];

/** Every limit that the loaded modules declare. */
export const declaredLimits = (): readonly Limit[] => declared;

/**
 * Declares a limit where it applies, and returns its number. `what` is the start of a row in docs/limits.md; `beyond` tells what happens
 * to more than that. Throws if the table has the row already.
 */
export function limit(area: Limit['area'], what: string, most: number, unit: string, beyond = '400'): number {
  if (declared.some((one) => one.area === area && one.what === what))
    throw new Error(`There are two limits with the name "${what}"`);
  declared.push({ area, what, most, unit, beyond });
  return most;
}
