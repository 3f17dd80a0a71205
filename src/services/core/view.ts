import type { z } from 'zod';
import type { Permit } from './permit.js';
import type { Target } from './target.js';

/** What an encoder may ask besides the row: the caller's permit and what the operation worked on. */
export interface Seen {
  permit: Permit;
  target: Target;
  /** opens sealed columns */
  open(sealed: string): string;
}

/**
 * One form of a resource: the columns that it needs and how they become the representation. The encoder's row is the
 * type of exactly that selection.
 */
export interface View<Row = never> {
  readonly shape: z.ZodType;
  readonly select: object;
  readonly encode: (row: Row, seen: Seen) => unknown;
}

export const view = <Row>(shape: z.ZodType, select: object, encode: (row: Row, seen: Seen) => unknown): View<Row> => ({
  shape,
  select,
  encode,
});

/** Attribute rows as the map of the contract, values in their order. */
export function grouped(rows: readonly { name: string; value: string }[]): Record<string, string[]> {
  // a Map, since a plain object has names of its own such as "constructor"
  const result = new Map<string, string[]>();
  for (const { name, value } of rows) {
    const values = result.get(name);
    if (values) values.push(value);
    else result.set(name, [value]);
  }
  return Object.fromEntries(result);
}

/** An attribute map as rows: a value each, counted per name. */
export const attributeRows = <K extends string>(key: K, id: string, attributes: Record<string, string[]>) =>
  Object.entries(attributes).flatMap(([name, values]) =>
    values.map((value, position) => ({ [key]: id, name, position, value }) as Record<K, string> & AttributeRow),
  );

interface AttributeRow {
  name: string;
  position: number;
  value: string;
}
