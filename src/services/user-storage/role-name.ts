import type { Db } from '../../database/db.js';
import { rolesOf } from '../roles/container.js';

interface NamedRole {
  id: string;
  name: string;
}

/** The role that a setting names. */
export const findRole = async (db: Db, realm: { id: string }, text: string): Promise<NamedRole | undefined> =>
  (await rolesNamedEach(db, realm, [text]))[0]?.[0];

/** The ways to split a text into the clientId of a client and the name of its role. */
const partsOf = (text: string): { clientId: string; name: string }[] => {
  const parts = text.split('.');
  return parts.slice(1).map((_, at) => ({
    clientId: parts.slice(0, at + 1).join('.'),
    name: parts.slice(at + 1).join('.'),
  }));
};

/**
 * The roles that each of some settings may name: `name` or, for a client role, `clientId.name`. Both parts may have
 * dots, so all ways to split them are tried. The realm role comes first, then roles of clients in the order of their
 * IDs. One statement.
 */
export async function rolesNamedEach(db: Db, realm: { id: string }, texts: readonly string[]): Promise<NamedRole[][]> {
  const parts = texts.flatMap(partsOf);
  const clients = { realmId: realm.id, clientId: { in: [...new Set(parts.map(({ clientId }) => clientId))] } };
  const roles = await db.role.findMany({
    where: {
      OR: [
        { ...rolesOf(realm, realm), name: { in: [...new Set(texts)] } },
        { client: clients, name: { in: [...new Set(parts.map(({ name }) => name))] } },
      ],
    },
    select: { id: true, name: true, client: { select: { clientId: true } } },
    orderBy: { id: 'asc' },
  });
  const keyOf = (clientId: string | undefined, name: string) => JSON.stringify([clientId ?? null, name]);
  const byKey = new Map<string, NamedRole[]>();
  for (const role of roles) {
    const key = keyOf(role.client?.clientId, role.name);
    byKey.set(key, [...(byKey.get(key) ?? []), role]);
  }
  return texts.map((text) => {
    const ofClients = partsOf(text).flatMap(({ clientId, name }) => byKey.get(keyOf(clientId, name)) ?? []);
    const ordered = ofClients.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    return [...(byKey.get(keyOf(undefined, text)) ?? []), ...ordered];
  });
}
