import { useState } from 'react';
import type { FieldValues } from './fields.js';
import { useUnsaved } from './unsaved.js';

/** Whether two values of a form are the same. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The values of `next` that differ from those of `base`. */
export const changesOf = (base: FieldValues, next: FieldValues): FieldValues =>
  Object.fromEntries(Object.entries(next).filter(([key, value]) => !isSame(base[key], value)));

/**
 * What a form has changed: its values, and those that it began with. A version that was loaded later replaces the base only while
 * nothing is changed: otherwise the conflict is shown when the form is saved.
 */
export function useDraft<Values extends FieldValues>(stored: Values, version: number) {
  const [{ base, values, version: known }, setState] = useState({ base: stored, values: stored, version });
  const isChanged = !isSame(base, values);
  useUnsaved(isChanged);
  if (!isChanged && (version !== known || !isSame(stored, base))) setState({ base: stored, values: stored, version });
  return {
    /** as they were loaded */
    base,
    values,
    version: known,
    isChanged,
    set: <Key extends keyof Values>(key: Key, value: Values[Key]) =>
      setState((before) => ({ ...before, values: { ...before.values, [key]: value } })),
    /** begins again with what is stored now, and keeps `values` as what is to be saved */
    rebase: (base: Values, version: number, values: Values) => setState({ base, version, values }),
    reset: () => setState({ base: stored, values: stored, version }),
  };
}

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
