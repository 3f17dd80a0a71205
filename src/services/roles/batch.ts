import { listed } from '../../database/lists.js';
import { onError } from '../core/batch.js';
import { type At, batchOf } from '../core/batch-of.js';
import { representation, texts } from '../core/shape.js';
import type { RoleTarget } from './locate.js';
import { get, remove, removeRoles } from './operations.js';
import { eachRole, full } from './store.js';

const RoleIds = representation('RoleDeleteBatch', { roles: texts, onError });

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
  items: ({ roles = [] }) => roles.map((id) => ({ id, input: undefined })),
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
