import { isObject, textsOf } from '../../core/json.js';
import { defaultLists, type Json, type Mode, type Modes, modeOf } from './kinds.js';

/** The setting that stays although a file that resets the settings does not have it: a realm is not disabled by what is missing. */
const neverReset = 'enabled';

/** A value that the realm keeps, with the entries of a map that only the file has. */
const added = (own: unknown, given: unknown): unknown =>
  isObject(own) && isObject(given) ? { ...given, ...own } : own;

/** The settings of a realm as a file wants them. `isSetting`: tells them from other fields of the realm. */
export function mergedSettings(current: Json, given: Json, mode: Mode, isSetting: (name: string) => boolean): Json {
  const own = Object.entries(current);
  if (mode === 'ADD')
    return { ...given, ...Object.fromEntries(own.map(([name, value]) => [name, added(value, given[name])])) };
  if (mode === 'KEEP' || !Object.keys(given).some((name) => name !== neverReset)) return { ...current, ...given };
  const kept = own.filter(([name]) => !isSetting(name) || name === neverReset);
  // attributes that are absent and none at all are different settings for an import
  return { ...Object.fromEntries(kept), attributes: {}, ...given };
}

/** The lists of names that a file replaces; the others are those of the realm until `withAddedNames`. */
export const replacedLists = (given: Json, modes: Modes): Json =>
  Object.fromEntries(
    defaultLists
      .filter((list) => given[list] !== undefined && modeOf(modes, list) === 'FULL')
      .map((list) => [list, given[list]]),
  );

/**
 * A realm whose lists of names have also the names that the file adds, after those of the realm have followed what is renamed. A client scope
 * that the file names in one list is in no other one, unless the file says so too. In the mode `ADD` it stays in the list that it is in.
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
