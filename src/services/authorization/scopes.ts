import type { Prisma } from '../../generated/sqlite/client.js';
import { list, read, write } from '../core/operation.js';
import { ownId } from '../core/own-id.js';
import { patchOf } from '../core/patch.js';
import { conflict, found, invalid } from '../core/refusal.js';
import { representation, text } from '../core/shape.js';
import { encodeScope } from './encode.js';
import { altersServer, type ScopeTarget, type ServerTarget } from './locate.js';
import { ScopeRepresentation } from './representation.js';
import { scopeColumns } from './rows.js';
import { touchesServer } from './server.js';
import { forgetPoliciesOf, type ScopeRow, scopeSelect } from './store.js';
import { nameMissing } from './write-resource.js';

const ScopeFilter = representation('AuthorizationScopeFilter', { scopeId: text, name: text });

/** Finds scopes by a part of the name, ignoring case. */
export const scopeMatching = (name: string | undefined): Prisma.AuthorizationScopeWhereInput =>
  name ? { search: { contains: name.toLowerCase() } } : {};

export const listAuthorizationScopes = list({
  name: 'authorizationScope.list',
  summary: 'Returns the authorization scopes of a resource server.',
  input: ScopeFilter,
  allow: 'view:authorization',
  model: 'AuthorizationScope',
  where: ({ server }: ServerTarget, { scopeId, name }): Prisma.AuthorizationScopeWhereInput => ({
    resourceServerId: server.id,
    ...(scopeId && { id: scopeId }),
    ...scopeMatching(name),
  }),
  orderBy: [{ name: 'asc' }],
});

const ByName = representation('ScopeByName', { name: text });

export const findScope = read({
  name: 'authorizationScope.find',
  summary: 'Returns the authorization scope with exactly the given name.',
  input: ByName,
  allow: 'view:authorization',
  run: (ctx, { server }: ServerTarget, { name }): Promise<ScopeRow | null> => {
    if (name === undefined) throw invalid('`name` is required for a search', 'name', { body: null });
    return ctx.db.authorizationScope.findFirst({
      where: { resourceServerId: server.id, name },
      select: scopeSelect,
    });
  },
});

export const getScope = read({
  name: 'authorizationScope.get',
  summary: 'Returns an authorization scope.',
  allow: 'view:authorization',
  run: async (_ctx, { scope }: ScopeTarget) => scope,
});

export const resourcesOfScope = list({
  name: 'authorizationScope.resources',
  summary: 'Returns the resources that have a scope.',
  allow: 'view:authorization',
  model: 'AuthorizationResource',
  where: ({ scope }: ScopeTarget): Prisma.AuthorizationResourceWhereInput => ({
    scopes: { some: { scopeId: scope.id } },
  }),
  orderBy: [{ name: 'asc' }, { id: 'asc' }],
});

export const permissionsOfScope = list({
  name: 'authorizationScope.permissions',
  summary: 'Returns the permissions that apply to a scope.',
  allow: 'view:authorization',
  model: 'AuthorizationPolicy',
  where: ({ scope }: ScopeTarget): Prisma.AuthorizationPolicyWhereInput => ({
    type: { not: 'uma' },
    scopes: { some: { scopeId: scope.id } },
  }),
  orderBy: [{ name: 'asc' }],
});

const describe = (target: ServerTarget, scope: ScopeRow) => ({
  resourceType: 'AUTHORIZATION_SCOPE',
  resourcePath: `${target.path}/scope/${scope.id}`,
});

export const createScope = write({
  name: 'authorizationScope.create',
  summary: 'Creates a scope. If the name exists, changes the existing scope instead.',
  input: ScopeRepresentation,
  allow: 'manage:authorization',
  alters: altersServer,
  run: async (tx, { server }: ServerTarget, input, { ctx }): Promise<ScopeRow> => {
    if (input.name === undefined) throw nameMissing('A scope');
    const columns = scopeColumns(input, input.name);
    const key = { resourceServerId: server.id, name: input.name };
    const known = await tx.authorizationScope.findFirst({ where: key, select: { id: true } });
    const id = known?.id ?? (await ownId(tx, input.id, ctx.services));
    if (known) {
      const data = { ...columns, version: { increment: 1 } };
      await tx.later.authorizationScope.updateMany({ where: { id }, data });
    } else await tx.authorizationScope.createMany({ data: { id, resourceServerId: server.id, ...columns } });
    return tx.authorizationScope.findUniqueOrThrow({ where: { id }, select: scopeSelect });
  },
  conflict: () => conflict('A scope with this ID already exists', 'id', 'ID_TAKEN'),
  event: (scope, target) => ({
    operationType: 'CREATE',
    ...describe(target, scope),
    representation: encodeScope(scope),
  }),
  touches: touchesServer,
});

export const updateScope = write({
  name: 'authorizationScope.update',
  summary: 'Replaces an authorization scope.',
  input: ScopeRepresentation,
  allow: 'manage:authorization',
  alters: altersServer,
  lock: ({ scope }: ScopeTarget) => ({ model: 'AuthorizationScope', id: scope.id }),
  refresh: async (tx, target: ScopeTarget) => {
    const { id } = target.scope;
    const scope = await tx.authorizationScope.findUnique({ where: { id }, select: scopeSelect });
    return { ...target, scope: found(scope, 'Not found') };
  },
  run: async (tx, { scope }: ScopeTarget, input): Promise<ScopeRow> => {
    if (input.name === undefined) throw invalid('`name` of the scope is required', 'name');
    await tx.later.authorizationScope.updateMany({
      where: { id: scope.id },
      data: { ...scopeColumns(input, input.name), version: { increment: 1 } },
    });
    return tx.authorizationScope.findUniqueOrThrow({ where: { id: scope.id }, select: scopeSelect });
  },
  refuses: ['NAME_TAKEN'],
  conflict: ({ name }) => conflict(`Scope ${name} already exists`, 'name', 'NAME_TAKEN'),
  event: (scope, target) => ({
    operationType: 'UPDATE',
    ...describe(target, scope),
    representation: encodeScope(scope),
    before: encodeScope(target.scope),
  }),
  touches: touchesServer,
});

export const patchScope = patchOf(updateScope, {
  current: ({ scope }) => encodeScope(scope),
  empty: { displayName: undefined, iconUri: undefined },
});

export const removeScope = write({
  name: 'authorizationScope.delete',
  summary: 'Deletes a scope that no resource has, and the permissions that apply to no other scope.',
  allow: 'manage:authorization',
  alters: altersServer,
  lock: ({ scope }: ScopeTarget) => ({ model: 'AuthorizationScope', id: scope.id }),
  run: async (tx, { scope }: ScopeTarget): Promise<ScopeRow> => {
    const used = await tx.authorizationResourceScope.count({ where: { scopeId: scope.id } });
    if (used > 0)
      throw invalid('Scopes can not be removed while associated with resources.', undefined, { code: 'IN_USE' });
    await forgetPoliciesOf(tx, 'scope', [scope.id]);
    await tx.later.authorizationScope.deleteMany({ where: { id: scope.id } });
    return scope;
  },
  refuses: ['IN_USE'],
  event: (scope, target) => ({
    operationType: 'DELETE',
    ...describe(target, scope),
    before: encodeScope(scope),
  }),
  touches: touchesServer,
});
