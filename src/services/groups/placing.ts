import type { Db } from '../../database/db.js';
import { unionOf } from '../../database/lists.js';
import { write } from '../core/operation.js';
import { conflict, invalid, notFound, Refusal } from '../core/refusal.js';
import { attributeRows } from '../core/view.js';
import type { GroupContainer } from './locate.js';
import { encodeFullGroup, type GroupInput, GroupRepresentation } from './representation.js';
import {
  type FullGroup,
  groupAndBelow,
  groupWithId,
  isAtOrAbove,
  longestPath,
  readGroup,
  refreshPaths,
  tooLongAmong,
} from './store.js';

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

/** Refuses paths that are too long, then writes those of a group and of all that is below it. */
async function placed(tx: Db, id: string): Promise<void> {
  if ((await tooLongAmong(tx, [id])).size > 0) throw tooLong('name');
  await refreshPaths(tx, [id]);
}

/** What the contract answers to a name that is taken where the group should go. */
const taken = ({ name }: GroupInput, { parent }: GroupContainer): Refusal =>
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

export const move = write({
  name: 'group.move',
  summary: 'Moves the group with the given ID, with its subgroups, to the top level or below another group.',
  input: GroupRepresentation,
  allow: 'manage:groups',
  // its members get the roles of the groups above, and lose those of before
  grants: ({ parent }: GroupContainer, { id = '' }) => ({
    groups: unionOf([groupAndBelow(id), groupWithId(parent?.id ?? id)]),
  }),
  check: async (_permit, { realm }: GroupContainer, { id, name }, ctx) => {
    namedGroup(name);
    const group = await ctx.db.group.findFirst({ where: { id: id ?? '', realmId: realm.id }, select: { id: true } });
    if (!group) throw notFound('Could not find child by id');
  },
  queue,
  lock: (_container, { id = '' }) => ({ model: 'Group', id }),
  run: async (
    tx,
    { id: container, parent }: GroupContainer,
    { id = '' },
  ): Promise<{ group: FullGroup; before: FullGroup }> => {
    const before = await readGroup(tx, id);
    if (!before) throw notFound('Could not find child by id');
    const parentId = parent?.id ?? null;
    if (before.parentId === parentId) return { group: before, before };
    if (parentId !== null && (await isAtOrAbove(tx, id, parentId))) {
      throw invalid('A group must not be moved into itself or one of its subgroups', 'parent', { code: 'CYCLE' });
    }
    await tx.later.group.updateMany({ where: { id }, data: { parentId, container, version: { increment: 1 } } });
    await placed(tx, id);
    return { group: (await readGroup(tx, id)) as FullGroup, before };
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
