import { isObject, members, ownMember, setMember } from '../services/core/json.js';
import type { Document } from './document.js';
import { type AttributePath, attributePath } from './paths.js';
import { ScimRefusal } from './refusals.js';

/** The attributes of an answer that a request asks for, RFC 7644 section 3.9. */
export interface Projection {
  /** Whether an attribute of the core schema is part of the answer. */
  wants(name: string): boolean;
  /** Whether a sub-attribute that is returned only on request was requested. */
  asksFor(name: string, sub: string): boolean;
  apply(document: Document): Document;
}

/** Attributes that every answer has. */
const always = new Set(['schemas', 'id']);

/** Names of attributes, each separated by a comma from the next. */
function pathsIn(sent: unknown): AttributePath[] {
  const texts = Array.isArray(sent) ? sent.map(String) : typeof sent === 'string' ? sent.split(',') : [];
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map(attributePath);
}

const keyIn = (object: object, name: string): string | undefined => {
  const lower = name.toLowerCase();
  return Object.keys(object).find((key) => key.toLowerCase() === lower);
};

/** The object that has the attribute of a path, and the name of the attribute in it. */
function placeOf(document: Document, { schema, name }: AttributePath): [Document, string] | undefined {
  const extension = schema === undefined ? undefined : ownMember(document, schema);
  // the attributes of an extension are in an object of their own
  if (schema?.includes(':extension:') && extension === undefined) return undefined;
  if (name === '') return schema !== undefined && extension !== undefined ? [document, schema] : undefined;
  const holder = isObject(extension) ? extension : document;
  const key = keyIn(holder, name);
  return key === undefined ? undefined : [holder, key];
}

const partOf = (value: unknown, sub: string, isKept: boolean): unknown => {
  if (Array.isArray(value)) return value.map((entry) => partOf(entry, sub, isKept));
  if (!isObject(value)) return value;
  const lower = sub.toLowerCase();
  return Object.fromEntries(Object.entries(value).filter(([key]) => (key.toLowerCase() === lower) === isKept));
};

/** Two selections of parts of the same value as one. */
function joined(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return one.map((entry, at) => joined(entry, other[at]));
  return isObject(one) && isObject(other) ? { ...one, ...other } : other;
}

function selected(document: Document, paths: readonly AttributePath[]): Document {
  const result: Document = Object.fromEntries(Object.entries(document).filter(([name]) => always.has(name)));
  for (const path of paths) {
    const place = placeOf(document, path);
    if (!place) continue;
    const [holder, key] = place;
    const value = path.sub === undefined ? holder[key] : partOf(holder[key], path.sub, true);
    const target = holder === document ? result : members(result[path.schema as string]);
    if (holder !== document) result[path.schema as string] = target;
    setMember(target, key, Object.hasOwn(target, key) ? joined(target[key], value) : value);
  }
  return result;
}

function without(document: Document, paths: readonly AttributePath[]): Document {
  const result: Document = { ...document };
  for (const path of paths) {
    const place = placeOf(result, path);
    if (!place || (place[0] === result && always.has(place[1]))) continue;
    const [holder, key] = place;
    const { [key]: value, ...others } = holder;
    const next = path.sub === undefined ? others : { ...others, [key]: partOf(value, path.sub, false) };
    if (holder !== result) result[path.schema as string] = next;
    else if (path.sub === undefined) delete result[key];
    else result[key] = next[key];
  }
  return result;
}

/** The projection of `attributes` or `excludedAttributes`, which exclude each other. */
export function projectionOf({ attributes, excludedAttributes }: Readonly<Record<string, unknown>>): Projection {
  const shown = pathsIn(attributes);
  const hidden = pathsIn(excludedAttributes);
  if (shown.length > 0 && hidden.length > 0)
    throw new ScimRefusal('invalidValue', 'Give either `attributes` or `excludedAttributes`');
  const names = (paths: readonly AttributePath[]) => new Set(paths.map(({ name }) => name.toLowerCase()));
  const shownNames = names(shown);
  const hiddenNames = names(hidden.filter(({ sub }) => sub === undefined));
  return {
    wants: (name) => (shown.length > 0 ? shownNames.has(name.toLowerCase()) : !hiddenNames.has(name.toLowerCase())),
    asksFor: (name, sub) => shown.some((path) => path.name.toLowerCase() === name && path.sub?.toLowerCase() === sub),
    apply: (document) =>
      shown.length > 0 ? selected(document, shown) : hidden.length > 0 ? without(document, hidden) : document,
  };
}
