import type { Db } from '../../database/db.js';
import { listed } from '../../database/lists.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { onlyOne } from '../core/batch.js';
import { clearable } from '../core/fields.js';
import { list, read, write } from '../core/operation.js';
import { patchOf } from '../core/patch.js';
import type { RealmRecord } from '../core/realm.js';
import { invalid, notFound, Refusal } from '../core/refusal.js';
import { representation, text } from '../core/shape.js';
import { forgetInPolicies } from '../permissions/store.js';
import { administrationAmong, isRequired, updateRoles } from './changing.js';
import { rolesOf } from './container.js';
import { createRoles } from './creating.js';
import { roleFields } from './fields.js';
import { byContainer, manageRole, type RoleTarget, viewRole } from './locate.js';
import { takenName } from './places.js';
import { encodeFullRole, type FullRole, RoleRepresentation } from './representation.js';
import { readRole, takeRoles } from './store.js';

const RoleFilter = representation('RoleFilter', { search: text });

const resourceType = (role: { clientId: string | null }) => (role.clientId === null ? 'REALM_ROLE' : 'CLIENT_ROLE');
const touched = (role: { id: string; container: string }) => [`roles:${role.container}`, `role:${role.id}`];

/** Contains, in the name or the description, whatever the case. */
export const matching = (search: string | undefined): Prisma.RoleWhereInput => {
  const needle = search?.trim().toLowerCase();
  return needle ? { search: { contains: needle } } : {};
};

export const listRoles = list({
  name: 'role.list',
  summary: 'Returns the roles of a realm or client.',
  input: RoleFilter,
  allow: byContainer({ 'realm role': 'query:realm', 'client role': 'list:client-roles' }),
  model: 'Role',
  where: (container, { search }): Prisma.RoleWhereInput => ({
    ...rolesOf(container.realm, container),
    ...matching(search),
  }),
  orderBy: [{ name: 'asc' }],
});

export const get = read({
  name: 'role.get',
  summary: 'Returns a role.',
  allow: viewRole,
  run: async (_ctx, { role }: RoleTarget): Promise<FullRole> => role,
});

export const create = write({
  name: 'role.create',
  isShort: true,
  summary: 'Creates a role in a realm or client.',
  input: RoleRepresentation,
  allow: byContainer({ 'realm role': 'manage:realm', 'client role': 'configure:clients' }),
  alters: ({ client }) => ({ clients: client ? [client.id] : [] }),
  run: async (tx, container, input, { ctx }): Promise<FullRole> =>
    onlyOne(await createRoles(tx, ctx.services, [{ container, input }])),
  refuses: ['NAME_TAKEN'],
  conflict: ({ name }) => takenName(name),
  event: (role, container) => ({
    operationType: 'CREATE',
    resourceType: resourceType(role),
    resourcePath: `${container.path}/${role.name}`,
    resourceId: role.id,
    representation: encodeFullRole(role),
  }),
  touches: touched,
});

export const update = write({
  name: 'role.update',
  summary: 'Renames a role, and replaces its description and, if given, all its attributes.',
  input: RoleRepresentation,
  allow: manageRole,
  // mappers of directories and identity providers find roles by their names
  grants: ({ role }: RoleTarget, { name }) => ({
    roles: name === undefined || name === role.name ? [] : [role.id],
    use: 'settings',
  }),
  alters: ({ role }: RoleTarget) => ({ roles: [role.id] }),
  lock: ({ role }) => ({ model: 'Role', id: role.id }),
  refresh: async (tx, target: RoleTarget) => {
    const role = await readRole(tx, target.role.id);
    if (!role) throw notFound('Could not find role with id');
    return { ...target, role };
  },
  run: async (tx, { role }: RoleTarget, input): Promise<FullRole> => onlyOne(await updateRoles(tx, [{ role, input }])),
  refuses: ['NAME_TAKEN', 'ADMINISTRATION'],
  conflict: ({ name }) => takenName(name),
  event: (role, { path, role: before }) => ({
    operationType: 'UPDATE',
    resourceType: resourceType(role),
    resourcePath: path,
    resourceId: role.id,
    representation: encodeFullRole(role),
    before: encodeFullRole(before),
  }),
  touches: (role) => [...touched(role), 'rights'],
});

export const patch = patchOf(update, {
  current: ({ role }) => encodeFullRole(role),
  empty: { ...clearable(roleFields), attributes: {} },
});

/** Deletes roles, and the policies about nothing else; with a refusal in place of each that must stay. */
export async function removeRoles(
  tx: Db,
  realm: RealmRecord,
  roles: readonly FullRole[],
): Promise<(FullRole | Refusal)[]> {
  const text = 'cannot be deleted: it is required to administer realms';
  const kept = await administrationAmong(tx, roles, text, { only: isRequired });
  const outcomes = roles.map((role) => {
    const isDefault = role.id === realm.defaultRoleId;
    const message = `${role.name} is default role of the realm and cannot be removed.`;
    return kept.get(role.id) ?? (isDefault ? invalid(message, undefined, { code: 'DEFAULT_ROLE' }) : role);
  });
  const ids = outcomes.flatMap((role) => (role instanceof Refusal ? [] : role.id));
  if (ids.length === 0) return outcomes;
  const going = listed(tx, ids);
  await forgetInPolicies(tx, realm, 'role', going);
  await takeRoles(tx, going);
  await tx.later.role.deleteMany({ where: { id: { in: ids } } });
  return outcomes;
}

export const remove = write({
  name: 'role.delete',
  isShort: true,
  summary: 'Deletes a role. It is removed from users, groups, and composite roles.',
  allow: manageRole,
  takesRights: true,
  // its holders lose the roles it includes
  grants: ({ role }: RoleTarget) => ({ roles: [role.id], use: 'settings' }),
  alters: ({ role }: RoleTarget) => ({ roles: [role.id] }),
  lock: ({ role }) => ({ model: 'Role', id: role.id }),
  run: async (tx, { realm, role }: RoleTarget): Promise<FullRole> => onlyOne(await removeRoles(tx, realm, [role])),
  refuses: ['ADMINISTRATION', 'DEFAULT_ROLE'],
  event: (role, { path }) => ({
    operationType: 'DELETE',
    resourceType: resourceType(role),
    resourcePath: path,
    resourceId: role.id,
    before: encodeFullRole(role),
  }),
  touches: (role) => [...touched(role), 'rights'],
});
