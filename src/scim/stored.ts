import { isObject, ownMember } from '../services/core/json.js';
import type { Attribute, Column, Store } from './attribute.js';
import type { NoteIgnored } from './values.js';

/** The values of a resource in the core. */
export interface Stored {
  fields: Partial<Record<Column, string | boolean | undefined>>;
  attributes: Record<string, readonly string[] | undefined>;
}

const readStore = (store: Store, { fields, attributes }: Stored): string | boolean | undefined => {
  const value = 'field' in store ? fields[store.field] : ownMember(attributes, store.attribute)?.[0];
  return value === '' ? undefined : value;
};

const withoutMissing = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> | undefined => {
  const present = entries.filter(([, value]) => value !== undefined);
  return present.length === 0 ? undefined : Object.fromEntries(present);
};

function readAttribute({ store, stores, parts, isMultiValued, standards }: Attribute, stored: Stored): unknown {
  if (stores) {
    const entries = Object.entries(stores).flatMap(([type, places]) => {
      const values = Object.entries(places).map(([name, place]) => {
        const value = readStore(place, stored);
        const standard = standards && ownMember(standards, name);
        return [name, standard === undefined ? value : value === undefined ? standard : value === 'true'] as const;
      });
      // parts with a standard value exist without an entry
      const isThere = values.some(([name, value]) => value !== undefined && !Object.hasOwn(standards ?? {}, name));
      return isThere ? { ...withoutMissing(values), type } : [];
    });
    return entries.length === 0 ? undefined : entries;
  }
  if (store && isMultiValued && 'attribute' in store) {
    const values = ownMember(stored.attributes, store.attribute) ?? [];
    return values.length === 0 ? undefined : values.map((value) => ({ value }));
  }
  if (store) return readStore(store, stored);
  return parts && !isMultiValued ? readParts(parts, stored) : undefined;
}

/** The values of the attributes that the core stores, by their names; undefined if there are none. */
export const readParts = (attributes: readonly Attribute[], stored: Stored): Record<string, unknown> | undefined =>
  withoutMissing(attributes.map((attribute) => [attribute.name, readAttribute(attribute, stored)]));

function writeStore(store: Store, value: unknown, stored: Stored): void {
  if ('field' in store) stored.fields[store.field] = value as string | boolean | undefined;
  else stored.attributes[store.attribute] = value === undefined ? undefined : [String(value)];
}

/** The entry of each type in a list. An entry without a type is one of the first type; of several, the primary one counts. */
function entriesByType(
  { name, stores = {} }: Attribute,
  entries: readonly unknown[],
  note: NoteIgnored,
): ReadonlyMap<string, Record<string, unknown>> {
  const types = Object.keys(stores);
  const [first = ''] = types;
  const typed = entries.map((entry, at) => {
    const object = isObject(entry) ? entry : {};
    const sent = String(object.type ?? first).toLowerCase();
    return { object, at, type: types.find((type) => type === sent) };
  });
  const found = new Map<string, (typeof typed)[number]>();
  const isBetter = (one: (typeof typed)[number], other: (typeof typed)[number] | undefined) =>
    !other || (one.object.primary === true && other.object.primary !== true);
  for (const one of typed) if (one.type && isBetter(one, found.get(one.type))) found.set(one.type, one);
  // where there is one type only, an entry of another type is better than none
  const only =
    types.length === 1 && found.size === 0 ? (typed.find(({ object }) => object.primary) ?? typed[0]) : undefined;
  if (only) found.set(first, only);
  const kept = new Set([...found.values()].map(({ at }) => at));
  for (const { at } of typed) if (!kept.has(at)) note(name, String(at));
  return new Map([...found].map(([type, { object }]) => [type, object]));
}

function writeAttribute(attribute: Attribute, value: unknown, stored: Stored, note: NoteIgnored): void {
  const { store, stores, parts, isMultiValued, standards } = attribute;
  if (stores) {
    const byType = entriesByType(attribute, Array.isArray(value) ? value : [], note);
    for (const [type, places] of Object.entries(stores)) {
      for (const [name, place] of Object.entries(places)) {
        const value = byType.get(type)?.[name];
        writeStore(place, value === standards?.[name] ? undefined : value, stored);
      }
    }
  } else if (store && isMultiValued && 'attribute' in store) {
    const values = (Array.isArray(value) ? value : []).flatMap((entry) =>
      isObject(entry) && entry.value !== undefined ? [String(entry.value)] : [],
    );
    stored.attributes[store.attribute] = values.length === 0 ? undefined : values;
  } else if (store) writeStore(store, value, stored);
  else if (parts && !isMultiValued) writeParts(parts, isObject(value) ? value : {}, stored, note);
}

/** Puts the values of all these attributes where the core has them. A missing value is put there as undefined. */
export function writeParts(
  attributes: readonly Attribute[],
  values: Readonly<Record<string, unknown>>,
  stored: Stored,
  note: NoteIgnored,
): void {
  for (const attribute of attributes) writeAttribute(attribute, ownMember(values, attribute.name), stored, note);
}
