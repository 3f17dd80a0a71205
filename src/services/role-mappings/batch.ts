import type { Db } from '../../database/db.js';
import { checkPairs, onError } from '../core/batch.js';
import { type At, batchOf } from '../core/batch-of.js';
import { notFound, requireEach } from '../core/refusal.js';
import { type Input, representation, texts } from '../core/shape.js';
import { rolesOfRealm } from '../roles/store.js';
import { type OwnerTarget, rolesOf, viewMappings } from './locate.js';
import { addAny, type Changed, giveToGroups, takeAny, takeFromGroups } from './writes.js';

const GroupRoles = representation('GroupRoleBatch', { groups: texts, roles: texts, onError });

type ChangedGroup = Changed & { id: string };

async function groupsById({ tx, ctx, realm }: At, ids: string[]): Promise<ReadonlyMap<string, OwnerTarget>> {
  const groups = await tx.group.findMany({ where: { realmId: realm.id, id: { in: ids } }, select: { id: true } });
  return new Map(groups.map(({ id }) => [id, rolesOf(ctx, realm, 'group', id)]));
}

const groupBatch = (
  declared: { name: string; summary: string; one: typeof addAny },
  apply: (tx: Db, groups: string[], roles: string[]) => Promise<void>,
) =>
  batchOf<OwnerTarget, string[], { id: string }[], ChangedGroup, typeof GroupRoles>({
    ...declared,
    get: { allow: viewMappings },
    model: 'Group',
    kind: 'group',
    list: 'groups',
    input: GroupRoles,
    limit: ({ groups = [], roles = [] }: Input<typeof GroupRoles>) => checkPairs('group', groups, roles, 'roles'),
    items: ({ groups = [], roles = [] }) => groups.map((id) => ({ id, given: roles })),
    mode: (input) => input.onError,
    inputOf: (_owner, roles) => roles.map((id) => ({ id })),
    find: groupsById,
    run: async ({ tx, realm }, items) => {
      const wanted = items[0]?.input.map(({ id }) => id) ?? [];
      const roles = await rolesOfRealm(tx, realm.id, [...new Set(wanted)]);
      const ids = roles.map(({ id }) => id);
      requireEach(wanted, ids, (place) => notFound('Role not found', `roles.${place}`));
      const groups = items.map(({ id }) => id);
      await apply(tx, groups, ids);
      return groups.map((id) => ({ id, ownerId: id, roles }));
    },
  });

export const addToGroups = groupBatch(
  {
    name: 'group.addRolesMany',
    summary: 'Maps roles of the realm and its clients to several groups in one transaction. Existing mappings stay.',
    one: addAny,
  },
  giveToGroups,
);

export const removeFromGroups = groupBatch(
  {
    name: 'group.removeRolesMany',
    summary: 'Removes mappings of roles of the realm and its clients from several groups in one transaction.',
    one: takeAny,
  },
  takeFromGroups,
);
