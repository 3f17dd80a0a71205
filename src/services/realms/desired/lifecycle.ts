import type { ModelName } from '../../../database/db.js';
import type { Pause } from '../../../database/turns.js';
import { isObject } from '../../core/json.js';
import { listsByKey } from '../../core/lists-by-key.js';
import { invalid, type Refusal } from '../../core/refusal.js';
import type { RealmRows } from '../assemble/draft.js';
import type { Delta } from './delta.js';
import { type Json, type Keyed, mapOf } from './kinds.js';
import { type NamedObject, type ObjectKind, objectName, wholes } from './objects.js';
import { objectsNamed } from './targets.js';
import { indexOf } from './whole-objects.js';

/** A rule for plans about one object. */
export interface LifecycleRule extends NamedObject {
  /** whether a plan that deletes the object is refused */
  preventDestroy: boolean;
  /** paths of the fields that keep the realm's values, such as `attributes.color` */
  ignoreChanges: readonly string[];
}

/** The fields that keep the realm's values, by the names of their objects. */
export type Ignored = ReadonlyMap<string, readonly string[]>;

/** The fields that rules exclude from changes, by the names of their objects. */
export const ignoredBy = (rules: readonly LifecycleRule[]): Ignored =>
  new Map(rules.map((rule) => [objectName(rule), rule.ignoreChanges]));

/**
 * Converts names of objects in a list of a file to names in a plan; `container` is the clientId or the path of the
 * parent group.
 */
const namesInFiles: { readonly [M in ModelName]?: (name: string, container: string, object: Json) => NamedObject } = {
  Role: (name, client) =>
    client === '' ? { kind: 'REALM_ROLE', key: name } : { kind: 'CLIENT_ROLE', key: `${client}/${name}` },
  Group: (name, above) => ({ kind: 'GROUP', key: `${above}/${name}` }),
  IdentityProviderMapper: (name, _, { identityProviderAlias }) => ({
    kind: 'IDENTITY_PROVIDER_MAPPER',
    key: `${String(identityProviderAlias)}/${name}`,
  }),
};

/** The fields of a file's object that keep the realm's values. */
export function ignoredOf(
  ignored: Ignored,
  { model, name: field }: Keyed,
  object: Json,
  container = '',
): readonly string[] {
  const kind: ObjectKind | undefined = wholes[model]?.kind({});
  if (ignored.size === 0 || kind === undefined || field === undefined) return [];
  const key = String(object[field]);
  const named = namesInFiles[model]?.(key, container, object) ?? { kind, key };
  return ignored.get(objectName(named)) ?? [];
}

/**
 * The members of an object that paths end at, and the members at which longer paths continue, each with the rest of
 * those paths. Names of members can have dots.
 */
function membersOn(object: Json, paths: readonly string[]): { named: Set<string>; begun: Map<string, string[]> } {
  const named = new Set(paths.filter((path) => Object.hasOwn(object, path)));
  const begun: [string, string][] = [];
  for (const path of paths) {
    if (named.has(path)) continue;
    for (let end = path.indexOf('.'); end >= 0; end = path.indexOf('.', end + 1)) {
      const name = path.slice(0, end);
      if (Object.hasOwn(object, name) && isObject(object[name])) begun.push([name, path.slice(end + 1)]);
    }
  }
  return { named, begun: listsByKey(begun) };
}

/** An object of a file without these fields. Each map is copied once, regardless of the number of removed members. */
export function withoutFields(object: Json, paths: readonly string[]): Json {
  if (paths.length === 0) return object;
  const { named, begun } = membersOn(object, paths);
  if (named.size + begun.size === 0) return object;
  const kept = Object.entries(object).filter(([name]) => !named.has(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isObject(value) ? withoutFields(value, begun.get(name) ?? []) : value]),
  );
}

/** An object with the realm's values of these fields. */
export function withFieldsOf(current: Json, object: Json, paths: readonly string[]): Json {
  if (paths.length === 0) return object;
  const { named, begun } = membersOn(current, paths);
  const fields = [...named].map((name) => [name, current[name]]);
  const maps = [...begun].map(([name, rest]) => [name, withFieldsOf(mapOf(current, name), mapOf(object, name), rest)]);
  return { ...object, ...Object.fromEntries([...fields, ...maps]) };
}

/** Refusals of the deletion of protected objects, each with the place of its rule. */
export function refusedDeletions(rules: readonly LifecycleRule[], before: RealmRows, delta: Delta): Refusal[] {
  const places = new Map(rules.flatMap((rule, index) => (rule.preventDestroy ? [[objectName(rule), index]] : [])));
  if (places.size === 0) return [];
  const at = indexOf(before);
  return [...delta].flatMap(([model, { deleted }]) => {
    const whole = wholes[model];
    if (!whole) return [];
    return deleted.flatMap((row) => {
      const name = objectName({ kind: whole.kind(row), key: whole.key(row, at) });
      const index = places.get(name);
      const text = `The plan would delete ${name}, which \`preventDestroy\` protects`;
      return index === undefined ? [] : [invalid(text, `lifecycle.${index}.preventDestroy`)];
    });
  });
}

/**
 * Warnings about rules for objects that neither the realm nor the file has. Most users of a realm are not read, so
 * there are no warnings about users.
 */
export async function rulesWithoutObjects(
  rules: readonly LifecycleRule[],
  states: readonly RealmRows[],
  pause: Pause,
): Promise<string[]> {
  const ofOthers = rules.filter(({ kind }) => kind !== 'USER');
  if (ofOthers.length === 0) return [];
  const { missing } = await objectsNamed(ofOthers, states, pause);
  return [...missing.keys()].map(
    (name) => `\`lifecycle\` of ${name} has no effect: neither the realm nor the file has it.`,
  );
}
