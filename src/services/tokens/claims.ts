/** The claims of a token while it is being written. */
export type Claims = Record<string, unknown>;

/** A time or another number among the claims; 0 where there is none. */
export const numberOfClaim = (claims: Claims, name: string): number =>
  typeof claims[name] === 'number' ? (claims[name] as number) : 0;

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** The levels that the name of a claim has: dots separate them, a dot after a backslash belongs to the name. */
export const claimLevels = (name: string): string[] =>
  name.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'));

/** The path that a mapper's claim name stands for. Nothing for a name that cannot be used. */
export function claimPath(name: string): string[] {
  const path = claimLevels(name).filter((part) => part !== '');
  return path.some((part) => forbidden.has(part)) ? [] : path;
}

/** Writes a claim at its path. A list joins a list that is there already; what is no object on the way is replaced. */
export function putClaim(claims: Claims, path: readonly string[], value: unknown): void {
  const last = path.at(-1);
  if (last === undefined || value === undefined) return;
  let place = claims;
  for (const part of path.slice(0, -1)) {
    const next = place[part];
    const inner: Claims = typeof next === 'object' && next !== null && !Array.isArray(next) ? (next as Claims) : {};
    place[part] = inner;
    place = inner;
  }
  const present = place[last];
  place[last] = Array.isArray(present) && Array.isArray(value) ? [...new Set([...present, ...value])] : value;
}

/** Adds an audience (RFC 7519 section 4.1.3): one is a text, several are a list. */
export function addAudience(claims: Claims, audience: string): void {
  const present = claims.aud === undefined ? [] : [claims.aud].flat();
  if (present.includes(audience)) return;
  claims.aud = present.length === 0 ? audience : [...present, audience];
}

/**
 * The value of a mapper as the type that its `jsonType.label` names. Nothing where there is no value, or none of that
 * type. Without `multivalued` only the first of several counts.
 */
export function typedValue(values: readonly string[], config: Record<string, unknown>): unknown {
  const typed = values.map((value) => convert(value, config['jsonType.label'])).filter((value) => value !== undefined);
  if (config.multivalued === 'true') return typed.length > 0 ? typed : undefined;
  return typed[0];
}

function convert(value: string, type: unknown): unknown {
  if (type === 'boolean') return value.toLowerCase() === 'true';
  if (type === 'int' || type === 'long') return /^-?\d{1,15}$/.test(value) ? Number(value) : undefined;
  if (type !== 'JSON') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
