import { replacing } from '../../services/core/patch.js';
import { builder } from './builder.js';

/** A filter on a text. All its tests have to hold. */
export const StringFilter = builder.inputType('StringFilter', {
  description: 'Tests of a text; all that are given have to hold. Nothing in it is a wildcard.',
  fields: (t) => ({
    equals: t.string({ description: 'The whole text.' }),
    not: t.string({ description: 'Any other text.' }),
    in: t.stringList({ description: 'One of these.' }),
    contains: t.string({ description: 'Somewhere within.' }),
    startsWith: t.string({ description: 'At the start.' }),
    endsWith: t.string({ description: 'At the end.' }),
  }),
});

export const DateTimeFilter = builder.inputType('DateTimeFilter', {
  description: 'Tests of a point in time; all that are given have to hold.',
  fields: (t) => ({
    before: t.field({ type: 'DateTime', description: 'Earlier than this.' }),
    atOrAfter: t.field({ type: 'DateTime', description: 'At this point or later.' }),
  }),
});

export const AttributeFilter = builder.inputType('AttributeFilter', {
  description: 'An attribute that has to be there.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the attribute.' }),
    value: t.field({ type: StringFilter, description: 'Test that one of its values has to pass.' }),
  }),
});

export const OrderDirection = builder.enumType('OrderDirection', {
  description: 'Which end of an order comes first.',
  values: { ASC: { description: 'Smallest first.' }, DESC: { description: 'Largest first.' } },
});

export const AttributeInput = builder.inputType('AttributeInput', {
  description: 'An attribute with all its values.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the attribute.' }),
    values: t.stringList({ required: true, description: 'Its values in order; none removes it.' }),
  }),
});

export const Attribute = builder.objectRef<{ name: string; values: string[] }>('Attribute').implement({
  description: 'An attribute: free data on a user, group, role …',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    values: t.exposeStringList('values', { description: 'Its values in order.' }),
  }),
});

interface StringTests {
  equals?: string | null | undefined;
  not?: string | null | undefined;
  in?: string[] | null | undefined;
  contains?: string | null | undefined;
  startsWith?: string | null | undefined;
  endsWith?: string | null | undefined;
}

/** A text filter as a Prisma filter. `fold` is applied to what is looked for, e.g. lower-casing. */
export function textWhere(tests: StringTests, fold: (text: string) => string = (text) => text) {
  return {
    ...(tests.equals != null && { equals: fold(tests.equals) }),
    ...(tests.not != null && { not: fold(tests.not) }),
    ...(tests.in != null && { in: tests.in.map(fold) }),
    ...(tests.contains != null && { contains: fold(tests.contains) }),
    ...(tests.startsWith != null && { startsWith: fold(tests.startsWith) }),
    ...(tests.endsWith != null && { endsWith: fold(tests.endsWith) }),
  };
}

interface TimeTests {
  before?: Date | null | undefined;
  atOrAfter?: Date | null | undefined;
}

/** A filter on a column of milliseconds. */
export const timeWhere = ({ before, atOrAfter }: TimeTests) => ({
  ...(before && { lt: BigInt(before.getTime()) }),
  ...(atOrAfter && { gte: BigInt(atOrAfter.getTime()) }),
});

/** The test that an attribute is there. */
export const attributeWhere = ({ name, value }: { name: string; value?: StringTests | null | undefined }) => ({
  some: { name, ...(value && { value: textWhere(value) }) },
});

interface Combined<F> {
  and?: F[] | null | undefined;
  or?: F[] | null | undefined;
  not?: F | null | undefined;
}

/** The part of a filter that combines others. An empty `or` matches nothing. */
export const combined = <F extends Combined<F>>(filter: F, toWhere: (filter: F) => object) => ({
  ...(filter.and && { AND: filter.and.map(toWhere) }),
  ...(filter.or && { OR: filter.or.map(toWhere) }),
  ...(filter.not && { NOT: toWhere(filter.not) }),
});

/** Attribute rows in name order as attributes. */
export function asAttributes(rows: readonly { name: string; value: string }[]): { name: string; values: string[] }[] {
  const result: { name: string; values: string[] }[] = [];
  for (const { name, value } of rows) {
    const last = result.at(-1);
    if (last?.name === name) last.values.push(value);
    else result.push({ name, values: [value] });
  }
  return result;
}

/** Attributes of an input as the map of the contract, which replaces the present one. */
export const attributeMap = (attributes: readonly { name: string; values: string[] }[] | null | undefined) =>
  attributes && replacing(Object.fromEntries(attributes.map(({ name, values }) => [name, values])));

/** Named values of an input as the map of the contract, which replaces the present one. */
export const settingMap = <V>(settings: readonly { name: string; value: V }[] | null | undefined) =>
  settings && replacing(Object.fromEntries(settings.map(({ name, value }) => [name, value])));

/** Those of the inputs that are null, which have no field of their own in the contract: a patch refuses them by their names. */
export const nullOf = (inputs: Readonly<Record<string, unknown>>): Record<string, null> =>
  Object.fromEntries(Object.entries(inputs).flatMap(([name, value]) => (value === null ? [[name, null]] : [])));
