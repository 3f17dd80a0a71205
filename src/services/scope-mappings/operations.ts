import { among } from '../../database/lists.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { ScopeOwner } from '../client-scopes/locate.js';
import { list, read } from '../core/operation.js';
import { scopable } from '../role-mappings/grantable.js';
import { beyond } from '../role-mappings/store.js';
import { rolesOf } from '../roles/container.js';
import { type MappedRole, mappedRole } from '../roles/mappings.js';
import type { ScopeMappingTarget } from './locate.js';
import { reached } from './store.js';

type Owner = ScopeOwner['owner'];

/** The roles assigned directly to an owner. */
export const direct = ({ id, kind }: Owner): Prisma.RoleWhereInput =>
  kind === 'client'
    ? { clientsWithInScope: { some: { clientId: id } } }
    : { clientScopes: { some: { clientScopeId: id } } };

export const all = read({
  name: 'scopeMapping.all',
  summary: 'Returns all role scope mappings of a client or client scope.',
  allow: 'view:clients',
  run: (ctx, { owner }: ScopeOwner): Promise<MappedRole[]> =>
    ctx.db.role.findMany({ where: direct(owner), select: mappedRole, orderBy: [{ name: 'asc' }] }),
});

export const listDirect = list({
  name: 'scopeMapping.list',
  summary: 'Returns the roles of the realm or a client mapped directly to the scope of a client or client scope.',
  allow: 'view:clients',
  model: 'Role',
  where: ({ realm, owner, container }: ScopeMappingTarget): Prisma.RoleWhereInput => ({
    ...rolesOf(realm, container),
    ...direct(owner),
  }),
  orderBy: [{ name: 'asc' }],
});

export const listEffective = list({
  name: 'scopeMapping.effective',
  summary:
    'Returns the roles of the realm or a client in the scope of a client or client scope, including those through composite roles.',
  allow: 'view:clients',
  model: 'Role',
  where: (target: ScopeMappingTarget): Prisma.RoleWhereInput => ({ id: { in: among(reached(target)) } }),
  orderBy: [{ name: 'asc' }],
});

export const listAvailable = list({
  name: 'scopeMapping.available',
  summary:
    'Returns the roles of the realm or a client that the caller can add to the scope of a client or client scope.',
  allow: 'view:clients',
  model: 'Role',
  where: (target: ScopeMappingTarget, _input, permit, ctx): Prisma.RoleWhereInput => {
    const others = beyond({ realm: target.realm, caller: ctx.caller }, permit, 'scopes');
    return {
      ...rolesOf(target.realm, target.container),
      id: { notIn: among(reached(target)) },
      AND: [scopable(permit), others ? { id: { notIn: among(others) } } : {}],
    };
  },
  orderBy: [{ name: 'asc' }],
});
