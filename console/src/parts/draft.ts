import { useState } from 'react';
import type { UserError } from '../session/graphql.js';

/** What a form has changed: its values, and those that it began with. */
export interface Draft<Values extends object> {
  /** as they were loaded */
  base: Values;
  values: Values;
  version: number;
  isChanged: boolean;
  set<Key extends keyof Values>(key: Key, value: Values[Key]): void;
  /** the values that differ from the base */
  changes(): Partial<Values>;
  /** begins again with what is stored now, and keeps `values` as what is to be saved */
  rebase(base: Values, version: number, values: Values): void;
  reset(): void;
}

/** Whether two values of a form are the same. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The values of `next` that differ from those of `base`. */
export function changesOf<Values extends object>(base: Values, next: Values): Partial<Values> {
  const keys = Object.keys(next) as (keyof Values)[];
  return Object.fromEntries(
    keys.filter((key) => !isSame(base[key], next[key])).map((key) => [key, next[key]]),
  ) as Partial<Values>;
}

/**
 * The draft of a form. A version that was loaded later replaces the base only while nothing is changed: otherwise the conflict is
 * shown when the form is saved.
 */
export function useDraft<Values extends object>(stored: Values, version: number): Draft<Values> {
  const [{ base, values, version: known }, setState] = useState({ base: stored, values: stored, version });
  const isChanged = !isSame(base, values);
  if (!isChanged && (version !== known || !isSame(stored, base))) setState({ base: stored, values: stored, version });
  return {
    base,
    values,
    version: known,
    isChanged,
    set: (key, value) => setState((before) => ({ ...before, values: { ...before.values, [key]: value } })),
    changes: () => changesOf(base, values),
    rebase: (base, version, values) => setState({ base, version, values }),
    reset: () => setState({ base: stored, values: stored, version }),
  };
}

/** The messages of the errors at a field, as an input shows them. */
export function messageFor(errors: UserError[], field: string): string | undefined {
  const messages = errors
    .filter(({ path }) => path?.at(-1) === field || path?.[0] === field)
    .map(({ message }) => message);
  return messages.length > 0 ? messages.join(' ') : undefined;
}
