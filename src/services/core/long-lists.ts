import type { Pause } from '../../database/turns.js';
import { type Fault, Refusal } from './refusal.js';

/**
 * A longer list of objects is decoded in portions of this number. Lists of texts have limits that count all of them.
 */
const atOnce = 250;

/** Converts a path within a portion of a list, after `from` entries, to a path in the whole list. */
export type Place = (path: string) => string;

const placeIn = (name: string, from: number): Place => {
  const start = new RegExp(`^${name}\\.(\\d+)`);
  return (path) => path.replace(start, (_, index) => `${name}.${from + Number(index)}`);
};

/** The path in all of a list, for one in some of it. Its later parts may contain dots. */
export const placedPath = (path: readonly string[], place: Place): string[] => [
  ...place(path.slice(0, 2).join('.')).split('.'),
  ...path.slice(2),
];

const placedFault = (fault: Fault, place: Place): Fault =>
  fault.path ? { ...fault, path: placedPath(fault.path, place) } : fault;

/**
 * Decodes some entries of the list `name`, which follow `from` others. The places of faults and ignored fields are in
 * the whole list.
 */
export function decodeFrom<R>(name: string, from: number, decode: (place: Place) => R): R {
  const place = placeIn(name, from);
  try {
    return decode(place);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { field, faults } = error.details;
    throw new Refusal(error.kind, place(error.message), {
      ...error.details,
      ...(field !== undefined && { field: place(field) }),
      ...(faults && { faults: faults.map((fault) => placedFault(fault, place)) }),
    });
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member with more nested objects than this is decoded separately. */
const mostObjects = 500;

/** The number of objects in a value; counting stops above `mostObjects`. */
function countObjects(value: unknown, before = 0): number {
  if (typeof value !== 'object' || value === null) return before;
  let count = Array.isArray(value) ? before : before + 1;
  for (const item of Object.values(value)) {
    if (count > mostObjects) break;
    count = countObjects(item, count);
  }
  return count;
}

/**
 * Decodes an object whose members are all optional, without holding up other requests. Long lists are decoded in
 * portions, and other members with very many objects one at a time. Throws the errors of `decode`.
 */
export async function decodeLongLists<R>(
  value: unknown,
  decode: (part: unknown, place?: Place) => R,
  pause: Pause,
): Promise<R> {
  const members = Object.entries(isObject(value) ? value : {});
  const lists = members.flatMap(([name, list]): [string, unknown[]][] =>
    Array.isArray(list) && list.length > atOnce && isObject(list[0]) ? [[name, list]] : [],
  );
  const isList = new Set(lists.map(([name]) => name));
  const large = members.filter(([name, member]) => !isList.has(name) && countObjects(member) > mostObjects);
  if (lists.length + large.length === 0) return decode(value);
  await pause();
  const apart = [...lists, ...large].map(([name]) => [name, undefined]);
  const result = decode({ ...(value as object), ...Object.fromEntries(apart) });
  for (const [name, member] of large) {
    await pause();
    const part = decode({ [name]: member }) as Record<string, unknown>;
    Object.assign(result as object, { [name]: part[name] });
  }
  for (const [name, list] of lists) {
    const decoded: unknown[] = [];
    for (let from = 0; from < list.length; from += atOnce) {
      await pause();
      const some = { [name]: list.slice(from, from + atOnce) };
      const part = decodeFrom(name, from, (place) => decode(some, place)) as Record<string, unknown[] | undefined>;
      decoded.push(...(part[name] ?? []));
    }
    Object.assign(result as object, { [name]: decoded });
  }
  await pause();
  return result;
}
