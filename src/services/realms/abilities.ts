import { clearAllFailures } from '../attack-detection/operations.js';
import { create as createFlow } from '../authentication/flows.js';
import { create as createInitialAccess } from '../client-registration/initial-access.js';
import { create as createScope } from '../client-scopes/operations.js';
import { create as createClient } from '../clients/operations.js';
import { create as createComponent } from '../components/write.js';
import { abilitiesOf } from '../core/ability.js';
import { clearEvents } from '../events/login-operations.js';
import { clearAdminEvents } from '../events/operations.js';
import { create as createGroup } from '../groups/placing.js';
import { create as createProvider } from '../identity-providers/write.js';
import { update as updateManagementPermission } from '../permissions/operations.js';
import { create as createRole } from '../roles/operations.js';
import { createUser } from '../users/operations.js';
import { create as createWebhook } from '../webhooks/operations.js';
import { masterName } from './defaults/master.js';
import { remove, update } from './operations.js';
import { partialImport } from './partial-import/operation.js';
import { logoutAll, pushRevocation } from './upkeep.js';

/** The possible actions on a realm. */
export const realmAbilities = abilitiesOf<{ id: string; name: string }>()({
  reads: { name: true },
  target: () => ({}),
  of: {
    update: { operation: update },
    delete: { operation: remove, bars: { ADMINISTRATION: ({ name }) => name === masterName } },
    createUser: { operation: createUser },
    createGroup: { operation: createGroup },
    createRole: { operation: createRole, kind: 'realm role' },
    createClient: { operation: createClient },
    createClientScope: { operation: createScope },
    createClientInitialAccess: { operation: createInitialAccess },
    createIdentityProvider: { operation: createProvider },
    createAuthenticationFlow: { operation: createFlow },
    createComponent: { operation: createComponent },
    createWebhook: { operation: createWebhook },
    updateManagementPermission: { operation: updateManagementPermission, kind: 'all users' },
    partialImport: { operation: partialImport },
    pushRevocation: { operation: pushRevocation },
    logoutAll: { operation: logoutAll, isApart: true },
    clearLoginFailures: { operation: clearAllFailures, isApart: true },
    clearAdminEvents: { operation: clearAdminEvents },
    clearLoginEvents: { operation: clearEvents },
  },
});
