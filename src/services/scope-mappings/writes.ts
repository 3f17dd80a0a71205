import type { Db } from '../../database/db.js';
import { ownerChanged, ownerRow, ownerTouched } from '../client-scopes/owner.js';
import { type AuditRecord, write } from '../core/operation.js';
import { invalid, notFound, requireEach } from '../core/refusal.js';
import type { Input } from '../core/shape.js';
import { rolesOf } from '../roles/container.js';
import { RoleList } from '../roles/representation.js';
import type { ScopeMappingTarget } from './locate.js';
import { direct } from './operations.js';
import { namedBy } from './store.js';

type Roles = Input<typeof RoleList>;

/** The fields of a role in audit records. */
interface NamedRole {
  id: string;
  name: string;
  clientRole: boolean;
  containerId: string;
}

/** The result of a write: the owner of the scope, and the roles. */
export interface ChangedScope {
  owner: ScopeMappingTarget['owner'];
  roles: NamedRole[];
}

const select = { id: true, name: true, clientId: true, container: true } as const;

const named = (role: { id: string; name: string; clientId: string | null; container: string }): NamedRole => ({
  id: role.id,
  name: role.name,
  clientRole: role.clientId !== null,
  containerId: role.container,
});

/**
 * The roles in the request, as the contract defines them: under a client by their names, under the realm by their IDs.
 * Under the realm they may also be roles of clients.
 */
async function meant(tx: Db, { realm, container }: ScopeMappingTarget, roles: Roles): Promise<NamedRole[]> {
  const key = container.id === realm.id ? 'id' : 'name';
  const keys = [...new Set(roles.map((role) => role[key]))];
  if (keys.length === 0) return [];
  if (keys.includes(undefined)) {
    throw key === 'id' ? invalid('`id` is required for every role', 'id') : notFound('Role not found', 'name');
  }
  const found = await tx.role.findMany({
    where: { ...(key === 'id' ? { realmId: realm.id } : rolesOf(realm, container)), [key]: { in: keys as string[] } },
    select,
    orderBy: [{ name: 'asc' }],
  });
  requireEach(
    roles.map((role) => role[key]),
    found.map((role) => role[key]),
    (place) => notFound('Role not found', place),
  );
  return found.map(named);
}

async function insert(tx: Db, { owner }: ScopeMappingTarget, roles: NamedRole[]): Promise<void> {
  if (owner.kind === 'client') {
    await tx.later.insertNew(
      'ClientScopeMapping',
      roles.map(({ id }) => ({ clientId: owner.id, roleId: id })),
    );
  } else {
    await tx.later.insertNew(
      'ClientScopeScopeMapping',
      roles.map(({ id }) => ({ clientScopeId: owner.id, roleId: id })),
    );
  }
}

async function take(tx: Db, { owner }: ScopeMappingTarget, roles: NamedRole[]): Promise<void> {
  const roleId = { in: roles.map(({ id }) => id) };
  if (owner.kind === 'client') {
    await tx.later.clientScopeMapping.deleteMany({ where: { clientId: owner.id, roleId } });
  } else {
    await tx.later.clientScopeScopeMapping.deleteMany({ where: { clientScopeId: owner.id, roleId } });
  }
}

const changed = (
  operationType: AuditRecord['operationType'],
  { realm, container, path }: ScopeMappingTarget,
  { roles }: ChangedScope,
): AuditRecord => ({
  operationType,
  resourceType: container.id === realm.id ? 'REALM_SCOPE_MAPPING' : 'CLIENT_SCOPE_MAPPING',
  resourcePath: path,
  representation: roles,
});

export const add = write({
  name: 'scopeMapping.add',
  summary: 'Adds role scope mappings to a client or client scope. Existing mappings stay.',
  input: RoleList,
  allow: 'manage:clients',
  grants: (target: ScopeMappingTarget, roles) => ({ roles: namedBy(target, roles), use: 'scopes' }),
  lock: ownerRow,
  run: async (tx, target: ScopeMappingTarget, roles): Promise<ChangedScope> => {
    const found = await meant(tx, target, roles);
    if (found.length > 0) {
      await insert(tx, target, found);
      await ownerChanged(tx, target);
    }
    return { owner: target.owner, roles: found };
  },
  event: (result, target) => changed('CREATE', target, result),
  touches: ownerTouched,
});

export const remove = write({
  name: 'scopeMapping.remove',
  summary:
    'Removes role scope mappings from a client or client scope. Without a body, removes all mappings of roles of the realm or client.',
  input: RoleList.optional(),
  allow: 'manage:clients',
  lock: ownerRow,
  run: async (tx, target: ScopeMappingTarget, roles): Promise<ChangedScope> => {
    const found = roles
      ? await meant(tx, target, roles)
      : (
          await tx.role.findMany({
            where: { ...rolesOf(target.realm, target.container), ...direct(target.owner) },
            select,
          })
        ).map(named);
    if (found.length > 0) {
      await take(tx, target, found);
      await ownerChanged(tx, target);
    }
    return { owner: target.owner, roles: found };
  },
  event: (result, target) => changed('DELETE', target, result),
  touches: ownerTouched,
});
