import { among } from '../../database/lists.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { list, read } from '../core/operation.js';
import { rolesOf } from '../roles/container.js';
import { type MappingTarget, type OwnerTarget, viewMappings } from './locate.js';
import { beyond, directIds, directRoles, effectiveIds, effectiveIdsIn } from './store.js';

export const all = read({
  name: 'roleMapping.all',
  summary: 'Returns the role mappings of a user or group, by realm and client.',
  allow: viewMappings,
  run: (ctx, { owner }: OwnerTarget) => directRoles(ctx.db, owner),
});

export const listDirect = list({
  name: 'roleMapping.list',
  summary: 'Returns the roles of the realm or a client mapped directly to a user or group.',
  allow: viewMappings,
  model: 'Role',
  where: ({ realm, owner, container }: MappingTarget): Prisma.RoleWhereInput => ({
    id: { in: among(directIds(owner)) },
    ...rolesOf(realm, container),
  }),
  orderBy: [{ name: 'asc' }],
});

export const listEffective = list({
  name: 'roleMapping.effective',
  summary:
    'Returns the effective roles of the realm or a client of a user or group, including those through groups and composite roles.',
  allow: viewMappings,
  model: 'Role',
  where: ({ realm, owner, container }: MappingTarget): Prisma.RoleWhereInput => ({
    id: { in: among(effectiveIdsIn(owner, realm, container)) },
  }),
  orderBy: [{ name: 'asc' }],
});

export const listAvailable = list({
  name: 'roleMapping.available',
  summary:
    "Returns the roles of the realm or a client that the caller can map to a user or group: not effective yet, and within the caller's own permissions.",
  allow: viewMappings,
  model: 'Role',
  where: (target: MappingTarget, _input, permit): Prisma.RoleWhereInput => {
    const others = beyond(target, permit);
    return {
      ...rolesOf(target.realm, target.container),
      AND: [
        { id: { notIn: among(effectiveIds(target.owner)) } },
        ...(others ? [{ id: { notIn: among(others) } }] : []),
      ],
    };
  },
  orderBy: [{ name: 'asc' }],
});
