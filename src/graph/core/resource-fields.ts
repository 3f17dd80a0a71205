import type { InputFieldMap } from '@pothos/core';
import type { z } from 'zod';
import type { Field, Fields, GraphField } from '../../services/core/fields.js';
import * as shapes from '../../services/core/shape.js';
import { AttributeInput, attributeChangeFields, attributePatch } from './filters.js';
import { type Condition, onOptionalText, onText } from './list-type.js';
import type { InputBuilder } from './setting-types.js';

/** A field that GraphQL has. */
interface ShownField extends Field {
  readonly description: string;
  readonly graph: GraphField;
}

/** Fields of groups are read and written as settings. */
const isShown = (field: Field): field is ShownField =>
  field.graph !== undefined && field.graph.group === undefined && field.description !== undefined;

/** The fields that GraphQL has, with their names in GraphQL and in the contract. */
const shownFields = (fields: Fields) =>
  Object.entries(fields).flatMap(([contractName, field]) =>
    isShown(field) ? [{ field, contractName, name: field.graph.name ?? contractName }] : [],
  );

const scalars: ReadonlyMap<z.ZodType, 'String' | 'Boolean' | 'Int'> = new Map<z.ZodType, 'String' | 'Boolean' | 'Int'>([
  [shapes.shortText, 'String'],
  [shapes.text, 'String'],
  [shapes.flag, 'Boolean'],
  [shapes.plainFlag, 'Boolean'],
  [shapes.int, 'Int'],
  [shapes.count, 'Int'],
]);

/** The GraphQL type of a field. Throws for a shape without one. */
function scalarOf({ shape, graph }: Field): 'String' | 'Boolean' | 'Int' {
  const type = graph?.type ?? scalars.get(shape);
  if (!type) throw new Error('The shape of the field has no type in GraphQL');
  return type;
}

const isAttributes = ({ shape }: Field): boolean => shape === shapes.listmap;

type Row = Readonly<Record<string, unknown>>;

/** The options of a field of an object type. */
interface ShownOptions {
  type: 'String';
  nullable: boolean;
  description: string;
  select: Record<string, true>;
  resolve: (row: object) => string;
}

/** The stored fields of an object type, each made by `make`. An empty text counts as null, as the contract stores both. */
export const typeFields = <R>(fields: Fields, make: (options: ShownOptions) => R): Record<string, R> =>
  Object.fromEntries(
    shownFields(fields).flatMap(({ field, contractName, name }) => {
      if (!field.isStored) return [];
      const { description, isNullable = false } = field;
      const resolve = (row: object) => {
        const value = (row as Row)[contractName];
        return (isNullable ? value || null : value) as string;
      };
      const type = scalarOf(field) as 'String';
      return [[name, make({ type, nullable: isNullable, description, select: { [contractName]: true }, resolve })]];
    }),
  );

/** The input fields of a creation. */
export function creationInputs(t: InputBuilder, fields: Fields): object {
  const inputs: InputFieldMap = {};
  for (const { field, name } of shownFields(fields)) {
    const { description, graph } = field;
    if (graph.inputs === 'none') continue;
    inputs[name] = isAttributes(field)
      ? t.field({ type: [AttributeInput], description })
      : t.field({ type: scalarOf(field) as 'String', required: graph.isRequired === true, description });
  }
  return inputs;
}

/** The input fields of an update. */
export function updateInputs(t: InputBuilder, fields: Fields): object {
  const inputs: InputFieldMap = {};
  for (const { field, name } of shownFields(fields)) {
    const { description, graph } = field;
    if (graph.inputs !== undefined) continue;
    if (isAttributes(field)) {
      inputs[name] = t.field({ type: [AttributeInput], description: `${description} They replace all present ones.` });
      Object.assign(inputs, attributeChangeFields(t));
    } else inputs[name] = t.field({ type: scalarOf(field) as 'String', description });
  }
  return inputs;
}

/** The values of an input in the form of the contract. */
export function contractInput(fields: Fields, input: object): object {
  const given: Row = { ...input };
  const values: Record<string, unknown> = {};
  for (const { field, contractName, name } of shownFields(fields)) {
    if (isAttributes(field)) Object.assign(values, attributePatch(given));
    else if (field.graph.inputs !== 'none') values[contractName] = given[name];
  }
  return values;
}

/** The conditions of a filter on fields. */
export const fieldConditions = (fields: Fields): Record<string, Condition> =>
  Object.fromEntries(
    shownFields(fields).flatMap(({ field, contractName, name }) => {
      if (!field.graph.isFiltered) return [];
      const condition = field.isNullable ? onOptionalText : onText;
      return [[name, condition(contractName, `Condition on \`${name}\`. Case-sensitive.`)]];
    }),
  );

/** The orders of lists by fields. */
export const fieldOrders = (fields: Fields) =>
  Object.fromEntries(
    shownFields(fields).flatMap(({ field, contractName, name }) => {
      if (!field.graph.isOrdered) return [];
      const order = { path: contractName, description: `Order by \`${name}\`.` };
      const constant = name.replace(/[A-Z]/g, '_$&').toUpperCase();
      return [[constant, field.isNullable ? { ...order, isNullable: true as const } : order]];
    }),
  );

/** The names of input fields, by their contract names. */
export const inputNames = (fields: Fields): Record<string, string> =>
  Object.fromEntries(shownFields(fields).map(({ contractName, name }) => [contractName, name]));
