import { abilitiesOf } from '../core/ability.js';
import { update as updateManagementPermission } from '../permissions/operations.js';
import { addComposites } from './composites.js';
import { remove, update } from './operations.js';

interface Row {
  id: string;
  clientId: string | null;
  administration: object | null;
}

/** What can be done with a role. */
export const roleAbilities = abilitiesOf<Row>()({
  reads: { clientId: true, administration: { select: { roleId: true } } },
  target: (role) => ({ role }),
  of: {
    update: { operation: update },
    delete: {
      operation: remove,
      bars: {
        ADMINISTRATION: ({ administration }) => administration !== null,
        DEFAULT_ROLE: ({ id }, { defaultRoleId }) => id === defaultRoleId,
      },
    },
    updateManagementPermission: { operation: updateManagementPermission },
    addComposites: { operation: addComposites },
  },
});
