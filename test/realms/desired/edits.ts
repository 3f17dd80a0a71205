import { type Pick, places } from './makers.js';

/** A realm file in a test. */
export type File = Record<string, unknown>;

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

type Item = Record<string, unknown>;

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);

const prefix = 'zz-';
const isOurs = (value: unknown): value is string => typeof value === 'string' && value.startsWith(prefix);

/** Takes every mention of these names out of a file: objects that are called so, entries of lists and keys of maps. */
function without(value: unknown, gone: ReadonlySet<unknown>): unknown {
  const isGone = (item: unknown): boolean =>
    gone.has(item) ||
    (typeof item === 'string' &&
      [...gone].some((name) => String(name).startsWith('/') && item.startsWith(`${name}/`))) ||
    (isItem(item) &&
      [
        'id',
        'path',
        'name',
        'alias',
        'clientId',
        'flowAlias',
        'client',
        'clientScope',
        'serviceAccountClientId',
        'identityProviderAlias',
      ].some((field) => gone.has(item[field])));
  if (Array.isArray(value)) return value.filter((item) => !isGone(item)).map((item) => without(item, gone));
  // policies have lists as texts
  if (typeof value === 'string' && value.startsWith('[')) return JSON.stringify(without(JSON.parse(value), gone));
  if (!isItem(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !gone.has(name))
      .map(([name, item]) => [name, without(item, gone)]),
  );
}

const replaced = (file: File, before: string, after: string): File =>
  JSON.parse(
    JSON.stringify(file)
      .replaceAll(`"${before}"`, `"${after}"`)
      .replaceAll(`\\"${before}\\"`, `\\"${after}\\"`)
      .replaceAll(`"/${before}`, `"/${after}`),
  ) as File;

/** Two objects of ours change names, as their IDs say. What names them names the other one now. */
function swapped(items: Item[], field: string, random: () => number): string | undefined {
  const own = items.filter((item) => item.id !== undefined || item.internalId !== undefined);
  const first = own[Math.floor(random() * own.length)];
  const second = own[Math.floor(random() * own.length)];
  if (!first || !second || first === second) return undefined;
  [first[field], second[field]] = [second[field], first[field]];
  return `swap ${String(first[field])} ${String(second[field])}`;
}

/** A group of ours goes below another one, and is named by its new path. */
function moved(file: File, log: string[]): File {
  const groups = file.groups as Item[];
  const from = groups.findIndex((group) => isOurs(group.name) && group.id !== undefined);
  const to = groups.find((group, at) => at > from && isOurs(group.name) && Array.isArray(group.subGroups));
  const group = groups[from];
  if (!group || !to) return file;
  groups.splice(from, 1);
  (to.subGroups as Item[]).push(group);
  log.push(`move ${String(group.name)} ${String(to.name)}`);
  return JSON.parse(JSON.stringify(file).replaceAll(`"/${group.name}`, `"/${to.name}/${group.name}`)) as File;
}

/** Kinds whose objects nothing names by a path or in a way that would become a circle. */

const swaps: ReadonlySet<string> = new Set(['role', 'clientScope', 'component', 'provider', 'user', 'webhook']);

const fields = ['description', 'displayName', 'enabled', 'name'] as const;

/** A file with some random changes: objects come, go, are renamed, and have other fields. `log` tells of them. */
export function edited(file: File, random: () => number, log: string[]): File {
  let next = structuredClone(file);
  const kinds = Object.keys(places);
  const at = (count: number) => Math.floor(random() * count);
  const times = 1 + at(6);
  for (let round = 0; round < times; round += 1) {
    const kind = kinds[at(kinds.length)] as string;
    const place = places[kind];
    if (!place) continue;
    const items = place.list(next);
    const named = (of: string) => (places[of]?.list(next) ?? []).map((item) => String(item[places[of]?.name ?? '']));
    const pick: Pick = {
      one: (of) => named(of)[at(named(of).length)] as string,
      some: (of, most) => [
        ...new Set(Array.from({ length: at(most + 1) }, () => named(of)[at(named(of).length)] as string)),
      ],
    };
    const own = items.filter((item) => isOurs(item[place.name]));
    const choice = random();
    if (choice < 0.45 || own.length === 0) {
      const name = `${prefix}${kind}-${at(1e9)}`;
      // what refers to itself through others would be a circle of flows
      if (kind === 'flow' && own.length > 3) continue;
      items.push(place.make(name, pick));
      log.push(`create ${name}`);
    } else if (choice < 0.65) {
      const name = own[at(own.length)]?.[place.name];
      const gone = new Set([name, `/${name}`, `/${name}/${name}-below`, `service-account-${name}`]);
      next = without(next, gone) as File;
      const users = (next.users ?? []) as Item[];
      next.users = users.filter(({ username }) => !gone.has(username));
      log.push(`delete ${name}`);
    } else if (choice < 0.8) {
      const name = String(own[at(own.length)]?.[place.name]);
      const other = `${prefix}${kind}-${at(1e9)}`;
      next = replaced(next, name, other);
      log.push(`rename ${name} ${other}`);
    } else if (choice < 0.87 && kind === 'group') {
      next = moved(next, log);
    } else if (choice < 0.87 && swaps.has(kind)) {
      log.push(swapped(own, place.name, random) ?? 'no swap');
    } else {
      const item = items[at(items.length)] as Item;
      const field = fields[at(fields.length)] as string;
      // a field that a file does not give stays as it is, so that going back would not clear it
      if (field === place.name || item[field] === undefined) continue;
      item[field] = typeof item[field] === 'boolean' ? !item[field] : `text ${at(1000)}`;
      log.push(`${field} of ${String(item[place.name])}`);
    }
    if (random() < 0.3) {
      next.accessTokenLifespan = 60 + at(600);
      next.attributes = { ...(next.attributes as Item), [`own${at(3)}`]: `${at(100)}` };
      next.localizationTexts = {
        en: { greeting: `Hello ${at(100)}` },
        ...(random() < 0.5 && { de: { greeting: 'Hallo' } }),
      };
      log.push('settings');
    }
  }
  return next;
}
