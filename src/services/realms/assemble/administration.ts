import { masterRoles } from '../defaults/master.js';
import { adminRoles, realmAdmin } from '../defaults/roles.js';
import type { Draft } from './draft.js';

/**
 * Records which roles of a new realm administer it: here alone a name decides. Those of the client that stands for the realm
 * in the master realm are among them.
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
