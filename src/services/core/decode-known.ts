import type { z } from 'zod';
import { decode, type Input } from './shape.js';

/** The part of a value that a shape declares, and the paths of the other fields. */
export interface Known<S extends z.ZodType> {
  input: Input<S>;
  ignored: string[][];
}

/** A file of another version may have unknown fields at this many depths below each other, each of which is looked at again. */
const mostRounds = 10;

/**
 * Decodes the input of another version: fields that the shape does not have are left out, if `isLeftOut` says so of the name of the
 * representation and the field. Throws as `decode`.
 */
export function decodeKnown<S extends z.ZodType>(
  shape: S,
  value: unknown,
  isLeftOut: (representation: string, field: string) => boolean = () => true,
): Known<S> {
  const ignored: string[][] = [];
  let known = value;
  for (let round = 0; round < mostRounds; round += 1) {
    const { success, data, error } = shape.safeParse(known);
    if (success) return { input: data, ignored };
    const unknown = error.issues.flatMap((issue) => {
      const keys = issue.code === 'unrecognized_keys' ? issue.keys.filter((key) => isLeftOut(issue.message, key)) : [];
      return keys.length > 0 ? [{ path: issue.path, keys }] : [];
    });
    if (unknown.length === 0) break;
    // the sender may still need the original value
    if (round === 0) known = structuredClone(value);
    for (const { path, keys } of unknown) {
      const holder = path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)[key], known);
      for (const key of keys) {
        ignored.push([...path.map(String), key]);
        delete (holder as Record<string, unknown>)[key];
      }
    }
  }
  return { input: decode(shape, known), ignored };
}
