import { abilitiesOf } from '../core/ability.js';
import { update as updateManagementPermission } from '../permissions/operations.js';
import { addAny } from '../role-mappings/writes.js';
import { joinGroupsMany } from '../users/batch-links.js';
import { remove, update } from './operations.js';
import { create, move } from './placing.js';

/** What can be done with a group. */
export const groupAbilities = abilitiesOf<{ id: string }>()({
  reads: {},
  target: (group) => ({ group, owner: { kind: 'group', id: group.id } }),
  of: {
    update: { operation: update },
    delete: { operation: remove },
    move: { operation: move, target: () => ({}), input: ({ id }) => ({ id }) },
    createGroup: { operation: create, target: (parent) => ({ parent }) },
    addMembers: {
      operation: joinGroupsMany,
      target: () => ({}),
      input: ({ id }) => ({ users: [], groups: [id] }),
    },
    updateManagementPermission: { operation: updateManagementPermission, kind: 'group' },
    addRoles: { operation: addAny, kind: 'group' },
  },
});
