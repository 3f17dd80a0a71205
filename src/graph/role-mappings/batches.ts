import type { PluralResult } from '../../services/core/batch-of.js';
import { addToGroups, removeFromGroups } from '../../services/role-mappings/batch.js';
import { leftOut, onErrorField, realmOfBatch, rolesField } from '../core/batch.js';
import { mutation } from '../core/mutation.js';
import { parseIds } from '../core/node.js';
import { Group } from '../groups/groups.js';

for (const [name, operation, description] of [
  ['groupsAddRoles', addToGroups, 'Maps roles to up to 1000 groups in one transaction.'],
  ['groupsRemoveRoles', removeFromGroups, 'Removes role mappings from up to 1000 groups in one transaction.'],
] as const) {
  mutation(name, {
    description: `${description} At most 10,000 pairs of a group and a role.`,
    operation,
    input: (t) => ({
      realm: t.id({ required: true, description: 'ID of the realm of the groups.' }),
      groups: t.idList({ required: true, description: 'IDs of the groups. They must belong to the realm.' }),
      roles: rolesField(t),
      onError: onErrorField(t),
    }),
    locate: (input, ctx) => realmOfBatch(ctx, input.realm),
    send: ({ groups, roles, onError }) => ({
      groups: parseIds(groups, 'groups', 'Group'),
      roles: parseIds(roles, 'roles', 'Role'),
      onError,
    }),
    leftOut,
    returns: {
      groups: {
        type: Group,
        model: 'group',
        description: 'Groups that were written, in the order of the input.',
        ids: ({ done }: PluralResult) => done.map(({ id }) => id),
      },
    },
  });
}
