import { isObject } from '../../core/json.js';
import { type Fault, faultsOf, Refusal } from '../../core/refusal.js';
import { idOf, type Json } from './kinds.js';

/** The fields by which files distinguish the objects of a list. */
const namingFields = [
  'alias',
  'client',
  'clientId',
  'clientScope',
  'identityProviderAlias',
  'name',
  'protocol',
  'providerId',
  'subType',
  'username',
];

/** Whether an object of a file corresponds to an object of the whole realm: by its ID, or by all its names. */
function standsFor(given: unknown, whole: unknown): boolean {
  if (given === whole) return true;
  if (!isObject(given) || !isObject(whole)) return false;
  const id = idOf(given);
  if (id !== undefined) return id === idOf(whole);
  const lowerCase = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : value);
  const named = namingFields.filter((field) => given[field] !== undefined);
  return named.length > 0 && named.every((field) => lowerCase(given[field]) === lowerCase(whole[field]));
}

/** Whether an object has a name or an ID that distinguishes it in its list. */
const isNamed = (value: unknown): boolean =>
  isObject(value) && (idOf(value) !== undefined || namingFields.some((field) => value[field] !== undefined));

/**
 * The index in a list of a file of the item at a place in the same list of the whole realm; -1 if the file does not
 * have it.
 */
function indexInFile(file: readonly unknown[], whole: readonly unknown[], place: number): number {
  const item = whole[place];
  const same = [...file.keys()].filter((at) => standsFor(file[at], item));
  // one of several with the same name
  if (same.length > 1)
    return same[whole.slice(0, place).filter((one) => standsFor(file[same[0] ?? 0], one)).length] ?? -1;
  if (same.length > 0 || isNamed(item)) return same[0] ?? -1;
  // items without names, such as steps of a flow, have the same order in both lists
  const nameless = [...file.keys()].filter((at) => !isNamed(file[at]));
  const isSame = whole.filter((one) => !isNamed(one)).length === nameless.length;
  return isSame ? (nameless[whole.slice(0, place).filter((one) => !isNamed(one)).length] ?? -1) : -1;
}

/** The field of an object that a path begins with, and the rest of the path. Names of clients have dots, at which paths are divided. */
function fieldOf(object: Json, path: readonly string[]): [field: string, rest: readonly string[]] {
  const length = path.findIndex((_, last) => Object.hasOwn(object, path.slice(0, last + 1).join('.'))) + 1 || 1;
  return [path.slice(0, length).join('.'), path.slice(length)];
}

/** The place in a file for a place in the realm that was made from it, as far as the file has it. */
function placeInFile(file: unknown, whole: unknown, path: readonly string[]): string[] {
  const [first] = path;
  if (first === undefined) return [];
  if (Array.isArray(file) && Array.isArray(whole)) {
    const item: unknown = whole[Number(first)];
    const index = indexInFile(file, whole, Number(first));
    return index < 0 ? [] : [String(index), ...placeInFile(file[index], item, path.slice(1))];
  }
  if (!isObject(file) || !isObject(whole)) return [];
  const [field, rest] = fieldOf(whole, path);
  if (Object.hasOwn(file, field)) return [field, ...placeInFile(file[field], whole[field], rest)];
  // a missing field is itself at fault
  return rest.length === 0 ? [field] : [];
}

/**
 * Converts a refusal of a part of a whole realm to the places in the file from which the realm was made. Lists of the
 * realm also have other objects.
 */
export function withPlacesOf(file: Json, whole: Json, refusal: Refusal): Refusal {
  const { field: _, ...details } = refusal.details;
  const faults = faultsOf(refusal).map((fault): Fault => {
    const path = placeInFile(file, whole, fault.path ?? []);
    return path.length === 0 ? { ...fault, path: undefined } : { ...fault, path };
  });
  const field = faults[0]?.path?.join('.');
  return new Refusal(refusal.kind, refusal.message, { ...details, ...(field && { field }), faults });
}

/**
 * Returns the result of `run` for a file. If it refuses the file, the answer names the place of each fault, because a
 * file can have thousands of objects.
 */
export async function withFaultPlaces<R>(run: () => Promise<R>): Promise<R> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.kind, error.message, { ...error.details, tellsPlaces: true });
  }
}
