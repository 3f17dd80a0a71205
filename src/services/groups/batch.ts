import { listed } from '../../database/lists.js';
import { onError } from '../core/batch.js';
import { type At, batchOf } from '../core/batch-of.js';
import { representation, texts } from '../core/shape.js';
import type { GroupTarget } from './locate.js';
import { get, remove, removeGroups } from './operations.js';
import { eachAndBelow, type FullGroup, full } from './store.js';

const GroupIds = representation('GroupDeleteBatch', { groups: texts, onError });

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
  items: ({ groups = [] }) => groups.map((id) => ({ id, input: undefined })),
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
