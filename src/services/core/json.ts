/** Whether a value is a JSON object: no list and not null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of a JSON object; empty for any other value. */
export const members = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/** The own member of an object. Names from outside can be the names of inherited members. */
export const ownMember = <T>(object: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Sets an own member with a name from outside: an assignment to `__proto__` would set the prototype. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Whether two JSON values are equal. Members have no order, and an undefined member counts as missing. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, at) => isSameJson(item, other[at]))
    );
  }
  return hasSameMembers(members(one), members(other));
}

/** Each value is compared once: comparing twice at every level would take exponential time for a deep value. */
function hasSameMembers(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  for (const name of Object.keys(other)) if (!isSameJson(ownMember(one, name), other[name])) return false;
  return Object.keys(one).every((name) => one[name] === undefined || ownMember(other, name) !== undefined);
}

/**
 * A copy of a JSON value with other leaves. `change` returns the replacement of each value that is not a list or an
 * object. It also gets the name of its member.
 */
export function withLeaves(value: unknown, change: (leaf: unknown, name?: string) => unknown, name?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withLeaves(item, change));
  if (!isObject(value)) return change(value, name);
  return Object.fromEntries(Object.entries(value).map(([own, item]) => [own, withLeaves(item, change, own)]));
}

/** The texts of a JSON list; empty for any other value. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

/** A number in settings, also if it is written as a text; `standard` if there is none. */
export function numberOf(settings: unknown, name: string, standard: number): number {
  const value = members(settings)[name];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : standard;
}

/** The JSON text of a value that may contain 64-bit integers, for which JSON has no form. `parseExact` reads it. */
export const exactText = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? { $bigint: item.toString() } : item)) ?? '';

/** The value of a text that `exactText` has made. */
export const parseExact = (text: string): unknown =>
  JSON.parse(text, (_, item: unknown) =>
    typeof item === 'object' && item !== null && '$bigint' in item ? BigInt(String(item.$bigint)) : item,
  );
