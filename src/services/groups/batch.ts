import { listed } from '../../database/lists.js';
import { permissionFor } from '../core/allow.js';
import { onError } from '../core/batch.js';
import { type At, batchOf } from '../core/batch-of.js';
import { MergePatch } from '../core/patch.js';
import { found } from '../core/refusal.js';
import { int, list, representation, text, texts } from '../core/shape.js';
import { updateGroups } from './changing.js';
import { childrenOf, type GroupContainer, type GroupTarget, topLevel } from './locate.js';
import { get, patch, remove, removeGroups, update } from './operations.js';
import { type MovedGroup, move, moveGroups } from './placing.js';
import { eachAndBelow, eachAndBelowWith, type FullGroup, full, readGroup } from './store.js';

const GroupIds = representation('GroupDeleteBatch', { groups: texts, onError });
const GroupPatch = representation('GroupPatch', { id: text, expectedVersion: int, group: MergePatch });
const GroupPatches = representation('GroupUpdateBatch', { groups: list(GroupPatch), onError });

const GroupMoves = representation('GroupMoveBatch', { groups: texts, parent: text, onError });

async function groupsById({ tx, realm }: At, ids: string[]): Promise<ReadonlyMap<string, GroupTarget>> {
  const groups = await tx.group.findMany({ where: { realmId: realm.id, id: { in: ids } }, select: full });
  return new Map(groups.map((group) => [group.id, { realm, group, path: `groups/${group.id}` }]));
}

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
  entitled: (tx, items) => ({
    groups: eachAndBelow(
      listed(
        tx,
        items.map(({ id }) => id),
      ),
    ),
  }),
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
  versionOf: ({ group }) => group,
  entitled: (tx, items) => {
    const renamed = items.filter(({ target, input }) => input.name !== undefined && input.name !== target.group.name);
    if (renamed.length === 0) return {};
    return {
      groups: eachAndBelow(
        listed(
          tx,
          renamed.map(({ id }) => id),
        ),
      ),
    };
  },
  queue: ({ realm }) => ({ model: 'Realm', id: realm.id }),
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

export const moveMany = batchOf<GroupMove, undefined, undefined, MovedGroup, typeof GroupMoves>({
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
  inputOf: () => undefined,
  find: async (at, ids, { parent }): Promise<ReadonlyMap<string, GroupMove>> => {
    const { tx, realm } = at;
    const group = parent === undefined ? undefined : found(await readGroup(tx, parent), 'Group not found');
    const container = group ? childrenOf({ realm, group, path: '' }) : topLevel(realm);
    const groups = await groupsById(at, ids);
    return new Map([...groups].map(([id, target]) => [id, { ...container, moved: target.group }]));
  },
  entitled: (tx, items) => {
    const groups = listed(
      tx,
      items.map(({ id }) => id),
    );
    const parent = items[0]?.target.parent;
    return { groups: parent ? eachAndBelowWith(groups, parent.id) : eachAndBelow(groups) };
  },
  queue: ({ realm }) => ({ model: 'Realm', id: realm.id }),
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
