import { useState } from 'react';
import type { FieldValues } from './fields.js';

/** Whether two values of a form are the same. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

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
