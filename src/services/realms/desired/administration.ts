import type { Db } from '../../../database/db.js';
import type { Context } from '../../core/context.js';
import type { RealmRecord } from '../../core/realm.js';
import { invalid, type Refusal, refuseAll } from '../../core/refusal.js';
import { masterName } from '../defaults/master.js';
import { requireOpenMaster } from '../open-master.js';
import type { Delta, Row } from './delta.js';
import type { Json } from './kinds.js';

const needed = { code: 'ADMINISTRATION' } as const;

/** The rows of a table that are deleted, or whose value in this column changes, in their current state. */
function lostRows(delta: Delta, model: 'Role' | 'Client', column: string): Row[] {
  const { deleted = [], updated = [] } = delta.get(model) ?? {};
  return [...deleted, ...updated.flatMap(({ before, columns }) => (columns.includes(column) ? [before] : []))];
}

const idsOf = (rows: readonly Row[], column = 'id'): string[] => rows.map((row) => String(row[column]));

/**
 * Refusals of administration roles that are deleted or renamed, and of composites that the master realm's role `admin`
 * loses.
 */
async function lostRoles(db: Db, realm: RealmRecord, delta: Delta): Promise<Refusal[]> {
  const roles = lostRows(delta, 'Role', 'name');
  const links = realm.name === masterName ? (delta.get('CompositeRole')?.deleted ?? []) : [];
  const ids = [...idsOf(roles), ...idsOf(links, 'parentId'), ...idsOf(links, 'childId')];
  if (ids.length === 0) return [];
  const found = await db.administrationRole.findMany({
    where: { roleId: { in: [...new Set(ids)] } },
    select: { roleId: true, realmId: true, right: true },
  });
  const byRole = new Map<unknown, (typeof found)[number]>(found.map((row) => [row.roleId, row]));
  const refused = roles.flatMap(({ id, name }) =>
    byRole.has(id)
      ? [invalid(`Administration role ${String(name)} cannot be removed or renamed`, 'roles', needed)]
      : [],
  );
  const taken = links.flatMap(({ parentId, childId }) => {
    const right = byRole.get(childId);
    const isOfAdministrators = byRole.get(parentId)?.right === 'admin' && right?.realmId === realm.id;
    return isOfAdministrators
      ? [invalid(`The role admin must keep ${right.right}: it administers the master realm`, 'roles', needed)]
      : [];
  });
  return [...refused, ...taken];
}

/** Refusals of clients that administer a realm and would go or get other names. */
async function lostClients(db: Db, delta: Delta): Promise<Refusal[]> {
  const clients = lostRows(delta, 'Client', 'clientId');
  if (clients.length === 0) return [];
  const administered = await db.realm.findMany({
    where: { adminClientId: { in: idsOf(clients) } },
    select: { name: true, adminClientId: true },
  });
  const names = new Map<unknown, string>(administered.map(({ adminClientId, name }) => [adminClientId, name]));
  return clients.flatMap(({ id, clientId }) => {
    const name = names.get(id);
    if (name === undefined) return [];
    const text = `Client ${String(clientId)} administers the realm ${name} and cannot be removed or renamed`;
    return [invalid(text, 'clients', needed)];
  });
}

/**
 * Refuses to remove objects that the administration of realms needs: their roles and clients, and everything that lets
 * users log in to the master realm. Operations on single objects have the same rules, except where the contract is more
 * lenient.
 */
export async function requireAdministration(
  ctx: Context,
  db: Db,
  realm: RealmRecord,
  given: Json,
  delta: Delta,
): Promise<void> {
  requireOpenMaster(ctx, { realm }, given);
  refuseAll([...(await lostRoles(db, realm, delta)), ...(await lostClients(db, delta))]);
}
