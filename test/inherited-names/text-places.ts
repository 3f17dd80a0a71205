import type { Schema } from '../contract/conformance.js';

/** How deep a body is looked into. */
const depth = 4;
const refersTo = '#/components/schemas/';
/** Stands in a path for any member of a map. */
const anyMember = '*';
/** Stands in a path for the name of a member of a map. */
const memberName = '<name>';

/** The paths of all texts in a value of a schema: those of lists with the index 0, and the names in maps. */
export function textPlaces(
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
  path: readonly string[] = [],
): readonly (readonly string[])[] {
  if (path.length > depth) return [];
  const below = (part: Schema, step: string) => textPlaces(part, schemas, [...path, step]);
  const { $ref, anyOf, items, properties = {}, additionalProperties, type } = schema;
  if ($ref !== undefined) return textPlaces(schemas[$ref.slice(refersTo.length)] ?? {}, schemas, path);
  if (anyOf) return anyOf.flatMap((one) => textPlaces(one, schemas, path));
  if (type === 'string') return [path];
  if (type === 'array') return below(items ?? {}, '0');
  const map = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return [
    ...Object.entries(properties).flatMap(([name, part]) => below(part, name)),
    ...(map ? [[...path, memberName], ...below(map, anyMember)] : []),
  ];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A body with a text at a place. */
export function withText(body: unknown, [step, ...rest]: readonly string[], text: string): unknown {
  if (step === undefined) return text;
  if (step === '0') return [withText(Array.isArray(body) ? body[0] : undefined, rest, text)];
  const object = isObject(body) ? body : {};
  if (step === memberName) return { ...object, [text]: Object.values(object)[0] ?? 'a' };
  const name = step === anyMember ? (Object.keys(object)[0] ?? 'a') : step;
  return { ...object, [name]: withText(object[name], rest, text) };
}
