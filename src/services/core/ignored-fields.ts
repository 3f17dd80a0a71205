import type { z } from 'zod';
import { type Context, loader } from './context.js';
import { decodeKnown } from './decode-known.js';
import { type Place, placedPath } from './long-lists.js';
import { isNewerField } from './newer-fields.js';
import { findSettingsWithoutEffect } from './settings-without-effect.js';
import { type Input, shapeName } from './shape.js';

const most = 100;
/** Characters of a path that are shown. */
const longest = 200;

/**
 * The fields of a request that this version does not support, or that have no effect: the first of them, and their
 * number.
 */
export interface IgnoredFields {
  paths: string[];
  count: number;
  /** sentences about the settings without effect among them */
  warnings: string[];
}

/** The ignored fields of a request. */
export const ignoredFields = (ctx: Context): IgnoredFields =>
  loader(ctx, 'ignored fields', () => ({ paths: [], count: 0, warnings: [] }));

/**
 * Decodes a part of a file of any version. Fields that this version does not support are remembered with their place,
 * for the answer and the log.
 */
export function decodeAnyVersion<S extends z.ZodType>(
  ctx: Context,
  shape: S,
  value: unknown,
  place: Place = (path) => path,
): Input<S> {
  const { input, ignored } = decodeKnown(shape, value);
  remember(ignoredFields(ctx), ignored, place);
  return input;
}

/** Decodes a request. Fields of newer versions that mean nothing here are left out and remembered for the answer. */
export function decodeNewer<S extends z.ZodType>(
  ctx: Context,
  shape: S,
  value: unknown,
  place: Place = (path) => path,
): Input<S> {
  const { input, ignored } = decodeKnown(shape, value, isNewerField);
  remember(ignoredFields(ctx), ignored, place);
  return input;
}

/** Remembers parts of a request that have no effect, for the answer. */
export const noteIgnored = (ctx: Context, paths: readonly string[][]): void => {
  remember(ignoredFields(ctx), paths);
};

function remember(fields: IgnoredFields, ignored: readonly string[][], place: Place = (path) => path): string[] {
  fields.count += ignored.length;
  const shown = ignored
    .slice(0, Math.max(0, most - fields.paths.length))
    .map((path) => placedPath(path, place).join('.').slice(0, longest));
  fields.paths.push(...shown);
  return shown;
}

/** Remembers the settings without effect in the input of a write, for the answer. */
export function noteSettingsWithoutEffect(ctx: Context, shape: z.ZodType, input: unknown): void {
  const found = findSettingsWithoutEffect(shapeName(shape) ?? '', input);
  if (found.length === 0) return;
  const fields = ignoredFields(ctx);
  const shown = remember(
    fields,
    found.map(({ path }) => path),
  );
  fields.warnings.push(...shown.map((path, at) => `\`${path}\` has no effect. ${found[at]?.reason}`));
}
