import { limit } from '../config/limits.js';
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

const mostNames = limit('SCIM', 'Attributes that a request asks for, or excludes', 200, 'attributes');

/** Attributes that every answer has. */
const always = new Set(['schemas', 'id']);

/** Names of attributes, each separated by a comma from the next. */
function pathsIn(sent: unknown): AttributePath[] {
  const texts = Array.isArray(sent) ? sent.map(String) : typeof sent === 'string' ? sent.split(',') : [];
  if (texts.length > mostNames)
    throw new ScimRefusal('invalidValue', `A request must name at most ${mostNames} attributes`);
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

/** A value with those of its parts whose names are, or are not, in a set in lower case. */
const partsOf = (value: unknown, subs: ReadonlySet<string>, isKept: boolean): unknown => {
  if (Array.isArray(value)) return value.map((entry) => partsOf(entry, subs, isKept));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => subs.has(key.toLowerCase()) === isKept));
};

/** An attribute with the parts of it that are meant; undefined for all of it. */
interface Chosen {
  path: AttributePath;
  subs: Set<string> | undefined;
}

/** The attributes that paths name, each once. */
function chosenIn(paths: readonly AttributePath[]): Chosen[] {
  const chosen = new Map<string, Chosen>();
  for (const path of paths) {
    const key = `${path.schema} ${path.name.toLowerCase()}`;
    const known = chosen.get(key) ?? { path, subs: new Set() };
    chosen.set(key, known);
    if (path.sub === undefined) known.subs = undefined;
    else known.subs?.add(path.sub.toLowerCase());
  }
  return [...chosen.values()];
}

function selected(document: Document, chosen: readonly Chosen[]): Document {
  const result: Document = Object.fromEntries(Object.entries(document).filter(([name]) => always.has(name)));
  for (const { path, subs } of chosen) {
    const place = placeOf(document, path);
    if (!place) continue;
    const [holder, key] = place;
    const target = holder === document ? result : members(result[path.schema as string]);
    if (holder !== document) result[path.schema as string] = target;
    setMember(target, key, subs ? partsOf(holder[key], subs, true) : holder[key]);
  }
  return result;
}

function without(document: Document, chosen: readonly Chosen[]): Document {
  const result: Document = { ...document };
  for (const { path, subs } of chosen) {
    const place = placeOf(result, path);
    if (!place || (place[0] === result && always.has(place[1]))) continue;
    const [holder, key] = place;
    const rest = new Map(Object.entries(holder));
    if (subs) rest.set(key, partsOf(rest.get(key), subs, false));
    else rest.delete(key);
    if (holder !== result) result[path.schema as string] = Object.fromEntries(rest);
    else if (subs) result[key] = rest.get(key);
    else delete result[key];
  }
  return result;
}

/** The projection of `attributes` or `excludedAttributes`, which exclude each other. */
export function projectionOf({ attributes, excludedAttributes }: Readonly<Record<string, unknown>>): Projection {
  const shown = pathsIn(attributes);
  const hidden = pathsIn(excludedAttributes);
  if (shown.length > 0 && hidden.length > 0)
    throw new ScimRefusal('invalidValue', 'Give either `attributes` or `excludedAttributes`');
  const chosen = chosenIn(shown.length > 0 ? shown : hidden);
  const names = (paths: readonly AttributePath[]) => new Set(paths.map(({ name }) => name.toLowerCase()));
  const shownNames = names(shown);
  const hiddenNames = names(hidden.filter(({ sub }) => sub === undefined));
  return {
    wants: (name) => (shown.length > 0 ? shownNames.has(name.toLowerCase()) : !hiddenNames.has(name.toLowerCase())),
    asksFor: (name, sub) => shown.some((path) => path.name.toLowerCase() === name && path.sub?.toLowerCase() === sub),
    apply: (document) =>
      shown.length > 0 ? selected(document, chosen) : chosen.length > 0 ? without(document, chosen) : document,
  };
}
