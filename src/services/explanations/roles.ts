import type { Context } from '../core/context.js';
import { inToken } from '../core/held-rights.js';
import type { Permission } from '../core/permissions.js';
import { permitFor } from '../core/permit.js';
import type { RealmRecord } from '../core/realm.js';
import { givingRoles } from '../permissions/held.js';
import type { RoleReason, RoleRow } from './reasons.js';
import { stepsTo } from './store.js';
import { shortestWays, type Way } from './ways.js';

/** A user, and the realm that it is of. */
export interface AskedUser {
  id: string;
  realm: RealmRecord;
}

const roleSelect = {
  id: true,
  realmId: true,
  name: true,
  clientId: true,
  client: { select: { clientId: true } },
} as const;

async function rolesById(as: Context, ids: readonly string[]) {
  const where = { id: { in: [...new Set(ids)] } };
  const rows = ids.length === 0 ? [] : await as.db.role.findMany({ where, select: roleSelect });
  return new Map(rows.map((row) => [row.id, row]));
}

const namesOf = ({ name, client }: { name: string; client: { clientId: string } | null }) => ({
  name,
  client: client?.clientId ?? null,
});

const originOf = ({ groups, roles }: Way, { realm }: AskedUser): RoleReason['origin'] => {
  if (groups.length > 0) return 'GROUP';
  return roles[0] === realm.defaultRoleId ? 'DEFAULT_ROLE' : 'DIRECT';
};

/**
 * The user's administration roles for a permission in a realm, with the shortest ways in which the user has them: three
 * statements. `as` is the context of the user's own request, whose permit decides.
 */
export async function roleReasons(
  as: Context,
  user: AskedUser,
  realm: RealmRecord,
  permission: Permission,
): Promise<{ reasons: RoleReason[]; hasMore: boolean }> {
  const none = { reasons: [], hasMore: false };
  const rights = givingRoles(permission);
  if (rights.length === 0) return none;
  const steps = await stepsTo(as.db, { id: user.id, realmId: user.realm.id }, realm.id, rights);
  const held = await rolesById(
    as,
    steps.flatMap(({ kind, source }) => (kind === 'right' ? source : [])),
  );
  if (held.size === 0) return none;
  const permit = await permitFor(as, realm);
  const { ways, hasMore } = shortestWays(steps, ({ source, target: right }) => {
    const role = held.get(source);
    return role !== undefined && inToken(as.caller, namesOf(role)) && permit.rights.has(right);
  });
  const byId = await rolesById(
    as,
    ways.flatMap(({ roles }) => roles),
  );
  const reasons = ways.flatMap((way): RoleReason[] => {
    const roles = way.roles.flatMap((id) => byId.get(id) ?? []);
    if (roles.length < way.roles.length) return [];
    return [
      {
        kind: 'role',
        permission,
        isGranting: way.isGranting,
        right: way.right,
        origin: originOf(way, user),
        groups: way.groups.map((id) => ({ id, realmId: user.realm.id })),
        roles: roles.map(({ id, realmId, clientId }) => ({ id, realmId, clientId })),
      },
    ];
  });
  return { reasons, hasMore };
}

/** An administration role that would give a permission. */
export interface NeededRole {
  right: string;
  /** clientId of the role's client; null for a realm role */
  client: string | null;
  role: RoleRow;
}

/** The administration roles of the user's realm that each give a permission in a realm, by name: one statement. */
export async function neededRoles(
  ctx: Context,
  user: AskedUser,
  realm: RealmRecord,
  permission: Permission,
): Promise<NeededRole[]> {
  const rights = [...givingRoles(permission)];
  if (rights.length === 0) return [];
  const rows = await ctx.db.administrationRole.findMany({
    where: { realmId: realm.id, right: { in: rights }, role: { realmId: user.realm.id } },
    select: { right: true, role: { select: roleSelect } },
    orderBy: [{ right: 'asc' }, { roleId: 'asc' }],
  });
  return rows.map(({ right, role: { id, realmId, clientId, client } }) => ({
    right,
    client: client?.clientId ?? null,
    role: { id, realmId, clientId },
  }));
}
