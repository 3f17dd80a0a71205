import { masterRoles } from '../defaults/master.js';
import { adminRoles, realmAdmin } from '../defaults/roles.js';
import type { Draft } from './draft.js';

/**
 * Records the administration roles of a new realm: only here, names determine them. The roles of the client that
 * represents the realm in the master realm are included.
 */
export function assembleAdministration(draft: Draft, adminClientId: string | null): void {
  const { realmId, isMaster, clientByName } = draft;
  const rights = [...adminRoles, realmAdmin].map(({ name }) => name);
  if (adminClientId) addRights(draft, adminClientId, rights);
  if (isMaster) {
    addRights(
      draft,
      realmId,
      masterRoles.map(({ name }) => name),
    );
    return;
  }
  const management = clientByName.get('realm-management');
  if (management) addRights(draft, management.id, rights);
}

function addRights({ rolesOf, rows, realmId }: Draft, container: string, rights: readonly string[]): void {
  for (const right of rights) {
    const role = rolesOf.get(container)?.get(right);
    if (role) rows.AdministrationRole.push({ roleId: role.id, realmId, right });
  }
}
