import { changeOf } from '../../ldap/change.js';
import { rdnOf } from '../../ldap/dn.js';
import { comparableDn } from '../../ldap/entry.js';
import { withDirectory } from '../../ldap/pool.js';
import { rolesOf } from '../../roles/container.js';
import { clientIdOf, flagOf, rootOf } from '../config.js';
import { type MappedEntry, type MappedKind, mappedEntries, mappedKind } from '../mapped-entries.js';
import { nothingDone, type SyncResult } from '../representation.js';
import type { Mapper, Storage, StorageServices } from '../storage.js';

/** A placeholder for groups that require a member, such as groupOfNames (RFC 4519, 3.5), while they are empty. */
export const nobody = 'cn=empty-membership-placeholder';

/** A group or role of the realm that the directory must have. */
interface Exported {
  name: string;
  /** names of the direct child groups */
  children: readonly string[];
  attributes: ReadonlyMap<string, string[]>;
}

/**
 * Updates the directory from the groups or roles of the realm: creates missing ones. If the mapper keeps the hierarchy,
 * groups become members of their parents. If the mapper is set so, groups that the realm does not have are deleted
 * there. Mappers that only read do nothing.
 */
export async function exportMapper(
  services: StorageServices,
  storage: Storage,
  mapper: Mapper,
): Promise<SyncResult | undefined> {
  const kind = mappedKind(mapper);
  if (kind?.mode !== 'LDAP_ONLY') return undefined;
  const wanted = await exportedOf(services, storage, mapper, kind);
  const known = new Map((await mappedEntries(storage, kind)).map((entry) => [entry.name.toLowerCase(), entry]));
  const result = nothingDone();
  const dnOf = (name: string) => known.get(name.toLowerCase())?.dn ?? `${rdnOf(kind.nameAttribute, name)},${kind.base}`;
  await withDirectory(storage.directory, async (client) => {
    for (const { name, children, attributes } of wanted) {
      const entry = known.get(name.toLowerCase());
      const members = kind.memberType === 'DN' ? children.map(dnOf) : [];
      if (entry) {
        result.updated += 1;
        const changes = missingMembers(kind, entry, members);
        if (changes.length > 0) await client.modify(entry.dn, changes);
        continue;
      }
      await client.add(dnOf(name), {
        ...Object.fromEntries([...attributes].filter(([, values]) => values.length > 0)),
        objectClass: [...kind.objectClasses],
        [kind.nameAttribute]: [name],
        ...(kind.memberType === 'DN' && { [kind.memberAttribute]: members.length > 0 ? members : [nobody] }),
      });
      result.added += 1;
    }
    if (!drops(mapper)) return;
    const names = new Set(wanted.map(({ name }) => name.toLowerCase()));
    for (const [name, { dn }] of known) {
      if (names.has(name)) continue;
      await client.del(dn);
      result.removed += 1;
    }
  });
  return result;
}

/** Whether groups that the realm does not have go from the directory. */
const drops = ({ providerId, config }: Mapper): boolean =>
  providerId === 'group-ldap-mapper' && flagOf(config, 'drop.non.existing.groups.during.sync');

/** The child groups that are missing in the directory's group; they replace its placeholder. */
function missingMembers(kind: MappedKind, { members }: MappedEntry, wanted: readonly string[]) {
  const present = new Set(members);
  const missing = wanted.filter((dn) => !present.has(comparableDn(dn)));
  if (missing.length === 0) return [];
  const isEmpty = present.has(nobody);
  return [
    changeOf('add', kind.memberAttribute, missing),
    ...(isEmpty ? [changeOf('delete', kind.memberAttribute, [nobody])] : []),
  ];
}

async function exportedOf(
  { database }: StorageServices,
  { realmId }: Storage,
  mapper: Mapper,
  kind: MappedKind,
): Promise<Exported[]> {
  if (kind.kind === 'group') {
    const groups = await database.read.group.findMany({
      where: { realmId, path: { startsWith: `${rootOf(mapper)}/` } },
      select: {
        id: true,
        name: true,
        parentId: true,
        attributes: { select: { name: true, value: true }, orderBy: [{ position: 'asc' }] },
      },
    });
    const inherits = flagOf(mapper.config, 'preserve.group.inheritance', true);
    const below = new Map<string, string[]>();
    for (const { name, parentId } of inherits ? groups : []) {
      if (parentId !== null) below.set(parentId, [...(below.get(parentId) ?? []), name]);
    }
    const byName = new Map<string, Exported>();
    for (const { id, name, attributes } of groups) {
      const mapped = kind.attributes.map((attribute): [string, string[]] => [
        attribute,
        attributes.flatMap((one) => (one.name === attribute ? one.value : [])),
      ]);
      // groups of one name are one in the directory
      const others = byName.get(name.toLowerCase())?.children ?? [];
      const children = [...new Set([...others, ...(below.get(id) ?? [])])].filter((child) => child !== name);
      byName.set(name.toLowerCase(), { name, children, attributes: new Map(mapped) });
    }
    return [...byName.values()];
  }
  const clientId = clientIdOf(mapper.config);
  const where = clientId !== undefined ? { client: { realmId, clientId } } : rolesOf({ id: realmId }, { id: realmId });
  const roles = await database.read.role.findMany({ where, select: { name: true } });
  return roles.map(({ name }) => ({ name, children: [], attributes: new Map() }));
}
