import type { Prisma } from '../../generated/sqlite/client.js';
import type { RealmRecord } from '../realms/record.js';

/** The condition for the client whose authorization services decide about the administration of a realm. */
export const administrationClient = (
  realm: Pick<RealmRecord, 'id' | 'name' | 'adminClientId'>,
): Prisma.ClientWhereInput =>
  // the master realm is administered by roles of a client that goes by its own name
  realm.name === 'master' && realm.adminClientId
    ? { id: realm.adminClientId }
    : { realmId: realm.id, clientId: 'realm-management' };

/** The client whose authorization services decide, where any management permissions were switched on. */
export const decidingServer = ({
  name,
  adminClientId,
  clients,
}: Pick<RealmRecord, 'name' | 'adminClientId' | 'clients'>): { id: string } | undefined =>
  clients.find(({ id, clientId }) => (name === 'master' ? id === adminClientId : clientId === 'realm-management'));
