import { rdnOf } from '../ldap/dn.js';
import { withDirectory } from '../ldap/pool.js';
import { flagOf, one } from './config.js';
import { rootOf } from './group-import.js';
import { type MappedKind, mappedEntries, mappedKind } from './mapped-entries.js';
import { nothingDone, type SyncResult } from './representation.js';
import type { Mapper, Storage, StorageServices } from './storage.js';

/** A value for groups that have to have a member, as groupOfNames does (RFC 4519, 3.5), while nobody is in them. */
const nobody = 'cn=empty-membership-placeholder';

/** Creates the groups or roles of the realm that the directory does not have. Mappers that only read do nothing. */
export async function exportMapper(
  services: StorageServices,
  storage: Storage,
  mapper: Mapper,
): Promise<SyncResult | undefined> {
  const kind = mappedKind(mapper);
  if (kind?.mode !== 'LDAP_ONLY') return undefined;
  const names = await namesOf(services, storage, mapper, kind);
  const known = new Set((await mappedEntries(storage, kind)).map(({ name }) => name.toLowerCase()));
  const result = nothingDone();
  const missing = names.filter((name) => !known.has(name.toLowerCase()));
  result.updated = names.length - missing.length;
  await withDirectory(storage.directory, async (client) => {
    for (const name of missing) {
      await client.add(`${rdnOf(kind.nameAttribute, name)},${kind.base}`, {
        objectClass: [...kind.objectClasses],
        [kind.nameAttribute]: [name],
        ...(kind.memberType === 'DN' && { [kind.memberAttribute]: [nobody] }),
      });
      result.added += 1;
    }
  });
  return result;
}

async function namesOf(
  { database }: StorageServices,
  { realmId }: Storage,
  mapper: Mapper,
  kind: MappedKind,
): Promise<string[]> {
  if (kind.kind === 'group') {
    const groups = await database.read.group.findMany({
      where: { realmId, path: { startsWith: `${rootOf(mapper)}/` } },
      select: { name: true },
    });
    return [...new Set(groups.map(({ name }) => name))];
  }
  const clientId = one(mapper.config, 'client.id');
  const ofClient = !flagOf(mapper.config, 'use.realm.roles.mapping', true) && clientId !== undefined;
  const where = ofClient ? { client: { realmId, clientId } } : { container: realmId };
  return (await database.read.role.findMany({ where, select: { name: true } })).map(({ name }) => name);
}
