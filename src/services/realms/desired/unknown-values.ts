import { randomUUID } from 'node:crypto';
import { isObject, withLeaves } from '../../core/json.js';
import { type Fault, faultsOf, invalid, Refusal } from '../../core/refusal.js';
import { RealmRepresentation } from '../representation.js';
import type { Json } from './kinds.js';

/** A value of a file that is unknown before the file is applied, such as a secret of the environment. */
export interface UnknownValue {
  /** its place in the file */
  path: readonly string[];
  /** the text in the file in its place, such as `${env:SHOP_SECRET}` */
  reference: string;
}

/** Encloses the reference of an unknown value. It cannot be guessed, so no text of a file looks like one. */
const bound = randomUUID();
const bounded = new RegExp(`${bound}(.*?)${bound}`, 'gs');

/** Whether a value stands for an unknown one. */
export const isUnknown = (value: unknown): value is string => typeof value === 'string' && value.includes(bound);

/** Whether a value is unknown or contains an unknown value. */
const hasUnknown = (value: unknown): boolean =>
  isUnknown(value) || (typeof value === 'object' && value !== null && Object.values(value).some(hasUnknown));

const sentence = (references: string): string => `(unknown until applied: ${references})`;

/** The form in which plans show an unknown value, or a text that contains some. */
const shown = (value: string): string =>
  sentence([...value.matchAll(bounded)].map(([, reference]) => reference).join(', '));

/** A text of a plan, with the references of unknown values. */
export const shownText = (text: string): string => text.replace(bounded, (_, reference) => sentence(reference));

const withShown = (value: unknown): unknown =>
  hasUnknown(value) ? withLeaves(value, (leaf) => (isUnknown(leaf) ? shown(leaf) : leaf)) : value;

interface FieldAfter {
  after?: unknown;
}

/** A change in the form of plans: with the references of unknown values. */
export const withShownUnknowns = <F extends FieldAfter, C extends { key: string; fields: F[] }>(change: C): C =>
  hasUnknown(change.fields) || isUnknown(change.key)
    ? {
        ...change,
        key: shownText(change.key),
        fields: change.fields.map((field) => ({
          ...field,
          after: withShown(field.after),
          ...(hasUnknown(field.after) && { isUnknown: true }),
        })),
      }
    : change;

/** The object or list that contains the value at a path. */
const holderAt = (file: unknown, path: readonly string[]): unknown =>
  path
    .slice(0, -1)
    .reduce<unknown>(
      (at, step) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined,
      file,
    );

/**
 * Replaces values of a file that are not known. Values other than texts, such as switches, are left out, so that the
 * realm keeps its own. Throws `invalid` for a path that leads to nothing.
 */
export function withUnknowns(file: Json, unknownValues: readonly UnknownValue[]): Json {
  if (unknownValues.length === 0) return file;
  const copy = structuredClone(file);
  const places = new Set<string>();
  for (const [index, { path, reference }] of unknownValues.entries()) {
    const holder = holderAt(copy, path);
    const last = path.at(-1) ?? '';
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, last))
      throw invalid('`path` must be that of a value in `desired`', `unknownValues.${index}.path`);
    Reflect.set(holder, last, bound + reference + bound);
    places.add(JSON.stringify(path));
  }
  for (const { path } of RealmRepresentation.safeParse(copy).error?.issues ?? []) {
    const place = path.map(String);
    const holder = holderAt(copy, place);
    if (places.has(JSON.stringify(place)) && isObject(holder)) delete holder[place.at(-1) ?? ''];
  }
  return copy;
}

/** Whether a fault is about an unknown value. The fault of an object in a list is about the object. */
const isOfUnknown = (file: Json, { path }: Fault): boolean => {
  if (!path || path.length === 0) return false;
  const holder = holderAt(file, path);
  const value: unknown =
    typeof holder === 'object' && holder !== null ? Reflect.get(holder, path.at(-1) ?? '') : undefined;
  return isUnknown(value) || (!Array.isArray(holder) && hasUnknown(value));
};

/** The refusals of a file without the faults of unknown values. */
export const withoutUnknowns = (refusals: readonly Refusal[], file: Json): Refusal[] =>
  refusals.length > 0 && hasUnknown(file)
    ? refusals.flatMap((refusal) => {
        const faults = faultsOf(refusal).filter((fault) => !isOfUnknown(file, fault));
        const shownFaults = faults.map((fault) => ({ ...fault, message: shownText(fault.message) }));
        const details = { ...refusal.details, faults: shownFaults };
        return faults.length === 0 ? [] : [new Refusal(refusal.kind, shownText(refusal.message), details)];
      })
    : [...refusals];

/** The prefix of the digest of a plan with unknown values. */
export const unknownDigest = 'without-secrets-';
