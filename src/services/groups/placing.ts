import type { Db } from '../../database/db.js';
import { updateEach } from '../../database/update-each.js';
import { onlyOne } from '../core/batch.js';
import { performAccepted } from '../core/batch-of.js';
import { write } from '../core/operation.js';
import { invalid, notFound, type Refusal } from '../core/refusal.js';
import { createGroups } from './creating.js';
import type { GroupContainer } from './locate.js';
import { namedGroup, takenHere, tooLong } from './names.js';
import { encodeFullGroup, GroupRepresentation } from './representation.js';
import { atOrAbove, type FullGroup, readGroup, readGroups, refreshPaths, tooLongAmong } from './store.js';

/** Paths depend on all groups above: creating, renaming, and moving groups of a realm is serialised. */
const queue = ({ realm }: GroupContainer) => ({ model: 'Realm', id: realm.id }) as const;

export const create = write({
  name: 'group.create',
  isShort: true,
  summary: 'Creates a group at the top level or below another group. Roles and subgroups in the body are ignored.',
  input: GroupRepresentation,
  allow: 'manage:groups',
  queue: (container) => (container.parent ? queue(container) : undefined),
  run: async (tx, container: GroupContainer, input, { ctx }): Promise<FullGroup> =>
    onlyOne(await createGroups(tx, ctx.services, [{ container, input }])),
  refuses: ['NAME_TAKEN', 'NAME_INVALID', 'LIMIT_REACHED'],
  conflict: takenHere,
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
    if (takenNames.has(group.name)) return takenHere(group, container);
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
  takesRights: true,
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
  conflict: takenHere,
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
