import { abilitiesOf } from '../core/ability.js';
import { update as updateManagementPermission } from '../permissions/operations.js';
import { administrationRead, isRequired } from './changing.js';
import { addComposites } from './composites.js';
import { remove, update } from './operations.js';

interface Row {
  id: string;
  clientId: string | null;
  administration: Parameters<typeof isRequired>[0] | null;
}

/** What can be done with a role. */
export const roleAbilities = abilitiesOf<Row>()({
  reads: { clientId: true, administration: { select: administrationRead } },
  target: (role) => ({ role }),
  of: {
    update: { operation: update },
    delete: {
      operation: remove,
      bars: {
        ADMINISTRATION: ({ administration }) => administration !== null && isRequired(administration),
        DEFAULT_ROLE: ({ id }, { defaultRoleId }) => id === defaultRoleId,
      },
    },
    updateManagementPermission: { operation: updateManagementPermission },
    addComposites: { operation: addComposites },
  },
});
