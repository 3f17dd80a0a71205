import { type GraphQLInputType, getNamedType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import type { z } from 'zod';
import { numbered } from './large.js';
import { fieldsOf } from './shape-fields.js';

/** A filter with so many texts to look for, if it looks into texts. */
export function filterOf(type: GraphQLInputType, count: number): object | undefined {
  const filter = getNamedType(type);
  if (!isInputObjectType(filter)) return undefined;
  const texts = Object.values(filter.getFields()).filter((field) => {
    const inner = getNamedType(field.type);
    return isInputObjectType(inner) && 'contains' in inner.getFields();
  });
  if (texts.length === 0) return undefined;
  return { or: numbered(count, (at) => ({ [texts[at % texts.length]?.name ?? '']: { contains: `nobody ${at}` } })) };
}

/** A type without `!`. */
export const bare = (type: GraphQLInputType): GraphQLInputType => (isNonNullType(type) ? type.ofType : type);
/** Characters of a text, and entries of a list, in a body that is nearly as large as one may be. */
const longest = 800_000;
const mostEntries = 9000;
/** Most objects of any list, and of a batch: one that has more is refused. */
const mostObjects = [1500, 1000];

/** Large values of a type. `item` makes the item of a list at an index. */
export function largest(type: GraphQLInputType, item: (at: number) => unknown): unknown[] {
  const inner = bare(type);
  if (isListType(inner)) {
    const isText = getNamedType(inner).name === 'String';
    const isObject = isInputObjectType(getNamedType(inner)) || getNamedType(inner).name === 'ID';
    const counts = isObject ? mostObjects : [mostEntries];
    return counts.map((most) => numbered(most, (at) => (isText ? `v${at}` : item(at))));
  }
  if (getNamedType(inner).name === 'JSON') return [Object.fromEntries(numbered(mostEntries, (at) => [`k${at}`, 'v']))];
  return getNamedType(inner).name === 'String' ? ['x'.repeat(longest), '*a'.repeat(longest / 2)] : [];
}

/** Bodies of JSON of at most so many characters, with much in each of the fields of a shape in turn; for a list with many entries. */
export function largestBodies(shape: z.ZodType | undefined, room: number): string[] {
  const left = room - 100;
  const size = (perEntry: number): number => Math.floor(left / perEntry);
  const values = [
    'x'.repeat(left),
    '*a'.repeat(size(2)),
    numbered(size(8), (at) => `v${at}`),
    numbered(size(3), () => ({})),
    numbered(size(17), (at) => ({ name: `v${at}` })),
    Object.fromEntries(numbered(size(12), (at) => [`k${at}`, 'v'])),
  ];
  const names = Object.keys(fieldsOf(shape));
  const bodies = names.length === 0 ? values : names.flatMap((name) => values.map((value) => ({ [name]: value })));
  return bodies.map((body) => JSON.stringify(body));
}
