import { limit } from '../../config/limits.js';
import { isObject } from '../core/json.js';
import { claimLevels } from '../tokens/claims.js';
import { UpstreamFailure } from './provider-context.js';

/** The value at a path of a JSON value, in which `[0]` or a number counts in lists; undefined if there is none. Names are those of own properties only. */
export function valueAt(value: unknown, path: string): unknown {
  let current = value;
  for (const part of claimLevels(path.replace(/\[(\d+)\]/g, '.$1'))) {
    if (Array.isArray(current)) current = /^\d+$/.test(part) ? current[Number(part)] : undefined;
    else current = isObject(current) && Object.hasOwn(current, part) ? current[part] : undefined;
    if (current === undefined || current === null) return undefined;
  }
  return current;
}

/** The first value at a path among several sets of claims. */
export function firstValueAt(sets: readonly unknown[], path: string): unknown {
  for (const set of sets) {
    const value = valueAt(set, path);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Characters that not every database stores, as JSON writes them: NUL, and halves of surrogate pairs. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** Whether every database can store the texts of a value; `json` is the value as `JSON.stringify` writes it. */
const isStorable = (json: string): boolean => !unstorable.test(json);

const mostClaims = limit(
  'Logins and tokens',
  'What an identity provider says of a user, all claims together',
  65_536,
  'characters',
  'the login is refused',
);

/** Refuses claims that are too long or that not every database can store. Throws `UpstreamFailure`. */
export function requireStorable(claims: readonly unknown[]): void {
  const text = JSON.stringify(claims);
  if (text.length > mostClaims) throw new UpstreamFailure('the provider says too much of the user');
  if (!isStorable(text)) throw new UpstreamFailure('the provider sends characters that cannot be stored');
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** A value of a claim as texts: each entry of a list, otherwise the value itself. Empty if there is none. */
export const textsOfClaim = (value: unknown): string[] =>
  value === undefined || value === null ? [] : [value].flat().map(textOf);
