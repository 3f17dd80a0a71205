import type { Db } from '../../../database/db.js';
import type { Prisma } from '../../../generated/sqlite/client.js';
import { attributeRows, grouped } from '../../core/view.js';
import { rolesOf } from '../../roles/container.js';
import { roleRow } from '../../roles/row.js';
import { clientIdOf, flagOf, rootOf } from '../config.js';
import type { MappedEntry } from '../mapped-entries.js';
import { nothingDone, type SyncResult } from '../representation.js';
import type { Mapper, StorageServices } from '../storage.js';
import { administrationAmong, isGrantable, type Kind } from '../store.js';
import { hasStorableName, placedGroups } from './group-tree.js';

/** The objects of the realm for the entries of a mapper: IDs by the DNs of the entries. */
export interface Mapped {
  ids: ReadonlyMap<string, string>;
  result: SyncResult;
  /** entries that cannot be stored, or not with all of their attributes */
  failed: readonly MappedEntry[];
}

const isStorable = (values: readonly string[]): boolean => !values.some((value) => value.includes('\0'));

/**
 * Updates the groups of a realm from the directory: creates missing groups and, if the mapper is set so, deletes groups
 * that the directory does not have. A fixed number of statements.
 */
export async function importGroups(
  tx: Db,
  { newId }: Pick<StorageServices, 'newId'>,
  realmId: string,
  mapper: Mapper,
  entries: readonly MappedEntry[],
  whole: boolean,
): Promise<Mapped> {
  const root = rootOf(mapper);
  const inherits = flagOf(mapper.config, 'preserve.group.inheritance', true) && whole;
  const { placed, failed: unplaced } = placedGroups(entries, root, inherits);
  const partly = placed
    .map(({ entry }) => entry)
    .filter(({ attributes }) => !Object.values(attributes).every(isStorable));
  const failed = [...unplaced, ...partly];
  const result: SyncResult = { ...nothingDone(), failed: failed.length };
  const present = await tx.group.findMany({
    where: { realmId, path: { in: [...placed.map(({ path }) => path), root] } },
    select: {
      id: true,
      path: true,
      attributes: { select: { name: true, value: true }, orderBy: [{ position: 'asc' }] },
    },
  });
  const byPath = new Map(present.map((group) => [group.path, group]));
  const ids = new Map(present.map(({ path, id }) => [path, id]));
  if (root !== '' && !ids.has(root)) {
    return { ids: new Map(), result: { ...result, failed: entries.length }, failed: entries };
  }
  const rows: Prisma.GroupCreateManyInput[] = [];
  for (const { path, parentPath, name } of placed) {
    if (ids.has(path)) continue;
    const id = newId();
    const parentId = parentPath === '' ? null : (ids.get(parentPath) ?? null);
    rows.push({ id, realmId, parentId, container: parentId ?? realmId, name, path, search: name.toLowerCase() });
    ids.set(path, id);
  }
  if (rows.length > 0) await tx.group.createMany({ data: rows });
  const changed = placed.flatMap(({ path, entry }) => {
    const id = ids.get(path) ?? '';
    const had = grouped(byPath.get(path)?.attributes ?? []);
    const differing = Object.entries(entry.attributes).filter(
      ([name, values]) => isStorable(values) && String(had[name] ?? []) !== String(values),
    );
    return differing.length === 0 ? [] : { id, attributes: { ...had, ...Object.fromEntries(differing) } };
  });
  if (changed.length > 0) {
    await tx.groupAttribute.deleteMany({ where: { groupId: { in: changed.map(({ id }) => id) } } });
    const attributes = changed.flatMap((group) => attributeRows('groupId', group.id, group.attributes));
    if (attributes.length > 0) await tx.groupAttribute.createMany({ data: attributes });
  }
  result.added = rows.length;
  result.updated = placed.length - rows.length;
  if (whole && flagOf(mapper.config, 'drop.non.existing.groups.during.sync')) {
    result.removed = await dropOthers(
      tx,
      realmId,
      mapper,
      placed.map(({ path }) => path),
    );
  }
  const byDn = new Map(placed.map(({ entry, path }) => [entry.dn, ids.get(path) ?? '']));
  return { ids: byDn, result, failed };
}

/**
 * Deletes other groups below the mapper's path. Groups with administration roles are deleted only if the mapper may
 * give them.
 */
async function dropOthers(tx: Db, realmId: string, mapper: Mapper, paths: readonly string[]): Promise<number> {
  const below = await tx.group.findMany({
    where: { realmId, path: { startsWith: `${rootOf(mapper)}/` } },
    select: { id: true, path: true },
  });
  const known = new Set(paths);
  const administration = await administrationAmong(
    tx,
    'group',
    below.map(({ id }) => id),
  );
  // deleting a group would delete the groups below it
  const kept = new Set([...administration.values()].filter((places) => !isGrantable(places, mapper.grantable)).flat());
  const gone = below.filter(({ id, path }) => !known.has(path) && !kept.has(id)).map(({ id }) => id);
  if (gone.length > 0) await tx.group.deleteMany({ where: { id: { in: gone } } });
  return gone.length;
}

/** Creates missing roles, of the realm or of the client that the mapper names. */
export async function importRoles(
  tx: Db,
  { newId }: Pick<StorageServices, 'newId'>,
  realmId: string,
  mapper: Mapper,
  entries: readonly MappedEntry[],
): Promise<Mapped> {
  const fitting = entries.filter(hasStorableName);
  const failed = entries.filter((entry) => !hasStorableName(entry));
  const client = await clientOf(tx, realmId, mapper);
  if (client === undefined) {
    return { ids: new Map(), result: { ...nothingDone(), failed: entries.length }, failed: entries };
  }
  const container = client ?? realmId;
  const names = [...new Set(fitting.map(({ name }) => name))];
  const present = await tx.role.findMany({
    where: { ...rolesOf({ id: realmId }, { id: container }), name: { in: names } },
    select: { id: true, name: true },
  });
  const ids = new Map(present.map(({ id, name }) => [name, id]));
  const rows = names
    .filter((name) => !ids.has(name))
    .map((name) => roleRow({ id: newId(), realmId, clientId: client, name }));
  if (rows.length > 0) await tx.role.createMany({ data: rows });
  for (const { name, id } of rows) ids.set(name, id);
  const byDn = new Map(fitting.map(({ dn, name }) => [dn, ids.get(name) ?? '']));
  const result = { ...nothingDone(), added: rows.length, updated: present.length, failed: failed.length };
  return { ids: byDn, result, failed };
}

/** The client of the mapper's roles: null for realm roles, undefined if the client does not exist. */
async function clientOf(tx: Db, realmId: string, { config }: Mapper): Promise<string | null | undefined> {
  const clientId = clientIdOf(config);
  if (clientId === undefined) return null;
  const client = await tx.client.findFirst({ where: { realmId, clientId }, select: { id: true } });
  return client?.id;
}

/**
 * The groups or roles of a realm for these entries of a mapper, by their DNs: one statement, or two for the roles of a
 * client. Undefined if one is missing or ambiguous.
 */
export async function placeOf(
  db: Db,
  realmId: string,
  mapper: Mapper,
  kind: Kind,
  entries: readonly MappedEntry[],
): Promise<Map<string, string> | undefined> {
  const fitting = entries.filter(hasStorableName);
  if (fitting.length === 0) return new Map();
  const names = [...new Set(fitting.map(({ name }) => name))];
  const present =
    kind === 'group' ? await groupsNamed(db, realmId, mapper, names) : await rolesNamed(db, realmId, mapper, names);
  const ids = new Map(present.map(({ name, id }) => [name, id]));
  if (present.length !== names.length || ids.size !== names.length) return undefined;
  return new Map(fitting.map(({ dn, name }) => [dn, ids.get(name) ?? '']));
}

function groupsNamed(db: Db, realmId: string, mapper: Mapper, names: string[]) {
  const root = rootOf(mapper);
  const place = flagOf(mapper.config, 'preserve.group.inheritance', true)
    ? { name: { in: names }, path: { startsWith: `${root}/` } }
    : { path: { in: names.map((name) => `${root}/${name}`) } };
  return db.group.findMany({ where: { realmId, ...place }, select: { id: true, name: true } });
}

async function rolesNamed(db: Db, realmId: string, mapper: Mapper, names: string[]) {
  const client = await clientOf(db, realmId, mapper);
  if (client === undefined) return [];
  return db.role.findMany({
    where: { ...rolesOf({ id: realmId }, { id: client ?? realmId }), name: { in: names } },
    select: { id: true, name: true },
  });
}
