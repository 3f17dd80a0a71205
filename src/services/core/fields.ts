import type { z } from 'zod';
import { described } from './shape.js';

/** A field of a resource, as the table of its area (`fields.ts`) declares it. REST, GraphQL, imports, and exports follow the table. */
export interface Field {
  /** the value in the contract */
  readonly shape: z.ZodType;
  /** whether a column with the same name stores it */
  readonly isStored?: true;
  /** whether the column can be null. Answers leave the field out then. */
  readonly isNullable?: true;
  /**
   * initial value of a new object if none is given. Null for a nullable field; otherwise the creation determines the
   * value.
   */
  readonly initial?: unknown;
  /** whether updates leave the column alone, or write it by code of their own */
  readonly isFixed?: true;
  /** whether PUT without the field resets it, as the contract does for some. Otherwise the field keeps its value. */
  readonly isReplaced?: true;
  /** description in the OpenAPI document and in GraphQL */
  readonly description?: string;
  /** the field in GraphQL, if it has one */
  readonly graph?: GraphField;
}

/** A field in GraphQL. It is in the type of the resource and in the inputs of creation, update, and batches. */
export interface GraphField {
  /** name, if it differs from the name in the contract */
  readonly name?: string;
  /** type, if it does not follow from the shape */
  readonly type?: 'String';
  /** group that has the field, if fields of the type are grouped: `general` for settings of the object */
  readonly group?: string;
  /** unit of a number of a group */
  readonly kind?: 'seconds' | 'instant';
  /** number in the contract that stands for null */
  readonly none?: number;
  /** inputs that have the field; default: all */
  readonly inputs?: 'creation' | 'none';
  /** whether a creation requires it */
  readonly isRequired?: true;
  /** whether lists can be filtered by it */
  readonly isFiltered?: true;
  /** whether lists can be ordered by it */
  readonly isOrdered?: true;
}

export type Fields = Readonly<Record<string, Field>>;

/** The names of the fields that are declared with all of some properties. */
type NamesWith<F, Properties> = { [K in keyof F]: F[K] extends Properties ? K : never }[keyof F] & string;
type Stored<F> = NamesWith<F, { isStored: true }>;
/** Fields that are optional in a creation. */
type Optional<F> = Stored<F> & (NamesWith<F, { isNullable: true }> | NamesWith<F, { initial: unknown }>);
type Value<D> = D extends { shape: z.ZodType<infer V> } ? V : never;
type ColumnValue<D> = Value<D> | (D extends { isNullable: true } ? null : never);

/** The columns that store fields. */
export type StoredColumns<F> = { [K in Stored<F>]: ColumnValue<F[K]> };
/** The columns of a new row that follow from its fields. */
type NewColumns<F> = { [K in Optional<F>]: F[K] extends { initial: unknown } ? Value<F[K]> : ColumnValue<F[K]> };
/** Stored fields of an input. */
export type Given<F> = { [K in Stored<F>]?: ColumnValue<F[K]> | undefined };

const entriesOf = (fields: Fields, isWanted: (field: Field) => boolean) =>
  Object.entries(fields).filter(([, field]) => isWanted(field));

/** Computes a value once for each table: imports ask for it with every row. */
function onceByTable<T>(make: (fields: Fields) => T): (fields: Fields) => T {
  const made = new WeakMap<Fields, T>();
  return (fields) => {
    const known = made.get(fields) ?? make(fields);
    made.set(fields, known);
    return known;
  };
}

const isStored = (field: Field): boolean => field.isStored === true;
const initialOf = ({ initial = null }: Field): unknown => initial;

/** The stored fields that a creation need not be given. */
const optionalEntries = onceByTable((fields) =>
  entriesOf(fields, (field) => isStored(field) && (field.isNullable || field.initial !== undefined)),
);
/** The stored fields that PUT writes. */
const changingEntries = onceByTable((fields) => entriesOf(fields, (field) => isStored(field) && !field.isFixed));

/** The shapes of the fields with their descriptions, for `representation`. */
export const shapesOf = <F extends Fields>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { shape, description }]) => [
      name,
      description ? described(shape, description) : shape,
    ]),
  ) as { [K in keyof F]: F[K]['shape'] };

/** A select of the columns that store the fields. */
export const selectStored = <F extends Fields>(fields: F) =>
  Object.fromEntries(entriesOf(fields, isStored).map(([name]) => [name, true])) as { readonly [K in Stored<F>]: true };

/** An encoder of the stored fields of a row. Null becomes undefined, which answers leave out. */
export function storedEncoder<F extends Fields>(fields: F) {
  const names = entriesOf(fields, isStored).map(([name]) => name);
  return (row: Readonly<Record<Stored<F>, unknown>>) => {
    const columns: Readonly<Record<string, unknown>> = row;
    const encoded: Record<string, unknown> = {};
    for (const name of names) encoded[name] = columns[name] ?? undefined;
    return encoded as { [K in Stored<F>]: Value<F[K]> | (F[K] extends { isNullable: true } ? undefined : never) };
  };
}

/** The columns of a new row: the values of the input, and the initial values of the fields that it leaves out. */
export function newColumns<F extends Fields>(fields: F, input: Given<F>): NewColumns<F> {
  const given: Readonly<Record<string, unknown>> = input;
  const columns: Record<string, unknown> = {};
  for (const [name, field] of optionalEntries(fields)) columns[name] = given[name] ?? initialOf(field);
  return columns as NewColumns<F>;
}

/** The columns that PUT writes: the values of the input, and the initial values of replaced fields that it leaves out. */
export function replacedColumns<F extends Fields>(fields: F, input: Given<F>): Partial<StoredColumns<F>> {
  const given: Readonly<Record<string, unknown>> = input;
  const columns: Record<string, unknown> = {};
  for (const [name, field] of changingEntries(fields)) {
    if (given[name] !== undefined) columns[name] = given[name];
    else if (field.isReplaced) columns[name] = initialOf(field);
  }
  return columns as Partial<StoredColumns<F>>;
}

/**
 * The fields that a merge patch can clear with null, with the values by which PUT clears them, for `patchOf`. A nullable field with
 * an initial value cannot be cleared.
 */
export const clearable = (fields: Fields): Readonly<Record<string, '' | undefined>> =>
  Object.fromEntries(
    entriesOf(fields, ({ isNullable, initial }) => isNullable === true && initial === undefined).map(
      ([name, { isReplaced }]) => [name, isReplaced ? undefined : ''],
    ),
  );
