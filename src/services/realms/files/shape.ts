import { z } from 'zod';
import { RealmRepresentation } from '../representation.js';

/** A part of the JSON schema of RealmRepresentation. */
export interface Shape {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Shape>;
  additionalProperties?: Shape | boolean;
  items?: Shape;
  [keyword: string]: unknown;
}

/** A key of an object or a position in a list. */
export type Step = string | number;

let schema: Shape & { $defs: Record<string, Shape> };

/** The JSON schema of a realm file, with the shapes that it refers to under `$defs`. */
export function realmSchema(): typeof schema {
  // the form after decoding: the further forms that decoders accept have no schema
  schema ??= z.toJSONSchema(RealmRepresentation, { io: 'output', unrepresentable: 'any' }) as typeof schema;
  return schema;
}

/** The name of a shape of the contract, such as `ClientRepresentation`; undefined for an anonymous one. */
export const shapeName = (shape: Shape | undefined): string | undefined => shape?.$ref?.slice('#/$defs/'.length);

/** The shape with its keywords in place of a reference. */
function resolved(shape: Shape | undefined): Shape | undefined {
  const name = shapeName(shape);
  return name === undefined ? shape : realmSchema().$defs[name];
}

/** The shape of a member of an object, or of the items of a list; undefined for a field that the shape does not have. */
export function shapeOf(holder: Shape | undefined, step: Step): Shape | undefined {
  const { properties, additionalProperties, items } = resolved(holder) ?? {};
  if (typeof step === 'number') return items;
  if (properties && Object.hasOwn(properties, step)) return properties[step];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** The fields of an object in the order of its shape; undefined for maps, lists and single values. */
export const fieldsOf = (shape: Shape | undefined): string[] | undefined => {
  const { properties } = resolved(shape) ?? {};
  return properties && Object.keys(properties);
};

/** The shape of a whole realm. */
export const realmShape = (): Shape => ({ $ref: realmSchema().$ref as string });
