import { permissionFor } from '../core/allow.js';
import { onError } from '../core/batch.js';
import { type At, batchOf } from '../core/batch-of.js';
import { MergePatch } from '../core/patch.js';
import { found } from '../core/refusal.js';
import { int, list, representation, text, texts } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { name as realmName } from '../realms/operations.js';
import { updateGroups } from './changing.js';
import { createGroups, takenPlaces } from './creating.js';
import { childrenOf, type GroupContainer, type GroupTarget, topLevel } from './locate.js';
import { get, patch, remove, removeGroups, update } from './operations.js';
import { create, type MovedGroup, move, moveGroups } from './placing.js';
import { GroupRepresentation } from './representation.js';
import { type FullGroup, full, readGroup } from './store.js';

const GroupIds = representation('GroupDeleteBatch', { groups: texts, onError });
const GroupPatch = representation('GroupPatch', { id: text, expectedVersion: int, group: MergePatch });
const GroupPatches = representation('GroupUpdateBatch', { groups: list(GroupPatch), onError });

const GroupMoves = representation('GroupMoveBatch', { groups: texts, parent: text, onError });

const NewGroup = representation('NewGroup', { parent: text, group: GroupRepresentation });
const NewGroups = representation('GroupCreateBatch', { groups: list(NewGroup), onError });

async function groupsById({ tx, realm }: At, ids: string[]): Promise<ReadonlyMap<string, GroupTarget>> {
  const groups = await tx.group.findMany({ where: { realmId: realm.id, id: { in: ids } }, select: full });
  return new Map(groups.map((group) => [group.id, { realm, group, path: `groups/${group.id}` }]));
}

/** Those who change the tree of a realm queue for it. */
const queue = ({ realm }: Target) => ({ model: 'Realm', id: realm.id }) as const;

const many = { get, model: 'Group', kind: 'group', list: 'groups', find: groupsById } as const;

export const removeMany = batchOf({
  ...many,
  name: 'group.deleteMany',
  summary: 'Deletes several groups with their subgroups in one transaction.',
  one: remove,
  input: GroupIds,
  items: ({ groups = [] }) => groups.map((id) => ({ id, given: undefined })),
  inputOf: () => undefined,
  mode: (input) => input.onError,
  run: async ({ tx, realm }, items): Promise<FullGroup[]> => {
    const groups = items.map(({ target }) => target.group);
    await removeGroups(tx, realm, groups);
    return groups;
  },
});

export const updateMany = batchOf({
  ...many,
  name: 'group.updateMany',
  summary: 'Renames several groups of a realm and changes their attributes, in one transaction.',
  one: update,
  input: GroupPatches,
  items: ({ groups = [] }) =>
    groups.map(({ id = '', expectedVersion, group: given = {} }) => ({ id, expectedVersion, given })),
  mode: (input) => input.onError,
  inputOf: patch.inputOf,
  snapshot: patch.snapshot,
  versionOf: ({ group }) => group,
  queue,
  run: ({ tx, realm }, items) =>
    updateGroups(
      tx,
      realm,
      items.map(({ target, input }) => ({ group: target.group, input })),
    ),
  conflict: 'A group with one of these names was created in the meantime; retry',
});

interface GroupMove extends GroupContainer {
  moved: FullGroup;
}

export const moveMany = batchOf<GroupMove, undefined, { id: string }, MovedGroup, typeof GroupMoves>({
  get: { allow: permissionFor(get) },
  model: 'Group',
  kind: 'group',
  list: 'groups',
  name: 'group.moveMany',
  summary:
    'Moves several groups of a realm with their subgroups to the top level or below another group, in one transaction.',
  one: move,
  input: GroupMoves,
  items: ({ groups = [] }) => groups.map((id) => ({ id, given: undefined })),
  mode: (input) => input.onError,
  inputOf: ({ moved }) => ({ id: moved.id }),
  find: async (at, ids, { parent }): Promise<ReadonlyMap<string, GroupMove>> => {
    const { tx, realm } = at;
    const group = parent === undefined ? undefined : found(await readGroup(tx, parent), 'Group not found');
    const container = group ? childrenOf({ realm, group, path: '' }) : topLevel(realm);
    const groups = await groupsById(at, ids);
    return new Map([...groups].map(([id, target]) => [id, { ...container, moved: target.group }]));
  },
  queue,
  run: async ({ tx }, items) => {
    const [first] = items;
    return first
      ? moveGroups(
          tx,
          first.target,
          items.map(({ target }) => target.moved),
        )
      : [];
  },
  conflict: 'A group with one of these names was created in the meantime; retry',
});

/** The top level of the realm and groups of it, as places of groups. */
async function containersById(at: At, ids: string[]): Promise<ReadonlyMap<string, GroupContainer>> {
  const groups = await groupsById(at, ids);
  return new Map<string, GroupContainer>([
    [at.realm.id, topLevel(at.realm)],
    ...[...groups].map(([id, target]) => [id, childrenOf(target)] as const),
  ]);
}

export const createMany = batchOf({
  get: {
    allow: ({ parent }: GroupContainer) => permissionFor(parent ? get : realmName),
    about: ({ parent: group }) => ({ group }),
  },
  kind: 'realm or group',
  field: 'parent',
  list: 'groups',
  repeats: true,
  name: 'group.createMany',
  summary: 'Creates several groups at the top level or below other groups, in one transaction.',
  one: create,
  input: NewGroups,
  items: ({ groups = [] }) => groups.map(({ parent = '', group = {} }) => ({ id: parent, given: group })),
  mode: (input) => input.onError,
  inputOf: (_container, given) => given,
  find: containersById,
  queue,
  run: async ({ tx, ctx }, items) => {
    const wanted = items.map(({ target, input }) => ({ container: target, input }));
    return createGroups(tx, ctx.services, wanted, await takenPlaces(tx, wanted));
  },
  conflict: 'A group with one of these names was created in the meantime; retry',
});
