import { type Pick as PickNames, places, storageMapper, storageMapperType } from './makers.js';

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
        'authenticatorConfig',
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

/** What a random change has to choose from. */
interface Choices {
  kind: string;
  place: (typeof places)[string];
  /** all objects of the kind, and those that random changes have made */
  items: Item[];
  own: Item[];
  random: () => number;
  /** a number from 0 to below `count` */
  at: (count: number) => number;
  log: string[];
}

/** Changes a file, and returns it as it is then. */
type Change = (file: File, choices: Choices) => File;

const one = <T>({ at }: Choices, list: readonly T[]): T | undefined => list[at(list.length)];

const created: Change = (file, choices) => {
  const { kind, place, items, own, at, log } = choices;
  // what refers to itself through others would be a circle of flows
  if (kind === 'flow' && own.length > 3) return file;
  const named = (of: string) => (places[of]?.list(file) ?? []).map((item) => String(item[places[of]?.name ?? '']));
  const pick: PickNames = {
    one: (of) => one(choices, named(of)) as string,
    some: (of, most) => {
      const names = named(of);
      const chosen = Array.from({ length: names.length === 0 ? 0 : at(most + 1) }, () => one(choices, names));
      return [...new Set(chosen as string[])];
    },
  };
  const name = `${prefix}${kind}-${at(1e9)}`;
  items.push(place.make(name, pick));
  log.push(`create ${name}`);
  return file;
};

/** The paths of the groups below a group. */
const pathsBelow = (group: Item, path: string): string[] =>
  ((group.subGroups ?? []) as Item[]).flatMap((below) => {
    const own = `${path}/${String(below.name)}`;
    return [own, ...pathsBelow(below, own)];
  });

const removed: Change = (file, choices) => {
  const { place, own, log } = choices;
  const chosen = one(choices, own);
  const name = String(chosen?.[place.name]);
  // groups may have been moved below the group
  const below = pathsBelow(chosen ?? {}, `/${name}`);
  const gone = new Set([name, `/${name}`, ...below, `service-account-${name}`]);
  const next = without(file, gone) as File;
  next.users = ((next.users ?? []) as Item[]).filter(({ username }) => !gone.has(String(username)));
  log.push(`delete ${name}`);
  return next;
};

/** An object of ours gets another name: the file says which object it is by its ID, or by the name that it had. */
const renamed: Change = (file, choices) => {
  const { kind, place, own, random, at, log } = choices;
  const item = one(choices, own);
  const before = String(item?.[place.name]);
  const after = `${prefix}${kind}-${at(1e9)}`;
  const next = replaced(file, before, after);
  const now = place.list(next).find(({ [place.name]: name }) => name === after);
  const isByName = random() < 0.5 && now?.renamedFrom === undefined;
  if (now && isByName) {
    delete now.id;
    delete now.internalId;
    now.renamedFrom = before;
  }
  log.push(`rename ${before} ${after}${isByName ? ' by name' : ''}`);
  return next;
};

/** Two objects of ours change names, as their IDs say. What names them names the other one now. */
const swapped: Change = (file, choices) => {
  const { place, log } = choices;
  const known = choices.own.filter((item) => item.id !== undefined || item.internalId !== undefined);
  const [first, second] = [one(choices, known), one(choices, known)];
  if (!first || !second || first === second) return file;
  [first[place.name], second[place.name]] = [second[place.name], first[place.name]];
  log.push(`swap ${String(first[place.name])} ${String(second[place.name])}`);
  return file;
};

/** A group of ours goes below another one, and is named by its new path. */
const moved: Change = (file, { log }) => {
  const groups = file.groups as Item[];
  const from = groups.findIndex((group) => isOurs(group.name) && group.id !== undefined);
  const to = groups.find((group, at) => at > from && isOurs(group.name) && Array.isArray(group.subGroups));
  const group = groups[from];
  if (!group || !to) return file;
  groups.splice(from, 1);
  (to.subGroups as Item[]).push(group);
  log.push(`move ${String(group.name)} ${String(to.name)}`);
  return JSON.parse(JSON.stringify(file).replaceAll(`"/${group.name}`, `"/${to.name}/${group.name}`)) as File;
};

const member = (of: Item, name: string): Item => {
  of[name] ??= {};
  return of[name] as Item;
};

/** A role of the realm and a role of a client become composites of each other. */
const circled: Change = (file, choices) => {
  const { own, log } = choices;
  const ofClient = (places.clientRole?.list(file) ?? []).filter(({ name }) => isOurs(name));
  const [role, other] = [one(choices, own), one(choices, ofClient)];
  if (!role || !other) return file;
  const add = (lists: Item, name: string, entry: unknown) => {
    lists[name] = [...new Set([...((lists[name] as unknown[]) ?? []), entry])];
  };
  add(member(other, 'composites'), 'realm', role.name);
  add(member(member(role, 'composites'), 'client'), 'account', other.name);
  log.push(`circle ${String(role.name)} ${String(other.name)}`);
  return file;
};

/** A component below one of ours comes, goes, or gets another name or another setting. */
const changedBelow: Change = (file, choices) => {
  const { own, at, log } = choices;
  const component = one(choices, own);
  const below = component && member(component, 'subComponents');
  const mappers = (below?.[storageMapperType] ?? []) as Item[];
  if (!below) return file;
  const mapper = one(choices, mappers);
  const name = `${prefix}below-${at(1e9)}`;
  const choice = mapper ? at(4) : 0;
  if (choice === 0 || !mapper) below[storageMapperType] = [...mappers, storageMapper(name)];
  else if (choice === 1) below[storageMapperType] = mappers.filter((item) => item !== mapper);
  else if (choice === 2) mapper.name = name;
  else mapper.config = { ...(mapper.config as Item), 'ldap.attribute': [name] };
  log.push(`below ${String(component.name)} ${choice}`);
  return file;
};

/** An object, which need not be one of ours, gets another text or is switched. */
const altered: Change = (file, choices) => {
  const { place, items, at, log } = choices;
  const item = one(choices, items);
  const field = one(choices, ['description', 'displayName', 'enabled', 'name']) ?? '';
  // a field that a file does not give stays as it is, so that going back would not clear it
  if (!item || field === place.name || item[field] === undefined) return file;
  item[field] = typeof item[field] === 'boolean' ? !item[field] : `text ${at(1000)}`;
  log.push(`${field} of ${String(item[place.name])}`);
  return file;
};

/** Changes of some kinds alone. Two flows or clients do not change names: what they contain would name itself. */
const ofKind: Record<string, Change[]> = {
  role: [swapped, circled],
  clientRole: [swapped],
  clientScope: [swapped],
  component: [swapped],
  config: [swapped],
  group: [moved],
  provider: [swapped],
  storage: [swapped, changedBelow],
  user: [swapped],
  webhook: [swapped],
};

function changeOf({ kind, own, random, at }: Choices): Change {
  const choice = random();
  if (choice < 0.4 || own.length === 0) return created;
  if (choice < 0.55) return removed;
  if (choice < 0.72) return renamed;
  const others = ofKind[kind] ?? [];
  return (choice < 0.85 ? others[at(others.length)] : undefined) ?? altered;
}

function withSettings(file: File, { random, at, log }: Pick<Choices, 'random' | 'at' | 'log'>): File {
  log.push('settings');
  return {
    ...file,
    accessTokenLifespan: 60 + at(600),
    attributes: { ...(file.attributes as Item), [`own${at(3)}`]: `${at(100)}` },
    localizationTexts: { en: { greeting: `Hello ${at(100)}` }, ...(random() < 0.5 && { de: { greeting: 'Hallo' } }) },
  };
}

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
    const own = items.filter((item) => isOurs(item[place.name]));
    const choices = { kind, place, items, own, random, at, log };
    next = changeOf(choices)(next, choices);
    if (random() < 0.3) next = withSettings(next, choices);
  }
  return next;
}
