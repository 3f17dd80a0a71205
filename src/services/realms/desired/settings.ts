import { isObject, textsOf } from '../../core/json.js';
import { defaultLists, type Json, type Mode, type Modes, modeOf } from './kinds.js';

/** The setting that stays if a file that resets the settings lacks it: a missing field must not disable a realm. */
const neverReset = 'enabled';

/** A value of the realm, with the entries of a map that only the file has. */
const added = (own: unknown, given: unknown): unknown =>
  isObject(own) && isObject(given) ? { ...given, ...own } : own;

/** The desired settings of a realm. `isSetting` distinguishes them from other fields of the realm. */
export function mergedSettings(current: Json, given: Json, mode: Mode, isSetting: (name: string) => boolean): Json {
  const own = Object.entries(current);
  if (mode === 'ADD')
    return { ...given, ...Object.fromEntries(own.map(([name, value]) => [name, added(value, given[name])])) };
  if (mode === 'KEEP' || !Object.keys(given).some((name) => name !== neverReset)) return { ...current, ...given };
  const kept = own.filter(([name]) => !isSetting(name) || name === neverReset);
  // for an import, missing attributes and an empty map are different
  return { ...Object.fromEntries(kept), attributes: {}, ...given };
}

/** The lists of names that a file replaces. The others stay as in the realm until `withAddedNames`. */
export const replacedLists = (given: Json, modes: Modes): Json =>
  Object.fromEntries(
    defaultLists
      .filter((list) => given[list] !== undefined && modeOf(modes, list) === 'FULL')
      .map((list) => [list, given[list]]),
  );

/**
 * Adds the names of a file to the lists of a realm, after the names in the realm were updated. A client scope that the
 * file names in one list is removed from the other list, unless the file names it there too. In the mode `ADD` it stays
 * in its list.
 */
export function withAddedNames(realm: Json, given: Json, modes: Modes): Json {
  const isReplaced = (list: string) => Object.hasOwn(replacedLists(given, modes), list);
  const others = {
    defaultGroups: undefined,
    defaultDefaultClientScopes: 'defaultOptionalClientScopes',
    defaultOptionalClientScopes: 'defaultDefaultClientScopes',
  } as const;
  const wantedIn = (list: (typeof defaultLists)[number]): string[] => {
    const other = modeOf(modes, list) === 'ADD' ? others[list] : undefined;
    const stays = new Set(other === undefined ? [] : textsOf(realm[other]));
    return textsOf(given[list]).filter((name) => !stays.has(name));
  };
  const lists = defaultLists.flatMap((list) => {
    const other = others[list];
    const elsewhere = new Set(other === undefined ? [] : wantedIn(other));
    if (isReplaced(list) || (given[list] === undefined && elsewhere.size === 0)) return [];
    const kept = textsOf(realm[list]).filter((name) => !elsewhere.has(name));
    return [[list, [...kept, ...wantedIn(list)]]];
  });
  return lists.length === 0 ? realm : { ...realm, ...Object.fromEntries(lists) };
}
