import { useNavigate } from '@tanstack/react-router';

/** Reads a value of the address. What is not of its type is left out. */
type Reader<Value> = (given: unknown) => Value | undefined;

/** A text, such as one that is searched for. */
export const text: Reader<string> = (given) => (given === undefined || given === '' ? undefined : String(given));

/** Something that is or is not. */
export const flag: Reader<boolean> = (given) => (typeof given === 'boolean' ? given : undefined);

/** A time of the reader's clock, such as `2026-01-31T09:00`. */
export const moment: Reader<string> = (given) =>
  typeof given === 'string' && !Number.isNaN(Date.parse(given)) ? given : undefined;

/** One of some values. */
export const oneOf =
  <const Value extends string>(...values: Value[]): Reader<Value> =>
  (given) =>
    values.find((value) => value === given);

/** An order of a list: the field, with a minus in front for the descending one. */
export type Sort<Field extends string> = Field | `-${Field}`;

/** The order of the API for that of the address. */
export const orderOf = <Field extends string>(sort: Sort<Field>) => ({
  field: sort.replace('-', '') as Field,
  direction: sort.startsWith('-') ? ('DESC' as const) : ('ASC' as const),
});

/** Makes the function that reads the state of a screen from its address, so that it can be shared. */
export const address =
  <Shape extends Record<string, Reader<unknown>>>(shape: Shape) =>
  (given: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(shape).map(([key, read]) => [key, read(given[key])])) as {
      [Key in keyof Shape]?: ReturnType<Shape[Key]>;
    };

/** Replaces all values of the present address. */
export function useReplaceAddress(): (search: object) => void {
  const navigate = useNavigate();
  return (search) => navigate({ to: '.', search: search as never });
}

/** Changes values of the present address. */
export function useChange<Search extends object>(): (changes: Partial<Search>) => void {
  const navigate = useNavigate();
  return (changes) =>
    navigate({ to: '.', search: ((before: object) => ({ ...before, ...changes })) as never, replace: true });
}
