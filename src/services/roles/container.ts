import type { Prisma } from '../../generated/sqlite/client.js';
import type { Identified } from './store.js';

/**
 * The condition for the roles of a realm, or of one of its clients. It names the realm and the kind of the container: an
 * id alone never says whose roles are meant.
 */
export const rolesOf = (realm: Identified, container: Identified) =>
  ({
    container: container.id,
    realmId: realm.id,
    clientId: container.id === realm.id ? null : container.id,
  }) satisfies Prisma.RoleWhereInput;
