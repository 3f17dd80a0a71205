import { get as getClient } from '../clients/operations.js';
import { permissionFor } from '../core/allow.js';
import { onError } from '../core/batch.js';
import { type At, batchOf } from '../core/batch-of.js';
import { MergePatch } from '../core/patch.js';
import { int, list, representation, text, texts } from '../core/shape.js';
import { name as realmName } from '../realms/operations.js';
import { updateRoles } from './changing.js';
import { createRoles, placesOf } from './creating.js';
import { byContainer, type RoleContainer, type RoleTarget, realmRoles, rolesOfClient } from './locate.js';
import { create, get, patch, remove, removeRoles, update } from './operations.js';
import { takenPlaces } from './places.js';
import { RoleRepresentation } from './representation.js';
import { full } from './store.js';

const RoleIds = representation('RoleDeleteBatch', { roles: texts, onError });
const RolePatch = representation('RolePatch', { id: text, expectedVersion: int, role: MergePatch });
const RolePatches = representation('RoleUpdateBatch', { roles: list(RolePatch), onError });

const NewRole = representation('NewRole', { container: text, role: RoleRepresentation });
const NewRoles = representation('RoleCreateBatch', { roles: list(NewRole), onError });

async function rolesById({ tx, realm }: At, ids: string[]): Promise<ReadonlyMap<string, RoleTarget>> {
  const roles = await tx.role.findMany({ where: { realmId: realm.id, id: { in: ids } }, select: full });
  return new Map(roles.map((role) => [role.id, { realm, role, path: `roles-by-id/${role.id}` }]));
}

const many = { get, model: 'Role', kind: 'role', list: 'roles', find: rolesById } as const;

export const removeMany = batchOf({
  ...many,
  name: 'role.deleteMany',
  summary: 'Deletes several roles of a realm and its clients in one transaction.',
  one: remove,
  input: RoleIds,
  items: ({ roles = [] }) => roles.map((id) => ({ id, given: undefined })),
  inputOf: () => undefined,
  mode: (input) => input.onError,
  run: ({ tx, realm }, items) =>
    removeRoles(
      tx,
      realm,
      items.map(({ target }) => target.role),
    ),
});

export const updateMany = batchOf({
  ...many,
  name: 'role.updateMany',
  summary: 'Changes several roles of a realm and its clients in one transaction.',
  one: update,
  input: RolePatches,
  items: ({ roles = [] }) =>
    roles.map(({ id = '', expectedVersion, role: given = {} }) => ({ id, expectedVersion, given })),
  mode: (input) => input.onError,
  inputOf: patch.inputOf,
  snapshot: patch.snapshot,
  versionOf: ({ role }) => role,
  run: ({ tx }, items) =>
    updateRoles(
      tx,
      items.map(({ target, input }) => ({ role: target.role, input })),
    ),
  conflict: 'A role with one of these names was created in the meantime; retry',
});

/** The realm and clients of it, as containers of roles. */
async function containersById({ tx, realm }: At, ids: string[]): Promise<ReadonlyMap<string, RoleContainer>> {
  const where = { realmId: realm.id, id: { in: ids } };
  const clients = await tx.client.findMany({ where, select: { id: true, clientId: true } });
  return new Map<string, RoleContainer>([
    [realm.id, realmRoles(realm)],
    ...clients.map((client) => [client.id, rolesOfClient(realm, client)] as const),
  ]);
}

export const createMany = batchOf({
  get: { allow: byContainer({ 'realm role': permissionFor(realmName), 'client role': permissionFor(getClient) }) },
  kind: 'realm or client',
  field: 'container',
  list: 'roles',
  repeats: true,
  name: 'role.createMany',
  summary: 'Creates several roles in a realm and its clients, in one transaction.',
  one: create,
  input: NewRoles,
  items: ({ roles = [] }) => roles.map(({ container = '', role = {} }) => ({ id: container, given: role })),
  mode: (input) => input.onError,
  inputOf: (_container, given) => given,
  find: containersById,
  run: async ({ tx, ctx }, items) => {
    const wanted = items.map(({ target, input }) => ({ container: target, input }));
    return createRoles(tx, ctx.services, wanted, await takenPlaces(tx, placesOf(wanted)));
  },
  conflict: 'A role with one of these names was created in the meantime; retry',
});
