import type { ModelName } from '../../../database/db.js';
import type { Pause } from '../../../database/turns.js';
import { isObject, isSameJson, ownMember } from '../../core/json.js';
import { listsByKey } from '../../core/lists-by-key.js';
import { mask } from '../../core/mask.js';
import { isIdField } from '../../core/own-id.js';
import { conflict, invalid, Refusals } from '../../core/refusal.js';
import { idOf, type Json, type Keyed, listOf, type Mode, type Modes } from './kinds.js';
import { type Ignored, ignoredOf, withFieldsOf, withoutFields } from './lifecycle.js';
import type { LostSecret } from './lost-secrets.js';
import { isUnknown } from './unknown-values.js';

/** The effects of a file on the names of a realm. */
export interface Names {
  /** new names of objects of the realm, or undefined for deleted ones */
  changed: Map<string, string | undefined>;
  /** IDs in the realm by the IDs in the file, as `<model> <id>` */
  ids: Map<string, string>;
  /** objects of the realm that the file has, as `<model> <id>` */
  matched: Set<string>;
  /** objects that go because the file lacks them, as `<model> <id>` */
  missing: Set<string>;
  /** the file's part of objects that the realm has too, by their desired state */
  given: Map<Json, Json>;
  /** masks in the file for which the realm has no secret */
  lost: LostSecret[];
  /** the faults of the file */
  refusals: Refusals;
}

/** The names of a realm that no file has changed yet. */
export const newNames = (): Names => ({
  changed: new Map(),
  ids: new Map(),
  matched: new Set(),
  missing: new Set(),
  given: new Map(),
  lost: [],
  refusals: new Refusals(),
});

/** The IDs that objects of a file have in the realm, by their IDs in the file. */
export const realmIds = ({ ids }: Names): Map<string, string> =>
  new Map([...ids].map(([key, own]) => [key.slice(key.indexOf(' ') + 1), own]));

/** The key of an object in `Names`; `container` is the clientId or the path of the group that it belongs to. */
export const nameKey = (model: ModelName, name: string, container = ''): string => `${model} ${container} ${name}`;

/** Whether an object, by model, is kept although a file lacks it. */
export type Protected = (model: ModelName, object: Json) => boolean;

/** The context in which a list of the file is merged. */
export interface Merging {
  modes: Modes;
  names: Names;
  isProtected: Protected;
  /** whether secrets distinguish objects; see `PlanOptions` */
  comparesSecrets: boolean;
  /** the names that objects of the file had before, by their place in the file */
  formerNames: ReadonlyMap<string, string>;
  /** fields that keep the realm's values */
  ignored: Ignored;
}

/** The fields in which objects name their owners. */
export const ownerFields = {
  scopeMappings: { client: 'Client', clientScope: 'ClientScope' },
  identityProviderMappers: { identityProviderAlias: 'IdentityProvider' },
} as const satisfies Record<string, Record<string, ModelName>>;

/**
 * Objects of the realm under the new names of their owners, as a file refers to them. They are deleted with their
 * owners.
 */
export const withOwners = (list: readonly Json[], fields: Record<string, ModelName>, { changed }: Names): Json[] =>
  list.flatMap((object) => {
    const next = Object.entries(fields).flatMap(([field, model]) => {
      const key = nameKey(model, String(object[field]));
      return changed.has(key) ? [[field, changed.get(key)] as const] : [];
    });
    if (next.some(([, name]) => name === undefined)) return [];
    return [next.length === 0 ? object : { ...object, ...Object.fromEntries(next) }];
  });

/** Fields that name an object. They are no secrets, so that a text that looks like a mask is the name. */
const nameFields: ReadonlySet<string> = new Set([
  ...['alias', 'clientId', 'name', 'path', 'username'],
  ...['authenticatorConfig', 'client', 'clientScope', 'flowAlias', 'identityProviderAlias'],
]);

const isMasked = (item: unknown): boolean =>
  item === mask || (Array.isArray(item) && item.length === 1 && item[0] === mask);

/**
 * Whether objects have masks or unknown values. It is cached, because a group is checked again as a part of each group
 * above it.
 */
const knownMasks = new WeakMap<object, boolean>();

function hasMask(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => isUnknown(item) || hasMask(item));
  if (!isObject(value)) return false;
  const known = knownMasks.get(value);
  if (known !== undefined) return known;
  const found = Object.values(value).some((item) => isMasked(item) || isUnknown(item) || hasMask(item));
  knownMasks.set(value, found);
  return found;
}

/** A value of a list, or the realm's value if it is unknown. */
const knownItem = (item: unknown, index: number, list: readonly unknown[], current: unknown): unknown => {
  const now: unknown = Array.isArray(current) && current.length === list.length ? current[index] : undefined;
  return isUnknown(item) && typeof now === 'string' ? now : item;
};

/** The member of a list that corresponds to an item: the one with its ID. */
const counterpart = (list: unknown, item: Json): unknown => {
  const id = idOf(item);
  return Array.isArray(list) && id !== undefined ? list.find((one) => isObject(one) && idOf(one) === id) : undefined;
};

type Path = readonly string[];

const unmasked = (value: unknown, current: unknown, path: Path, isLost: (path: Path) => void): unknown => {
  if (Array.isArray(value))
    return value.map((item, index) =>
      isObject(item)
        ? unmasked(item, counterpart(current, item), [...path, String(index)], isLost)
        : knownItem(item, index, value, current),
    );
  if (!isObject(value)) return value;
  const own = isObject(current) ? current : {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      const now = ownMember(own, name);
      const place = [...path, name];
      if (isUnknown(item) && now !== undefined && !nameFields.has(name)) return [[name, now]];
      if (!isMasked(item) || isMasked(now) || nameFields.has(name)) return [[name, unmasked(item, now, place, isLost)]];
      if (now === undefined) isLost(place);
      return [];
    }),
  );
};

/**
 * A value of a file without its masks. A mask stands for an unchanged secret, unless the realm has just this text in
 * its place. An unknown value stays unchanged as well. A value without masks is not copied. Masks without a secret are
 * added to `lost`, with `owner` as their object.
 */
export const withoutMasks = (object: Json, current?: Json, lost: LostSecret[] = [], owner = object): Json =>
  hasMask(object) ? (unmasked(object, current, [], (path) => lost.push({ object: owner, path })) as Json) : object;

interface Listed {
  keyed: Keyed;
  mode: Mode;
  /** place in the file */
  field: string;
  container?: string;
  /** how an object of the file changes the realm's object */
  merge?: (current: Json, given: Json, field: string) => Json;
  /** an object without secrets, if objects of the kind have any and can have the same name */
  withoutSecrets?: (object: Json) => Json;
}

/** The content of an object without its IDs. */
const contentOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(contentOf);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([name, item]) => !isIdField(name) && item !== undefined);
  return Object.fromEntries(fields.map(([name, item]) => [name, contentOf(item)]));
};

/**
 * Matches objects of the file with objects of the realm that they do not change, because the order of objects with the
 * same name differs between realms. Adds them to `claimed`, which already has the objects that match by ID.
 */
function claimsOfSame(
  given: readonly Json[],
  candidates: (object: Json) => readonly Json[] | undefined,
  claimed: Map<Json, Json>,
  compared: (object: Json) => Json,
): Map<Json, Json> {
  const known = new Set(claimed.values());
  const claims = new Map<Json, Json>();
  for (const object of given) {
    const found = candidates(object) ?? [];
    if (known.has(object) || found.length < 2) continue;
    const same = found.find((one) => {
      const next = { ...one, ...withoutMasks(object, one) };
      return !claimed.has(one) && isSameJson(contentOf(compared(one)), contentOf(compared(next)));
    });
    if (!same) continue;
    claimed.set(same, object);
    claims.set(object, same);
  }
  return claims;
}

/** The desired objects of a list: the objects of the realm in their order, then the objects that only the file has. */
export function mergedList(current: readonly Json[], given: readonly Json[], list: Listed, to: Merging): Json[] {
  const steps = mergeSteps(current, given, list, to);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Like `mergedList`, for a list that can have very many objects. Other requests run in between. */
export async function mergedLongList(
  current: readonly Json[],
  given: readonly Json[],
  list: Listed,
  { pause, ...to }: Merging & { pause: Pause },
): Promise<Json[]> {
  const steps = mergeSteps(current, given, list, to);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}

/** Merges a list, one object of the file in each step. */
function* mergeSteps(
  current: readonly Json[],
  given: readonly Json[],
  list: Listed,
  to: Merging,
): Generator<void, Json[], void> {
  const { keyed: kind, mode, field, container } = list;
  const called = kind.called ?? kind.key;
  const byId = new Map(current.map((object) => [object[kind.id], object]));
  const byKey = listsByKey(current.map((object) => [kind.key(object), object]));
  // an ID in the file determines the object, regardless of its name
  const claimed = new Map<Json, Json>();
  for (const object of given) {
    const own = object[kind.id] === undefined ? undefined : byId.get(object[kind.id]);
    if (own) claimed.set(own, object);
  }
  const compared = to.comparesSecrets || !list.withoutSecrets ? (object: Json) => object : list.withoutSecrets;
  const claims = kind.repeats
    ? claimsOfSame(given, (object) => byKey.get(kind.key(object)), claimed, compared)
    : undefined;
  const matched = new Map<Json, Json>();
  const named = (name: string, by: Json): Json | undefined =>
    byKey.get(name)?.find((object) => {
      const owner = claimed.get(object);
      return (owner === undefined || owner === by) && !(kind.repeats && matched.has(object));
    });
  const created: Json[] = [];
  const seen = new Set<string>();
  for (const [index, object] of given.entries()) {
    yield;
    const place = `${field}.${index}`;
    const name = kind.key(object);
    if (seen.has(name) && !kind.repeats) {
      to.names.refusals.add(conflict(`${kind.model} "${name.trim()}" occurs twice in the file`, place, 'REPEATED'));
      continue;
    }
    seen.add(name);
    const id = object[kind.id];
    const former = to.formerNames.get(place);
    const found =
      (id === undefined ? undefined : byId.get(id)) ??
      claims?.get(object) ??
      named(name, object) ??
      (former === undefined || kind.name === undefined
        ? undefined
        : named(kind.key({ ...object, [kind.name]: former }), object));
    if (!found) {
      created.push(withoutMasks(object, undefined, to.names.lost));
      continue;
    }
    if (matched.has(found)) {
      to.names.refusals.add(invalid(`Two objects of the file stand for ${kind.model} "${name.trim()}"`, place));
      continue;
    }
    const own = found[kind.id];
    if (typeof id === 'string' && typeof own === 'string' && id !== own) to.names.ids.set(`${kind.model} ${id}`, own);
    to.names.matched.add(`${kind.model} ${String(own)}`);
    const lost = mode === 'ADD' ? undefined : to.names.lost;
    const ignored = ignoredOf(to.ignored, kind, object, container);
    const wanted = withoutFields(object, ignored);
    const next = { ...withoutMasks(wanted, found, lost), ...(own !== undefined && { [kind.id]: own }) };
    const changed = mode === 'ADD' ? found : (list.merge?.(found, next, place) ?? { ...found, ...next });
    const merged = withFieldsOf(found, changed, ignored);
    matched.set(found, merged);
    if (merged !== found) to.names.given.set(merged, wanted);
    const before = called(found);
    if (before !== called(merged)) to.names.changed.set(nameKey(kind.model, before, container), called(merged));
  }
  const kept = current.filter((object) => {
    const stays = matched.has(object) || mode !== 'FULL' || to.isProtected(kind.model, object);
    if (stays) return true;
    to.names.changed.set(nameKey(kind.model, called(object), container), undefined);
    to.names.missing.add(`${kind.model} ${String(object[kind.id])}`);
    return false;
  });
  return [...kept.map((object) => matched.get(object) ?? object), ...created];
}

/** Keeps the protocol of a mapper: the file need not give it. */
const withProtocol = ({ protocol }: Json, next: Json): Json => ({
  ...(protocol !== undefined && { protocol }),
  ...next,
});

/** A list within an object. It becomes as in the file unless a mode is given; only the IDs of existing items stay. */
export const exactList = (
  kind: Keyed,
  current: Json,
  given: Json,
  name: string,
  { field, owner, mode = 'FULL' }: { field: string; owner: unknown; mode?: Mode },
  to: Merging,
): Json =>
  given[name] === undefined
    ? {}
    : {
        [name]: mergedList(
          listOf(current, name),
          listOf(given, name),
          { keyed: kind, mode, field: `${field}.${name}`, container: String(owner), merge: withProtocol },
          // the parts of one object protect nothing
          { ...to, isProtected: () => false },
        ),
      };
