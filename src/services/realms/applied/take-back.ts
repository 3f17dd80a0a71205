import type { ModelName } from '../../../database/db.js';
import { isObject } from '../../core/json.js';
import { isSame, isSameColumn, type Row, type UpdatedRow, unchanging } from '../desired/delta.js';
import { isDerived } from './derived.js';

/** Restores a value from before an apply. Parts that were changed since stay, and their paths are added to `left`. */
function valueBack(
  now: unknown,
  { before, after }: { before: unknown; after: unknown },
  path: string[],
  left: string[][],
): unknown {
  if (isSame(now, after)) return before;
  if (isSame(now, before)) return now;
  if (!isObject(now) || !isObject(before ?? {}) || !isObject(after ?? {})) {
    left.push(path);
    return now;
  }
  const [old, applied] = [(before ?? {}) as Row, (after ?? {}) as Row];
  const result = { ...now };
  for (const name of new Set([...Object.keys(old), ...Object.keys(applied)])) {
    if (isSame(old[name], applied[name])) continue;
    const value = valueBack(now[name], { before: old[name], after: applied[name] }, [...path, name], left);
    if (value === undefined) delete result[name];
    else result[name] = value;
  }
  return result;
}

/**
 * A row with its values from before an apply, in the columns that only the apply has changed. `left` are the paths of
 * the others.
 */
export function rowBack(
  model: ModelName,
  now: Row,
  { before, after, columns }: UpdatedRow,
): { row: Row; left: string[][] } {
  const row = { ...now };
  const left: string[][] = [];
  for (const name of columns) {
    if (isDerived(model, name) || unchanging[model]?.includes(name)) continue;
    if (isSameColumn(now, after, name)) row[name] = before[name] ?? null;
    else if (!isSameColumn(now, before, name))
      row[name] = valueBack(now[name], { before: before[name], after: after[name] }, [name], left);
  }
  return { row, left };
}

/** A row with these parts of another one; the empty path means the whole row. */
export function withParts(row: Row, other: Row, paths: readonly (readonly string[])[]): Row {
  return paths.reduce((result, path) => withPart(result, other, path), row);
}

function withPart(row: Row, other: Row, [name, ...below]: readonly string[]): Row {
  if (name === undefined) return other;
  const value = other[name];
  if (below.length === 0 || !isObject(value) || !isObject(row[name])) return { ...row, [name]: value };
  return { ...row, [name]: withPart(row[name], value, below) };
}

/** The part of a row at a path; the empty path is all of it. */
export const partAt = (row: Row, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), row);
