import { isObject } from '../../services/core/json.js';
import { type EditedList, editedList, refusedPart, replacing } from '../../services/core/patch.js';
import { invalid } from '../../services/core/refusal.js';
import { builder } from './builder.js';

type Fields = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

const textFields = (t: Fields) => ({
  equals: t.string({ description: 'Matches exactly this text.' }),
  not: t.string({ description: 'Matches unless the text is exactly this one, like `not` around `equals`.' }),
  in: t.stringList({ description: 'Matches each of these texts.' }),
  contains: t.string({ description: 'Matches texts that contain this text.' }),
  startsWith: t.string({ description: 'Matches texts that start with this text.' }),
  endsWith: t.string({ description: 'Matches texts that end with this text.' }),
});

/** A filter on a text. All its tests must match. */
export const StringFilter = builder.inputType('StringFilter', {
  description: 'Conditions on a text. All given conditions must match. Wildcards are not supported.',
  fields: textFields,
});

/** A filter on a text that can be missing. */
export const NullableStringFilter = builder.inputType('NullableStringFilter', {
  description:
    'Conditions on a text that can be missing. All given conditions must match. An item without a text matches `not` and `isNull: true`, and no other condition.',
  fields: (t) => ({
    ...textFields(t),
    isNull: t.boolean({ description: 'Matches items without (true) or with (false) a text.' }),
  }),
});

export const DateTimeFilter = builder.inputType('DateTimeFilter', {
  description: 'Conditions on a time. All given conditions must match.',
  fields: (t) => ({
    before: t.field({ type: 'DateTime', description: 'Matches times earlier than this one.' }),
    atOrAfter: t.field({ type: 'DateTime', description: 'Matches this time and later ones.' }),
  }),
});

export const AttributeFilter = builder.inputType('AttributeFilter', {
  description: 'Matches objects that have an attribute.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the attribute.' }),
    value: t.field({
      type: StringFilter,
      description: 'Condition that at least one value of the attribute must match. Omit for any value.',
    }),
  }),
});

export const OrderDirection = builder.enumType('OrderDirection', {
  description: 'Direction of an order.',
  values: { ASC: { description: 'Ascending: smallest first.' }, DESC: { description: 'Descending: largest first.' } },
});

export const AttributeInput = builder.inputType('AttributeInput', {
  description: 'An attribute with all its values.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the attribute.' }),
    values: t.stringList({
      required: true,
      description: 'Values of the attribute, in order. An empty list removes the attribute.',
    }),
  }),
});

export const Attribute = builder.objectRef<{ name: string; values: string[] }>('Attribute').implement({
  description: 'A custom attribute of a user, group, or role.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the attribute.' }),
    values: t.exposeStringList('values', { description: 'Values of the attribute, in order.' }),
  }),
});

export interface StringTests {
  equals?: string | null | undefined;
  not?: string | null | undefined;
  in?: string[] | null | undefined;
  contains?: string | null | undefined;
  startsWith?: string | null | undefined;
  endsWith?: string | null | undefined;
  isNull?: boolean | null | undefined;
}

/** A Prisma filter for a text that is never null. `fold` is applied to the texts of the filter, e.g. lower-casing. */
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

/** A filter on a column that is never null. */
export const textTests = (column: string, tests: StringTests, fold?: (text: string) => string): object => ({
  [column]: textWhere(tests, fold),
});

/**
 * A filter on a nullable column. An empty text counts as null, as in answers. A row without a text differs from every
 * text, so it passes `not`.
 */
export function optionalTextTests(
  column: string,
  { not, isNull, ...others }: StringTests,
  fold?: (text: string) => string,
): object {
  const hasText = { AND: [{ [column]: { not: null } }, { [column]: { not: '' } }] };
  const where = textWhere(others, fold);
  return {
    AND: [
      ...(isNull == null ? [] : [isNull ? { NOT: hasText } : hasText]),
      ...(not == null ? [] : [{ NOT: { [column]: textWhere({ equals: not }, fold) } }]),
      ...(Object.values(where).flat().includes('') ? [hasText] : []),
      { [column]: where },
    ],
  };
}

/** Refuses null within a filter: it would match everything. */
export function requireNoNull(filter: unknown, path = 'filter'): void {
  if (Array.isArray(filter)) filter.forEach((one, at) => void requireNoNull(one, `${path}.${at}`));
  if (!isObject(filter) || filter instanceof Date) return;
  for (const [name, value] of Object.entries(filter)) {
    if (value === null)
      throw invalid(`\`${path}.${name}\` must not be null: omit it to match everything`, `${path}.${name}`);
    requireNoNull(value, `${path}.${name}`);
  }
}

export interface TimeTests {
  before?: Date | null | undefined;
  atOrAfter?: Date | null | undefined;
}

/** A filter on a column of milliseconds. */
export const timeWhere = ({ before, atOrAfter }: TimeTests) => ({
  ...(before && { lt: BigInt(before.getTime()) }),
  ...(atOrAfter && { gte: BigInt(atOrAfter.getTime()) }),
});

/** A filter on a column of seconds, in which the part of a second is lost. */
export const secondsWhere = ({ before, atOrAfter }: TimeTests) => ({
  ...(before && { lt: Math.ceil(before.getTime() / 1000) }),
  ...(atOrAfter && { gte: Math.ceil(atOrAfter.getTime() / 1000) }),
});

/** A filter for an attribute that exists, with tests of its value. */
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

interface AttributeChanges {
  attributes?: readonly { name: string; values: string[] }[] | null | undefined;
  setAttributes?: readonly { name: string; values: string[] }[] | null | undefined;
  removeAttributes?: readonly string[] | null | undefined;
}

/** The inputs of an update that change some attributes and leave the others. */
export const attributeChangeFields = (t: Fields) => ({
  setAttributes: t.field({ type: [AttributeInput], description: 'Attributes to set. The others keep their values.' }),
  removeAttributes: t.stringList({ description: 'Names of attributes to remove. The others keep their values.' }),
});

/** The refusal of a whole value that is given together with its parts. */
function eitherOf(whole: string, parts: object): object {
  const names = Object.keys(parts).map((name) => `\`${name}\``);
  return refusedPart([invalid(`Give either \`${whole}\`, or ${names.join(' and ')}`, whole)]);
}

/** The attributes of an update as the patch of the contract: all are replaced, or some are set and removed. */
export function attributePatch({ attributes, setAttributes, removeAttributes }: AttributeChanges): object {
  const changes = { setAttributes, removeAttributes };
  if (setAttributes === undefined && removeAttributes === undefined) return { attributes: attributeMap(attributes) };
  if (attributes !== undefined) return { ...nullOf(changes), attributes: eitherOf('attributes', changes) };
  const removed = (removeAttributes ?? []).map((name) => [name, null] as const);
  const set = (setAttributes ?? []).map(({ name, values }) => [name, values] as const);
  return { ...nullOf(changes), attributes: Object.fromEntries([...removed, ...set]) };
}

/** A list of an update as the patch of the contract: all of it is replaced, or entries are added and removed. */
export function listPatch(
  names: { all: string; add: string; remove: string },
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string[] | EditedList | object | null | undefined>> {
  const [all, add, remove] = [names.all, names.add, names.remove].map(
    (name) => given[name] as string[] | null | undefined,
  );
  if (add === undefined && remove === undefined) return { [names.all]: all };
  const changes = { [names.add]: add, [names.remove]: remove };
  if (all !== undefined) return { ...nullOf(changes), [names.all]: eitherOf(names.all, changes) };
  return { ...nullOf(changes), [names.all]: editedList({ add: add ?? [], remove: remove ?? [] }) };
}

/** Named values of an input as the map of the contract, which replaces the present one. */
export const settingMap = <V>(settings: readonly { name: string; value: V }[] | null | undefined) =>
  settings && replacing(Object.fromEntries(settings.map(({ name, value }) => [name, value])));

/** Returns the null inputs. They have no fields of their own in the contract: a patch refuses them by their names. */
export const nullOf = (inputs: Readonly<Record<string, unknown>>): Record<string, null> =>
  Object.fromEntries(Object.entries(inputs).flatMap(([name, value]) => (value === null ? [[name, null]] : [])));
