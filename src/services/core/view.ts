import type { z } from 'zod';
import type { Context } from './context.js';
import type { Permit } from './ports.js';
import type { Sealer } from './seal.js';
import type { Target } from './target.js';

/** Data for an encoder besides the row: the caller's permit and the target of the operation. */
export interface Seen {
  permit: Permit;
  target: Target;
  /** opens sealed columns */
  open: Sealer['open'];
}

/**
 * One form of a resource: its columns and their conversion to the representation. The encoder's row has the type of
 * exactly that selection. A field that is undefined is left out of the answer. In encoders of long lists, that and
 * Object.assign are fifty times cheaper than spreading objects.
 */
export interface View<Row = never> {
  readonly shape: z.ZodType;
  readonly select: object;
  readonly encode: (row: Row, seen: Seen) => unknown;
  /** adds further data for the encoder to the rows of a page */
  readonly complete?: (ctx: Context, rows: Row[]) => Promise<unknown[]>;
}

/** A view: the shape of an answer, the select that reads it, and the function that encodes it. */
export const view = <Row>(shape: z.ZodType, select: object, encode: (row: Row, seen: Seen) => unknown): View<Row> => ({
  shape,
  select,
  encode,
});

/** Attribute rows as the map of the contract, values in their order. */
export function grouped(rows: readonly { name: string; value: string }[]): Record<string, string[]> {
  // without a prototype, because that has members such as "constructor"
  const result: Record<string, string[]> = Object.create(null);
  for (const { name, value } of rows) {
    const values = result[name];
    if (values) values.push(value);
    else result[name] = [value];
  }
  return result;
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
