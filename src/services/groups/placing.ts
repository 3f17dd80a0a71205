import type { Db } from '../../database/db.js';
import { updateEach } from '../../database/update-each.js';
import { onlyOne } from '../core/batch.js';
import { performAccepted } from '../core/batch-of.js';
import { write } from '../core/operation.js';
import { conflict, invalid, notFound, Refusal } from '../core/refusal.js';
import { attributeRows } from '../core/view.js';
import type { GroupContainer } from './locate.js';
import { encodeFullGroup, type GroupInput, GroupRepresentation } from './representation.js';
import { atOrAbove, type FullGroup, longestPath, readGroup, readGroups, refreshPaths, tooLongAmong } from './store.js';

const longestName = 255;

/** The name of a group that is sent. */
export function namedGroup(name: string | undefined, field = 'name'): string {
  if (!name) throw invalid('Group name is missing', field, { code: 'NAME_INVALID' });
  if (name.length > longestName)
    throw invalid(`A group name must be at most ${longestName} characters`, field, { code: 'NAME_INVALID' });
  return name;
}

/** Refuses a path of so many bytes where that is too many; `field` is the input at fault. */
export function fitting(bytes: number, field = 'name'): void {
  if (bytes > longestPath) throw tooLong(field);
}

/** The refusal of a group with a path that is too long, or has one below it. */
export const tooLong = (field: string): Refusal =>
  invalid(`A group path must be at most ${longestPath} bytes`, field, { code: 'LIMIT_REACHED' });

/** What the contract answers to a name that is taken where the group should go. */
const taken = ({ name }: Pick<GroupInput, 'name'>, { parent }: GroupContainer): Refusal =>
  parent
    ? new Refusal('conflict', `Sibling group named '${name}' already exists.`, {
        field: 'name',
        code: 'NAME_TAKEN',
        body: { error: 'unknown_error' },
      })
    : conflict(`Top level group named '${name}' already exists.`, 'name', 'NAME_TAKEN');

/** Paths depend on all groups above: creating, renaming, and moving groups of a realm is serialised. */
const queue = ({ realm }: GroupContainer) => ({ model: 'Realm', id: realm.id }) as const;

async function pathOf(tx: Db, parent: FullGroup | undefined): Promise<string> {
  if (!parent) return '';
  const now = await tx.group.findUnique({ where: { id: parent.id }, select: { path: true } });
  if (!now) throw notFound('Could not find group by id');
  return now.path;
}

export const create = write({
  name: 'group.create',
  summary: 'Creates a group at the top level or below another group. Roles and subgroups in the body are ignored.',
  input: GroupRepresentation,
  allow: 'manage:groups',
  queue: (container) => (container.parent ? queue(container) : undefined),
  run: async (tx, { realm, id: container, parent }: GroupContainer, input, { ctx }): Promise<FullGroup> => {
    const name = namedGroup(input.name);
    const path = `${await pathOf(tx, parent)}/${name}`;
    fitting(Buffer.byteLength(path));
    const id = ctx.services.newId();
    const parentId = parent?.id ?? null;
    await tx.group.createMany({
      data: { id, realmId: realm.id, parentId, container, name, path, search: name.toLowerCase() },
    });
    const attributes = attributeRows('groupId', id, input.attributes ?? {});
    if (attributes.length > 0) await tx.groupAttribute.createMany({ data: attributes });
    return { id, name, path, parentId, isDefault: false, version: 0, attributes, roles: [] };
  },
  refuses: ['NAME_TAKEN', 'NAME_INVALID', 'LIMIT_REACHED'],
  conflict: taken,
  event: ({ id }, { parent, path }, { name, attributes }) => ({
    operationType: 'CREATE',
    resourceType: 'GROUP',
    resourcePath: parent ? path : `${path}/${id}`,
    resourceId: id,
    representation: { id, name, ...(attributes && { attributes }) },
  }),
  touches: ({ id }, { realm }) => [`groups:${realm.id}`, `group:${id}`],
});

/** A group after a move, as it was before it. */
export interface MovedGroup {
  id: string;
  group: FullGroup;
  before: FullGroup;
}

/** Those of the groups that may go to a place by their names and the tree; with refusals in place of the others. */
async function movable(
  tx: Db,
  container: GroupContainer,
  groups: readonly FullGroup[],
): Promise<(FullGroup | Refusal)[]> {
  const { id, realm, parent } = container;
  const going = groups.filter(({ parentId }) => parentId !== (parent?.id ?? null));
  if (going.length === 0) return [...groups];
  const above = parent ? await atOrAbove(tx, parent.id) : new Set<string>();
  const names = going.map(({ name }) => name);
  const where = { realmId: realm.id, container: id, name: { in: names } };
  const present = await tx.group.findMany({ where, select: { name: true } });
  const takenNames = new Set(present.map(({ name }) => name));
  return groups.map((group) => {
    if (!going.includes(group)) return group;
    if (above.has(group.id)) {
      return invalid('A group must not be moved into itself or one of its subgroups', 'parent', { code: 'CYCLE' });
    }
    if (takenNames.has(group.name)) return taken(group, container);
    takenNames.add(group.name);
    return group;
  });
}

/** Moves groups with all below them to one place; with refusals in place of those that cannot go there. */
export async function moveGroups(
  tx: Db,
  container: GroupContainer,
  groups: readonly FullGroup[],
): Promise<(MovedGroup | Refusal)[]> {
  const { realm, parent } = container;
  const row = (id: string, parentId: string | null) => ({ id, parentId, container: parentId ?? realm.id });
  return performAccepted(await movable(tx, container, groups), async (given) => {
    const going = given.filter(({ parentId }) => parentId !== (parent?.id ?? null));
    const ids = going.map(({ id }) => id);
    if (ids.length === 0) return given.map((group) => ({ id: group.id, group, before: group }));
    await updateEach(
      tx,
      'Group',
      ids.map((id) => row(id, parent?.id ?? null)),
    );
    const refused = await tooLongAmong(tx, ids);
    await updateEach(
      tx,
      'Group',
      going.filter(({ id }) => refused.has(id)).map(({ id, parentId }) => row(id, parentId)),
    );
    await refreshPaths(tx, ids);
    const after = await readGroups(
      tx,
      given.map(({ id }) => id),
    );
    return given.map((before, at) =>
      refused.has(before.id) ? tooLong('name') : { id: before.id, group: after[at] as FullGroup, before },
    );
  });
}

export const move = write({
  name: 'group.move',
  summary: 'Moves the group with the given ID, with its subgroups, to the top level or below another group.',
  input: GroupRepresentation,
  allow: 'manage:groups',
  // its members get the roles of the groups above, and lose those of before
  grants: ({ parent }: GroupContainer, { id = '' }) => ({
    trees: [id],
    groups: parent ? [parent.id] : [],
  }),
  check: async (_permit, { realm }: GroupContainer, { id, name }, ctx) => {
    namedGroup(name);
    const group = await ctx.db.group.findFirst({ where: { id: id ?? '', realmId: realm.id }, select: { id: true } });
    if (!group) throw notFound('Could not find child by id');
  },
  queue,
  lock: (_container, { id = '' }) => ({ model: 'Group', id }),
  run: async (tx, container: GroupContainer, { id = '' }): Promise<MovedGroup> => {
    const before = await readGroup(tx, id);
    if (!before) throw notFound('Could not find child by id');
    return onlyOne(await moveGroups(tx, container, [before]));
  },
  refuses: ['NAME_TAKEN', 'CYCLE', 'LIMIT_REACHED'],
  conflict: taken,
  event: ({ group, before }, { path }) => ({
    operationType: 'UPDATE',
    resourceType: 'GROUP',
    resourcePath: path,
    representation: encodeFullGroup(group),
    before: encodeFullGroup(before),
  }),
  // with another parent, its members have other roles
  touches: ({ group }, { realm }) => [`groups:${realm.id}`, `group:${group.id}`, 'rights'],
});
