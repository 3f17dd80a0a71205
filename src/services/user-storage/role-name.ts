import type { Db } from '../../database/db.js';
import { rolesOf } from '../roles/container.js';

/**
 * The role that a setting names: `name` or, of a client, `clientId.name`. Both parts may have dots, so all ways to part
 * it are looked at, the realm's own role first.
 */
export async function findRole(
  db: Db,
  realm: { id: string },
  text: string,
): Promise<{ id: string; name: string } | undefined> {
  const parts = text.split('.');
  const ofClients = parts.slice(1).map((_, at) => ({
    name: parts.slice(at + 1).join('.'),
    client: { realmId: realm.id, clientId: parts.slice(0, at + 1).join('.') },
  }));
  const roles = await db.role.findMany({
    where: { OR: [{ ...rolesOf(realm, realm), name: text }, ...ofClients] },
    select: { id: true, name: true, clientId: true },
  });
  return roles.find(({ clientId }) => clientId === null) ?? roles[0];
}
