import { comparableDn } from '../../ldap/entry.js';
import { clientIdOf, flagOf, rootOf } from '../config.js';
import { entryOfDn, kindIn, type MappedEntry, type MappedKind, mappedEntries } from '../mapped-entries.js';
import { type Person, usesMemberOf } from '../person.js';
import type { Mapper, Storage, StorageServices } from '../storage.js';
import { placeOf } from '../sync/group-import.js';
import { readsRecursively } from '../sync/inherited-members.js';
import { fixedSets, importMapped, inOrder, setOf } from '../sync/load-memberships.js';
import { type MappedSet, type Memberships, memberKey, memberText } from '../sync/memberships.js';

/** The current groups and roles of users: IDs, with the places that mappers use. */
export interface Held {
  groups: readonly { id: string; path: string }[];
  roles: readonly { id: string; clientId: string | undefined }[];
}

const giving = new Set([
  'group-ldap-mapper',
  'role-ldap-mapper',
  'hardcoded-ldap-group-mapper',
  'hardcoded-ldap-role-mapper',
]);

/** Whether users of a storage get groups or roles by its mappers. */
export const givesMemberships = ({ mappers }: Storage): boolean =>
  mappers.some(({ providerId }) => giving.has(providerId));

const nothing: Held = { groups: [], roles: [] };
const searchedTogether = 50;

/**
 * The groups and roles of these directory users in the directory. Creates groups and roles that the realm lacks.
 * Memberships in `held` that the directory no longer has are removed. One search for fifty directory users and mapper.
 * If a group has to be created at its place in the tree, one more search reads all groups of the mapper. Throws
 * `LdapFault`.
 */
export async function membershipsOf(
  services: StorageServices,
  storage: Storage,
  people: readonly Person[],
  held: Held = nothing,
): Promise<Memberships> {
  if (people.length === 0) return [];
  const sets = await inOrder(storage.mappers, async (mapper): Promise<MappedSet[]> => {
    const kind = kindIn(storage, mapper);
    if (!kind) return [];
    const found = await entriesOf(storage, mapper, kind, people);
    const owned = ownedBy(mapper, kind, held);
    if (found.length === 0 && owned.size === 0) return [];
    const { entries, ids } = await mappedTo(services, storage, mapper, kind, found);
    return [setOf(mapper, kind, entries, ids, owned)];
  });
  return [...sets.flat(), ...(await fixedSets(services, storage))];
}

/** The IDs in `held` that lie where the mapper has its groups or roles. */
function ownedBy(mapper: Mapper, { kind }: MappedKind, { groups, roles }: Held): Set<string> {
  const root = `${rootOf(mapper)}/`;
  const mine =
    kind === 'group'
      ? groups.filter(({ path }) => path.startsWith(root))
      : roles.filter(({ clientId }) => clientId === clientIdOf(mapper.config));
  return new Set(mine.map(({ id }) => id));
}

/** The entries that have one of the directory users as a member. */
async function entriesOf(
  storage: Storage,
  mapper: Mapper,
  kind: MappedKind,
  people: readonly Person[],
): Promise<MappedEntry[]> {
  const found = new Map<string, MappedEntry>();
  const byMemberOf = usesMemberOf(mapper.config);
  for (const { memberOf } of byMemberOf ? people : []) {
    for (const dn of memberOf[mapper.id] ?? []) {
      const entry = entryOfDn(kind, dn);
      if (entry) found.set(entry.dn, entry);
    }
  }
  for (let at = 0; at < people.length; at += searchedTogether) {
    const some = people.slice(at, at + searchedTogether);
    const sids = [...new Set(some.flatMap(({ primaryGroup }) => primaryGroup ?? []))];
    const members = byMemberOf ? [] : some.flatMap((person) => memberText(mapper, kind.memberType, person) ?? []);
    if (members.length + sids.length === 0) continue;
    const [only, another] = some;
    // with one person, the owner of the groups is clear: long lists of members need not be read
    const withMembers = another !== undefined || readsRecursively(mapper.config);
    const entries = await mappedEntries(storage, kind, { members, sids }, withMembers);
    if (readsRecursively(mapper.config)) entries.push(...(await entriesAround(storage, kind, entries)));
    for (const entry of entries) {
      const isClear = !withMembers && only && !byMemberOf && !sids.includes(entry.sid ?? '');
      const mine = isClear ? [memberKey(mapper, kind.memberType, only) ?? ''] : entry.members;
      const known = found.get(entry.dn);
      found.set(entry.dn, { ...entry, members: [...(known?.members ?? []), ...mine] });
    }
  }
  return [...found.values()];
}

/** The entries that contain the entries of `inner`, at any depth: one search for fifty entries of each level. */
async function entriesAround(
  storage: Storage,
  kind: MappedKind,
  inner: readonly MappedEntry[],
): Promise<MappedEntry[]> {
  const found = new Map(inner.map((entry) => [entry.dn, entry]));
  for (let level = [...found.keys()]; level.length > 0; ) {
    const around: MappedEntry[] = [];
    for (let at = 0; at < level.length; at += searchedTogether) {
      const members = level.slice(at, at + searchedTogether);
      around.push(...(await mappedEntries(storage, kind, { members }, true)));
    }
    const news = new Map(around.flatMap((entry) => (found.has(entry.dn) ? [] : [[entry.dn, entry]])));
    for (const [dn, entry] of news) found.set(dn, entry);
    level = [...news.keys()];
  }
  return [...found.values()].slice(inner.length);
}

interface Placed {
  entries: readonly MappedEntry[];
  ids: ReadonlyMap<string, string>;
}

/** The groups or roles of the realm for these entries. Missing ones are created. */
async function mappedTo(
  services: StorageServices,
  storage: Storage,
  mapper: Mapper,
  kind: MappedKind,
  entries: readonly MappedEntry[],
): Promise<Placed> {
  const known = await placeOf(services.database.read, storage.realmId, mapper, kind.kind, entries);
  if (known) return { entries, ids: known };
  // the place of a group is known only after all groups were read: it may be within another one
  const nests = kind.kind === 'group' && flagOf(mapper.config, 'preserve.group.inheritance', true);
  if (!nests) {
    const { ids } = await importMapped(services, storage, mapper, kind, entries, false);
    return { entries, ids };
  }
  const all = await mappedEntries(storage, kind);
  const { ids } = await importMapped(services, storage, mapper, kind, all, true);
  const wanted = new Set(entries.map(({ dn }) => comparableDn(dn)));
  return { entries, ids: new Map([...ids].filter(([dn]) => wanted.has(dn))) };
}
