import type { Prisma } from '../../generated/sqlite/client.js';
import { list, write } from '../core/operation.js';
import type { RealmRecord } from '../core/realm.js';
import type { GroupTarget } from './locate.js';

export const listDefaults = list({
  name: 'group.listDefaults',
  summary: 'Returns the groups that new users of a realm join.',
  allow: 'view:realm',
  model: 'Group',
  where: ({ realm }: { realm: RealmRecord }): Prisma.GroupWhereInput => ({ realmId: realm.id, isDefault: true }),
  orderBy: [{ name: 'asc' }, { id: 'asc' }],
});

const setting = (isDefault: boolean) =>
  write({
    name: isDefault ? 'group.addDefault' : 'group.removeDefault',
    summary: isDefault
      ? 'Adds a group to the default groups of a realm, which new users join.'
      : 'Removes a group from the default groups of a realm. Existing members stay.',
    allow: 'manage:realm',
    // new members get its roles
    grants: ({ group }: GroupTarget) => ({ groups: isDefault ? [group.id] : [] }),
    lock: ({ group }: GroupTarget) => ({ model: 'Group', id: group.id }),
    run: async (tx, { group }: GroupTarget): Promise<{ id: string }> => {
      await tx.later.group.updateMany({
        where: { id: group.id, isDefault: !isDefault },
        data: { isDefault, version: { increment: 1 } },
      });
      return { id: group.id };
    },
    event: ({ id }) => ({
      operationType: isDefault ? 'CREATE' : 'DELETE',
      resourceType: 'GROUP',
      resourcePath: `default-groups/${id}`,
    }),
    touches: ({ id }, { realm }) => [`groups:${realm.id}`, `group:${id}`],
  });

/** Both change nothing for a group that is as it should be. */
export const addDefault = setting(true);
export const removeDefault = setting(false);
