import { inTransaction } from '../../core/unit-of-work.js';
import { comparableDn } from '../../ldap/entry.js';
import { one, pathOfGroup } from '../config.js';
import { type MappedEntry, type MappedKind, mappedEntries, mappedKind } from '../mapped-entries.js';
import { type Person, usesMemberOf } from '../person.js';
import type { SyncResult } from '../representation.js';
import { findRole } from '../role-name.js';
import type { Mapper, Storage, StorageServices, SyncServices } from '../storage.js';
import { importGroups, importRoles, type Mapped } from './group-import.js';
import { readsRecursively, withInherited } from './inherited-members.js';
import { type MappedSet, type Memberships, memberKey } from './memberships.js';
import { reportFailed } from './report-failed.js';

type LoggingServices = StorageServices & Pick<SyncServices, 'log'>;

/** Creates the objects of the realm for the entries of a mapper. `whole`: these are all entries. */
export const importMapped = (
  services: StorageServices,
  { realmId }: Storage,
  mapper: Mapper,
  kind: MappedKind,
  entries: readonly MappedEntry[],
  whole: boolean,
): Promise<Mapped> =>
  inTransaction(services.database, (tx) =>
    kind.kind === 'group'
      ? importGroups(tx, services, realmId, mapper, entries, whole)
      : importRoles(tx, services, realmId, mapper, entries),
  );

/** Imports all entries of a mapper. Logs the names of failed ones. */
async function importAll(
  services: LoggingServices,
  storage: Storage,
  mapper: Mapper,
  kind: MappedKind,
  entries: readonly MappedEntry[],
): Promise<Mapped> {
  const mapped = await importMapped(services, storage, mapper, kind, entries, true);
  reportFailed(services, storage, kind.kind, mapped.failed, { mapper: mapper.name });
  return mapped;
}

/** Synchronises the groups or roles of one mapper into the realm. */
export async function syncMapper(
  services: LoggingServices,
  storage: Storage,
  mapper: Mapper,
): Promise<SyncResult | undefined> {
  const kind = mappedKind(mapper);
  if (!kind) return undefined;
  const entries = await mappedEntries(storage, kind);
  return (await importAll(services, storage, mapper, kind, entries)).result;
}

/** The memberships by a mapper, from the entries of these groups or roles. */
export function setOf(
  mapper: Mapper,
  kind: MappedKind,
  entries: readonly MappedEntry[],
  ids: ReadonlyMap<string, string>,
  owned: ReadonlySet<string> = new Set(ids.values()),
): MappedSet {
  const common = {
    kind: kind.kind,
    owned,
    grantable: mapper.grantable,
    onlyNew: kind.mode === 'IMPORT',
    onlyThere: kind.mode === 'LDAP_ONLY',
  };
  const bySid = new Map(entries.flatMap(({ sid, dn }) => (sid === undefined ? [] : [[sid, ids.get(dn) ?? []]])));
  const primary = ({ primaryGroup }: Person): string[] => [bySid.get(primaryGroup ?? '') ?? []].flat();
  if (usesMemberOf(mapper.config)) {
    return {
      ...common,
      of: (person) => [
        ...(person.memberOf[mapper.id] ?? []).flatMap((dn) => ids.get(comparableDn(dn)) ?? []),
        ...primary(person),
      ],
    };
  }
  const byMember = new Map<string, string[]>();
  for (const { dn, members } of readsRecursively(mapper.config) ? withInherited(entries) : entries) {
    const id = ids.get(dn);
    if (id === undefined) continue;
    for (const member of members) {
      const has = byMember.get(member);
      if (has) has.push(id);
      else byMember.set(member, [id]);
    }
  }
  const key = (person: Person) => memberKey(mapper, kind.memberType, person) ?? '';
  return { ...common, of: (person) => [...(byMember.get(key(person)) ?? []), ...primary(person)] };
}

const none: ReadonlySet<string> = new Set();

/** The roles or groups that a mapper gives to all users of a storage. */
export interface FixedSet extends MappedSet {
  ids: readonly string[];
}

const fixedSet = (kind: MappedSet['kind'], { grantable }: Mapper, ids: readonly string[]): FixedSet[] =>
  ids.length === 0 ? [] : [{ kind, ids, owned: none, grantable, onlyNew: false, onlyThere: false, of: () => ids }];

/** The groups and roles that mappers give to all users of a storage. */
export async function fixedSets(
  { database }: Pick<StorageServices, 'database'>,
  { mappers, realmId }: Storage,
): Promise<FixedSet[]> {
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
  // one statement for each mapper, of which a storage has a few
  const ofRoles = mappers.filter(({ providerId }) => providerId === 'hardcoded-ldap-role-mapper');
  const roleSets = await Promise.all(
    ofRoles.map(async (mapper) => {
      const role = await findRole(db, { id: realmId }, one(mapper.config, 'role') ?? '');
      return fixedSet('role', mapper, role ? [role.id] : []);
    }),
  );
  return [...groupSets, ...roleSets.flat()];
}

/** Does work for one item after the other. */
export const inOrder = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
};

/** Reads the members of groups in the directory once for a whole synchronisation. Creates the groups in the realm. */
export async function allMemberships(services: LoggingServices, storage: Storage): Promise<Memberships> {
  const sets = await inOrder(storage.mappers, async (mapper): Promise<MappedSet[]> => {
    const kind = mappedKind(mapper);
    if (!kind) return [];
    const entries = await mappedEntries(storage, kind);
    const { ids } = await importAll(services, storage, mapper, kind, entries);
    return [setOf(mapper, kind, entries, ids)];
  });
  return [...sets.flat(), ...(await fixedSets(services, storage))];
}
