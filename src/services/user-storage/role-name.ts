import type { Db } from '../../database/db.js';
import { rolesOf } from '../roles/container.js';

interface NamedRole {
  id: string;
  name: string;
}

/** The role that a setting names. */
export const findRole = async (db: Db, realm: { id: string }, text: string): Promise<NamedRole | undefined> =>
  (await rolesNamed(db, realm, text))[0];

/**
 * The roles that a setting may mean: `name` or, of a client, `clientId.name`. Both parts may have dots, so all ways to part
 * it are looked at: the realm's own role comes first, then those of clients in the order of their ids.
 */
export async function rolesNamed(db: Db, realm: { id: string }, text: string): Promise<NamedRole[]> {
  const parts = text.split('.');
  const ofClients = parts.slice(1).map((_, at) => ({
    name: parts.slice(at + 1).join('.'),
    client: { realmId: realm.id, clientId: parts.slice(0, at + 1).join('.') },
  }));
  const roles = await db.role.findMany({
    where: { OR: [{ ...rolesOf(realm, realm), name: text }, ...ofClients] },
    select: { id: true, name: true, clientId: true },
    orderBy: { id: 'asc' },
  });
  return [...roles.filter(({ clientId }) => clientId === null), ...roles.filter(({ clientId }) => clientId !== null)];
}
