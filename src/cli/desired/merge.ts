import { isObject, ownMember } from '../../services/core/json.js';
import { distinctId, isKeyedList, keyField, label, naturalKey } from '../../services/realms/files/natural-keys.js';
import { type Shape, shapeName, shapeOf } from '../../services/realms/files/shape.js';
import { type Fault, positionText } from './faults.js';
import { nearest } from './nearest.js';
import type { Origins } from './origins.js';
import { removeWord } from './words.js';

type Container = Record<string, unknown>;

/** Moves a member and its origin to another object. */
function move(origins: Origins, from: object, to: object, key: string): void {
  (to as Container)[key] = (from as Container)[key];
  origins.moved({ container: from, key }, { container: to, key });
}

/**
 * Adds the content of one file to the others', in place. A field that two files set is a fault that names both; null
 * does not set it.
 */
export function combine(target: Container, added: Container, shape: Shape | undefined, origins: Origins): Fault[] {
  return Object.entries(added).flatMap(([key, value]): Fault[] => {
    const present = ownMember(target, key);
    const below = shapeOf(shape, key);
    if (value === null && Object.hasOwn(target, key)) return [];
    if (present === undefined || present === null) {
      move(origins, added, target, key);
      return [];
    }
    if (isObject(present) && isObject(value)) return combine(present, value, below, origins);
    if (Array.isArray(present) && Array.isArray(value) && isKeyedList(below)) {
      for (const item of value) present.push(item);
      return [];
    }
    return [twice(`The field \`${key}\``, origins.positionOf(target, key), origins.positionOf(added, key))];
  });
}

function twice(what: string, first: Fault['position'], second: Fault['position']): Fault {
  const elsewhere = first ? ` at ${positionText(first)}` : '';
  return { severity: 'error', message: `${what} is already set${elsewhere}`, position: second };
}

/**
 * Objects of one list with the same natural key, and without IDs that distinguish them: a realm can have only one of
 * them.
 */
export function duplicates(value: unknown, shape: Shape | undefined, origins: Origins): Fault[] {
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, item]) => duplicates(item, shapeOf(shape, key), origins));
  }
  if (!Array.isArray(value)) return [];
  const itemShape = shapeOf(shape, 0);
  const first = new Map<string, object>();
  return value.flatMap((item) => {
    const key = isObject(item) ? naturalKey(itemShape, item) : undefined;
    const other = key === undefined ? undefined : first.get(key);
    if (key !== undefined && !other) first.set(key, item);
    const below = duplicates(item, itemShape, origins);
    if (!other || isOther(itemShape, other, item)) return below;
    const name = shownLabel(itemShape, item, origins);
    const what = `The ${kindName(itemShape)}${name === undefined ? '' : ` \`${name}\``}`;
    return [twice(what, origins.positionOf(other), origins.positionOf(item)), ...below];
  });
}

/** Whether two objects with the same natural key differ by their IDs. */
function isOther(shape: Shape | undefined, one: unknown, other: unknown): boolean {
  const [id, otherId] = [distinctId(shape, one), distinctId(shape, other)];
  return id !== undefined && otherId !== undefined && id !== otherId;
}

/** The name of an object, unless it came from outside of the files. */
function shownLabel(shape: Shape | undefined, item: object, origins: Origins): string | undefined {
  const shown = Object.entries(item).filter(([key]) => !origins.isSubstituted({ container: item, key }));
  return label(shape, Object.fromEntries(shown));
}

/** A kind as sentences name it: `ClientScopeRepresentation` is a client scope. */
const kindName = (shape: Shape | undefined): string =>
  (shapeName(shape) ?? 'object')
    .replace(/(Export|Provider)?Representation$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();

/**
 * Applies an overlay in place: a JSON merge patch (RFC 7396), in which null removes a field and a list replaces another
 * one. Lists of objects with natural keys are merged by these, and `$remove: true` removes an object.
 */
export function overlay(target: Container, patch: Container, shape: Shape | undefined, origins: Origins): Fault[] {
  return Object.entries(patch).flatMap(([key, value]): Fault[] => {
    const below = shapeOf(shape, key);
    if (value === null) {
      delete target[key];
      return [];
    }
    if (isObject(value)) {
      if (!isObject(ownMember(target, key))) target[key] = startedBy(patch, target, key, origins);
      return overlay(target[key] as Container, value, below, origins);
    }
    if (Array.isArray(value) && isKeyedList(below)) {
      if (!Array.isArray(ownMember(target, key))) target[key] = startedBy(patch, target, key, origins);
      return overlayList(target[key] as unknown[], value, below, origins);
    }
    move(origins, patch, target, key);
    return [];
  });
}

/** An empty container for a member of a patch: its nulls and words must not get into the realm. */
function startedBy(patch: Container, target: Container, key: string, origins: Origins): unknown {
  const value = patch[key] as object;
  const started = Array.isArray(value) ? [] : {};
  origins.replaced(value, started);
  origins.moved({ container: patch, key }, { container: target, key });
  return started;
}

/** Maximum pairs of names that are compared to find a mistyped one. */
const mostCompared = 100_000;

function overlayList(target: unknown[], patches: unknown[], shape: Shape | undefined, origins: Origins): Fault[] {
  const itemShape = shapeOf(shape, 0);
  const items = new Map<string | symbol, unknown>();
  const keyById = new Map<string, string | symbol>();
  for (const item of target) {
    const natural = naturalKey(itemShape, item);
    const key = natural === undefined || items.has(natural) ? Symbol('no key of its own') : natural;
    items.set(key, item);
    const id = distinctId(itemShape, item);
    if (id !== undefined) keyById.set(id, key);
  }
  // names are compared letter by letter
  const isLong = patches.length * items.size > mostCompared;
  const present = isLong ? [] : [...items.keys()].filter((key) => typeof key === 'string');
  const faults = patches.flatMap((patch): Fault[] => {
    const fault = (message: string, key?: string, severity: Fault['severity'] = 'error'): Fault[] => {
      const position = isObject(patch) ? origins.positionOf(patch, key) : origins.positionOf(patches);
      return [{ severity, message, position }];
    };
    const natural = naturalKey(itemShape, patch);
    const key = keyById.get(distinctId(itemShape, patch) ?? '') ?? natural;
    if (!isObject(patch) || natural === undefined || key === undefined) {
      return fault(`Each ${kindName(itemShape)} of an overlay must have ${keyField(itemShape)}`);
    }
    if (patch[removeWord] === true) {
      items.delete(key);
      return [];
    }
    if (Object.hasOwn(patch, removeWord)) return fault(`\`${removeWord}\` must be true, or absent`, removeWord);
    const item = items.get(key);
    if (isObject(item)) return overlay(item as Container, patch, itemShape, origins);
    const added: Container = {};
    items.set(key, added);
    origins.replaced(patch, added);
    const likely = label(itemShape, items.get(nearest(natural, present) ?? ''));
    const doubt = `The overlay adds this ${kindName(itemShape)}, which the files below do not have`;
    const mistyped = likely === undefined ? [] : fault(`${doubt}: did you mean "${likely}"?`, undefined, 'warning');
    return [...mistyped, ...overlay(added, patch, itemShape, origins)];
  });
  target.splice(0, target.length);
  for (const item of items.values()) target.push(item);
  return faults;
}
