import type { z } from 'zod';
import { type Context, loader } from './context.js';
import { type Place, placedPath } from './long-lists.js';
import { decodeKnown, type Input } from './shape.js';

const most = 100;
/** Characters of a path that are shown. */
const longest = 200;

/** The fields that a request had and this version does not know: the first of them, and how many there were. */
export interface IgnoredFields {
  paths: string[];
  count: number;
}

/** The ignored fields of a request. */
export const ignoredFields = (ctx: Context): IgnoredFields =>
  loader(ctx, 'ignored fields', () => ({ paths: [], count: 0 }));

/** Decodes a part of a file of any version; what this version does not know is remembered, at its place, for the answer and the log. */
export function decodeAnyVersion<S extends z.ZodType>(
  ctx: Context,
  shape: S,
  value: unknown,
  place: Place = (path) => path,
): Input<S> {
  const { input, ignored } = decodeKnown(shape, value);
  const fields = ignoredFields(ctx);
  fields.count += ignored.length;
  const shown = ignored.slice(0, Math.max(0, most - fields.paths.length));
  fields.paths.push(...shown.map((path) => placedPath(path, place).join('.').slice(0, longest)));
  return input;
}
