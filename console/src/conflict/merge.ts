import { isSame } from '../parts/draft.js';

/** What was made of a field by both sides since the base. */
export interface Field {
  key: string;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  /** whether both sides have changed it, and differently */
  isContested: boolean;
}

/** The fields that somebody has changed since the base. */
export function changedFields<Values extends object>(base: Values, mine: Values, theirs: Values): Field[] {
  return (Object.keys(base) as (keyof Values & string)[])
    .filter((key) => !isSame(base[key], mine[key]) || !isSame(base[key], theirs[key]))
    .map((key) => ({
      key,
      base: base[key],
      mine: mine[key],
      theirs: theirs[key],
      isContested: !isSame(base[key], mine[key]) && !isSame(base[key], theirs[key]) && !isSame(mine[key], theirs[key]),
    }));
}

/** All values with the changes of both sides. `keepsMine` decides about contested fields. */
export function merged<Values extends object>(
  base: Values,
  mine: Values,
  theirs: Values,
  keepsMine: (key: string) => boolean,
): Values {
  const changes = changedFields(base, mine, theirs).map(({ key, base, mine, theirs, isContested }) => {
    const takesMine = isContested ? keepsMine(key) : !isSame(base, mine);
    return [key, takesMine ? mine : theirs];
  });
  return { ...theirs, ...Object.fromEntries(changes) };
}
