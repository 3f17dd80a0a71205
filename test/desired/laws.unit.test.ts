import { describe, expect, it } from 'vitest';
import { canonical } from '../../src/cli/desired/canonical.js';
import { loadDesired } from '../../src/cli/desired/load.js';
import { realmShape } from '../../src/services/realms/files/shape.js';
import { randomNumbers } from '../support/random.js';
import { folderOf } from './folder.js';

type Realm = Record<string, unknown>;
type Random = () => number;

const chance = (random: Random, share: number): boolean => random() < share;
const some = <T>(random: Random, items: readonly T[], share = 0.5): T[] => items.filter(() => chance(random, share));
const text = (random: Random): string => `t${Math.floor(random() * 5)}`;
const names = ['a', 'b', 'c', 'd'];

const map = (random: Random, hasNulls: boolean): Realm =>
  Object.fromEntries(some(random, names).map((name) => [name, hasNulls && chance(random, 0.3) ? null : text(random)]));

/** Objects with natural keys, some of which an overlay removes. */
const keyed = (random: Random, key: string, isOverlay: boolean, fields: () => Realm): Realm[] =>
  some(random, names).map((name) =>
    isOverlay && chance(random, 0.2) ? { [key]: name, $remove: true } : { [key]: name, ...fields() },
  );

/** A random realm, or a random overlay with its nulls and removals. */
function randomRealm(random: Random, isOverlay: boolean): Realm {
  const mappers = () => keyed(random, 'name', isOverlay, () => ({ config: map(random, isOverlay) }));
  const groups = (depth: number): Realm[] =>
    keyed(random, 'name', isOverlay, () => ({
      attributes: { x: some(random, names) },
      ...(depth > 0 && chance(random, 0.5) && { subGroups: groups(depth - 1) }),
    }));
  const roles = () => keyed(random, 'name', isOverlay, () => ({ description: text(random) }));
  const all: Realm = {
    displayName: isOverlay && chance(random, 0.3) ? null : text(random),
    attributes: map(random, isOverlay),
    supportedLocales: some(random, names),
    clients: keyed(random, 'clientId', isOverlay, () => ({
      redirectUris: some(random, names),
      ...(chance(random, 0.5) && { protocolMappers: mappers() }),
      ...(chance(random, 0.5) && { attributes: map(random, isOverlay) }),
    })),
    groups: groups(2),
    roles: { realm: roles(), client: Object.fromEntries(some(random, names).map((name) => [name, roles()])) },
    users: keyed(random, 'username', isOverlay, () => ({ groups: some(random, names) })),
    components: {
      p: keyed(random, 'name', isOverlay, () => ({ providerId: 'x', config: { k: [text(random)] } })).map((one) =>
        '$remove' in one ? { ...one, providerId: 'x' } : one,
      ),
    },
    authenticationFlows: keyed(random, 'alias', isOverlay, () => ({
      authenticationExecutions: [{ requirement: text(random) }],
    })),
  };
  return Object.fromEntries(some(random, Object.entries(all), 0.7));
}

/** The realm of a file and of overlays over it, without regard to the order of objects. */
function merged(base: Realm, ...overlays: Realm[]): unknown {
  const files = Object.fromEntries(overlays.map((one, index) => [`${index}.json`, JSON.stringify(one)]));
  const cwd = folderOf({ 'realm.json': JSON.stringify(base), ...files });
  return canonical(loadDesired(['realm.json'], { cwd, overlays: Object.keys(files) }).realm, realmShape());
}

/** Whether a realm has something that only overlays may have. */
const hasPatches = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return value === null;
  return '$remove' in value || Object.values(value).some(hasPatches);
};

const rounds = Array.from({ length: 150 }, (_, seed) => ({ seed }));

describe.each(rounds)('overlays of the seed $seed', ({ seed }) => {
  const random = randomNumbers(seed);
  const base = randomRealm(random, false);
  const patch = randomRealm(random, true);
  const inOrder = canonical(base, realmShape());

  it('follow the laws of a merge', () => {
    // an empty overlay changes nothing
    expect(merged(base, {})).toEqual(inOrder);
    // a realm over itself is itself
    expect(merged(base, base)).toEqual(inOrder);
    // a realm over nothing is itself
    expect(merged({}, base)).toEqual(inOrder);
    const once = merged(base, patch);
    // an overlay twice is an overlay once
    expect(merged(base, patch, patch)).toEqual(once);
    // what only overlays may have never gets into the realm
    expect(hasPatches(once)).toBe(false);
    expect(hasPatches(merged({}, patch))).toBe(false);
    // what was merged is a file that says the same
    expect(merged(once as Realm)).toEqual(once);
  });
});
