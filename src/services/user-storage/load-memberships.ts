import { retried } from '../core/transaction.js';
import { comparableDn } from '../ldap/entry.js';
import { one, pathOfGroup, rootOf } from './config.js';
import { importGroups, importRoles, type Mapped } from './group-import.js';
import { type MappedEntry, type MappedKind, mappedEntries, mappedKind } from './mapped-entries.js';
import { type MappedSet, type Memberships, memberKey } from './memberships.js';
import { goesByMemberOf, type Person } from './person.js';
import type { SyncResult } from './representation.js';
import { findRole } from './role-name.js';
import type { Mapper, Storage, StorageServices } from './storage.js';

/** Creates what the entries of a mapper stand for in the realm. `whole`: they are all that there are. */
export const importMapped = (
  services: StorageServices,
  { realmId }: Storage,
  mapper: Mapper,
  kind: MappedKind,
  entries: readonly MappedEntry[],
  whole: boolean,
): Promise<Mapped> =>
  retried(services.database, (tx) =>
    kind.kind === 'group'
      ? importGroups(tx, services, realmId, mapper, entries, whole)
      : importRoles(tx, services, realmId, mapper, entries),
  );

/** Synchronises the groups or roles of one mapper into the realm. */
export async function syncMapper(
  services: StorageServices,
  storage: Storage,
  mapper: Mapper,
): Promise<SyncResult | undefined> {
  const kind = mappedKind(mapper);
  if (!kind) return undefined;
  const entries = await mappedEntries(storage, kind);
  return (await importMapped(services, storage, mapper, kind, entries, true)).result;
}

/** How the sets of a mapper bind users. */
const manners = ({ mode }: MappedKind) => ({ onlyNew: mode === 'IMPORT', onlyThere: mode === 'LDAP_ONLY' });

function setOf(mapper: Mapper, kind: MappedKind, entries: readonly MappedEntry[], { ids }: Mapped): MappedSet {
  const owned = new Set(ids.values());
  const common = { kind: kind.kind, owned, grantable: mapper.grantable, ...manners(kind) };
  const bySid = new Map(entries.flatMap(({ sid, dn }) => (sid === undefined ? [] : [[sid, ids.get(dn) ?? []]])));
  const primary = ({ primaryGroup }: Person): string[] => [bySid.get(primaryGroup ?? '') ?? []].flat();
  if (goesByMemberOf(mapper.config)) {
    return {
      ...common,
      of: (person) => [
        ...(person.memberOf[mapper.id] ?? []).flatMap((dn) => ids.get(comparableDn(dn)) ?? []),
        ...primary(person),
      ],
    };
  }
  const keyOf = memberKey(kind.memberType);
  const byMember = new Map<string, string[]>();
  for (const { dn, members } of entries) {
    const id = ids.get(dn);
    if (id === undefined) continue;
    for (const member of members) {
      const has = byMember.get(member);
      if (has) has.push(id);
      else byMember.set(member, [id]);
    }
  }
  return { ...common, of: (person) => [...(byMember.get(keyOf(person)) ?? []), ...primary(person)] };
}

const none: ReadonlySet<string> = new Set();

/** What a mapper gives to all users of a storage. */
const fixedSet = (kind: MappedSet['kind'], { grantable }: Mapper, ids: readonly string[]): MappedSet[] =>
  ids.length === 0 ? [] : [{ kind, owned: none, grantable, onlyNew: false, onlyThere: false, of: () => ids }];

/** The groups and roles that mappers give to all users of a storage. */
async function fixedSets({ database }: StorageServices, { mappers, realmId }: Storage): Promise<MappedSet[]> {
  const db = database.read;
  const ofGroups = mappers.filter(({ providerId }) => providerId === 'hardcoded-ldap-group-mapper');
  const paths = ofGroups.map(({ config }) => pathOfGroup(config));
  const groups =
    paths.length === 0
      ? []
      : await db.group.findMany({ where: { realmId, path: { in: paths } }, select: { id: true, path: true } });
  const groupSets = ofGroups.flatMap((mapper) => {
    const path = pathOfGroup(mapper.config);
    return fixedSet(
      'group',
      mapper,
      groups.flatMap((group) => (group.path === path ? group.id : [])),
    );
  });
  // as many statements as mappers, of which a storage has a few
  const ofRoles = mappers.filter(({ providerId }) => providerId === 'hardcoded-ldap-role-mapper');
  const roleSets = await Promise.all(
    ofRoles.map(async (mapper) => {
      const role = await findRole(db, { id: realmId }, one(mapper.config, 'role') ?? '');
      return fixedSet('role', mapper, role ? [role.id] : []);
    }),
  );
  return [...groupSets, ...roleSets.flat()];
}

const inOrder = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
};

/** Who is in which groups of the directory, read once for a whole synchronisation. Creates the groups in the realm. */
export async function allMemberships(services: StorageServices, storage: Storage): Promise<Memberships> {
  const sets = await inOrder(storage.mappers, async (mapper): Promise<MappedSet[]> => {
    const kind = mappedKind(mapper);
    if (!kind) return [];
    const entries = await mappedEntries(storage, kind);
    return [setOf(mapper, kind, entries, await importMapped(services, storage, mapper, kind, entries, true))];
  });
  return [...sets.flat(), ...(await fixedSets(services, storage))];
}

/**
 * The groups and roles that one person is to get: only those that have the person as a member are asked for, so what was
 * left, and groups that the realm does not have yet, are for the next whole synchronisation.
 */
export async function membershipsOf(services: StorageServices, storage: Storage, person: Person): Promise<Memberships> {
  const sets = await inOrder(storage.mappers, async (mapper): Promise<MappedSet[]> => {
    const kind = mappedKind(mapper);
    if (!kind || goesByMemberOf(mapper.config)) return [];
    const entries = await mappedEntries(storage, kind, {
      members: [kind.memberType === 'UID' ? person.username : person.dn],
      sid: person.primaryGroup,
    });
    const names = entries.map(({ name }) => name);
    if (names.length === 0) return [];
    const ids =
      kind.kind === 'group'
        ? await groupsNamed(services, storage, mapper, names)
        : [...(await importMapped(services, storage, mapper, kind, entries, false)).ids.values()];
    return [{ kind: kind.kind, owned: none, grantable: mapper.grantable, ...manners(kind), of: () => ids }];
  });
  return [...sets.flat(), ...(await fixedSets(services, storage))];
}

async function groupsNamed(
  { database }: StorageServices,
  { realmId }: Storage,
  mapper: Mapper,
  names: string[],
): Promise<string[]> {
  const groups = await database.read.group.findMany({
    where: { realmId, name: { in: names }, path: { startsWith: `${rootOf(mapper)}/` } },
    select: { id: true },
  });
  return groups.map(({ id }) => id);
}
