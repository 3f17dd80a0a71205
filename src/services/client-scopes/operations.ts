import type { Prisma } from '../../generated/sqlite/client.js';
import { list, read } from '../core/operation.js';
import { flag, representation } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { type MappedRole, mappedRole } from '../roles/mappings.js';
import { clientScopeSelect } from './encode.js';
import type { ScopedClient, ScopeOwner, ScopeTarget } from './locate.js';

/** Which of the two lists of assigned client scopes: the optional one, or else the default one. */
export const AssignmentFilter = representation('AssignmentFilter', { optional: flag });

export const listScopes = list({
  name: 'clientScope.list',
  summary: 'The client scopes of a realm.',
  allow: 'list:client-scopes',
  model: 'ClientScope',
  where: ({ realm }: Target, _input, permit): Prisma.ClientScopeWhereInput => ({
    realmId: realm.id,
    AND: [permit.visible('clients')],
  }),
  orderBy: [{ name: 'asc' }],
});

export const get = read({
  name: 'clientScope.get',
  summary: 'One client scope with its protocol mappers.',
  allow: 'view:clients',
  run: (ctx, { scope }: ScopeTarget) =>
    ctx.db.clientScope.findUniqueOrThrow({ where: { id: scope.id }, select: clientScopeSelect }),
});

export const listRealmScopes = list({
  name: 'clientScope.realmDefaults',
  summary: 'The client scopes that new clients of the realm get, by default or on request.',
  input: AssignmentFilter,
  allow: 'view:clients',
  model: 'ClientScope',
  where: ({ realm }: Target, { optional }): Prisma.ClientScopeWhereInput => ({
    realmId: realm.id,
    assignment: optional ? 'optional' : 'default',
  }),
  orderBy: [{ name: 'asc' }],
});

export const listClientScopes = list({
  name: 'client.scopes',
  summary: 'The client scopes that a client has, by default or on request. Those of another protocol have no effect.',
  input: AssignmentFilter,
  allow: 'view:clients',
  model: 'ClientScope',
  where: ({ client }: ScopedClient, { optional = false }): Prisma.ClientScopeWhereInput => ({
    clients: { some: { clientId: client.id, optional } },
    // those of another protocol have no effect
    protocol: client.protocol ?? 'openid-connect',
  }),
  orderBy: [{ name: 'asc' }],
});

export const listMappers = list({
  name: 'protocolMapper.list',
  summary: 'The protocol mappers of a client or client scope.',
  allow: 'view:clients',
  model: 'ProtocolMapper',
  where: ({ owner }: ScopeOwner): Prisma.ProtocolMapperWhereInput => ({ container: owner.id }),
  orderBy: [{ name: 'asc' }],
});

export const scopeMappings = read({
  name: 'scopeMapping.all',
  summary: 'All roles in the scope of a client or client scope.',
  allow: 'view:clients',
  run: (ctx, { owner }: ScopeOwner): Promise<MappedRole[]> =>
    ctx.db.role.findMany({
      where:
        owner.kind === 'client'
          ? { clientsWithInScope: { some: { clientId: owner.id } } }
          : { clientScopes: { some: { clientScopeId: owner.id } } },
      select: mappedRole,
      orderBy: [{ name: 'asc' }],
    }),
});
