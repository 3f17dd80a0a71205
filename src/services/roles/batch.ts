import { listed } from '../../database/lists.js';
import { onError } from '../core/batch.js';
import { type At, batchOf } from '../core/batch-of.js';
import { MergePatch } from '../core/patch.js';
import { int, list, representation, text, texts } from '../core/shape.js';
import { updateRoles } from './changing.js';
import type { RoleTarget } from './locate.js';
import { get, patch, remove, removeRoles, update } from './operations.js';
import { eachRole, full } from './store.js';

const RoleIds = representation('RoleDeleteBatch', { roles: texts, onError });
const RolePatch = representation('RolePatch', { id: text, expectedVersion: int, role: MergePatch });
const RolePatches = representation('RoleUpdateBatch', { roles: list(RolePatch), onError });

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
  entitled: (tx, items) => {
    const ids = items.map(({ id }) => id);
    return { roles: eachRole(listed(tx, ids)), use: 'settings', alters: { roles: ids } };
  },
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
  versionOf: ({ role }) => role,
  entitled: (tx, items) => {
    const renamed = items.filter(({ target, input }) => input.name !== undefined && input.name !== target.role.name);
    const ids = renamed.map(({ id }) => id);
    return {
      ...(ids.length > 0 && { roles: eachRole(listed(tx, ids)), use: 'settings' as const }),
      alters: { roles: items.map(({ id }) => id) },
    };
  },
  run: ({ tx }, items) =>
    updateRoles(
      tx,
      items.map(({ target, input }) => ({ role: target.role, input })),
    ),
  conflict: 'A role with one of these names was created in the meantime; retry',
});
