import { isObject } from './json.js';
import type { AuditRecord } from './operation.js';

/** A field of an object that a write has changed. Its values are undefined where the field was or is absent. */
export interface Change {
  path: readonly string[];
  before: unknown;
  after: unknown;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The fields that differ between two states of an object, in the order of their names. Objects are gone into; a list is one value. */
export function changesBetween(before: unknown, after: unknown, path: readonly string[] = []): Change[] {
  if (isSame(before, after)) return [];
  if (!isObject(before ?? {}) || !isObject(after ?? {})) return [{ path, before, after }];
  const [old, now] = [before ?? {}, after ?? {}] as [Record<string, unknown>, Record<string, unknown>];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  return names.flatMap((name) => changesBetween(old[name], now[name], [...path, name]));
}

/** What a stored audit record has to tell its changes by. */
interface Stored {
  operationType: string;
  representation: string | null;
  before: string | null;
}

const parsed = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text));

/** The changes that a stored audit record tells of. Undefined where it does not have both states. */
export function storedChanges({ operationType, representation, before }: Stored): Change[] | undefined {
  const [old, now] = [parsed(before), parsed(representation)];
  const isTold = {
    CREATE: isObject(now),
    UPDATE: isObject(old) && isObject(now),
    DELETE: isObject(old),
  }[operationType];
  if (!isTold) return undefined;
  const type = operationType as AuditRecord['operationType'];
  return changesIn({ operationType: type, resourceType: '', resourcePath: '', representation: now, before: old });
}

/** The changes that an audit record tells of: all fields of what was created or deleted, and those that an update was given. */
export function changesIn({ operationType, representation, before }: AuditRecord): Change[] {
  if (operationType === 'DELETE') return isObject(before) ? changesBetween(before, undefined) : [];
  if (!isObject(representation)) return [];
  if (operationType === 'CREATE') return changesBetween(undefined, representation);
  if (!isObject(before)) return [];
  const given = Object.keys(representation).map((name) => [name, before[name]] as const);
  return changesBetween(Object.fromEntries(given), representation);
}
