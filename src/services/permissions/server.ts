import type { Prisma } from '../../generated/sqlite/client.js';
import type { RealmRecord } from '../core/realm.js';

/** The condition for the client whose authorization services decide about the administration of a realm. */
export const administrationClient = (
  realm: Pick<RealmRecord, 'id' | 'name' | 'adminClientId'>,
): Prisma.ClientWhereInput =>
  // the master realm is administered through roles of a client with another name
  realm.name === 'master' && realm.adminClientId
    ? { id: realm.adminClientId }
    : { realmId: realm.id, clientId: 'realm-management' };
