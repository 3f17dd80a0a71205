import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { list, read } from '../core/operation.js';
import { invalid } from '../core/refusal.js';
import { flag, type Input, int, representation, text } from '../core/shape.js';
import type { PolicyTarget, ServerTarget } from './locate.js';
import { permissionTypes } from './policy-types.js';
import { type PolicyRow, policySelect, wholePolicySelect } from './store.js';

const filterFields = {
  policyId: text,
  name: text,
  type: text,
  exactType: text,
  owner: text,
  resource: text,
  scope: text,
  permission: flag,
};

/** The filters of lists of policies and permissions. */
const PolicyFilter = representation('PolicyFilter', filterFields);

const PolicySearch = representation('PolicySearch', { ...filterFields, skip: int, take: int });

const idOrName = (text: string) => [{ id: text }, { name: text }];

/** The condition of a filter. Policies of users are not among them. */
function policyWhere(serverId: string, filter: Input<typeof PolicyFilter>): Prisma.AuthorizationPolicyWhereInput {
  const { policyId, name, type, exactType, owner, resource, scope, permission } = filter;
  return {
    resourceServerId: serverId,
    AND: [
      { type: { not: 'uma' } },
      ...(policyId ? [{ id: policyId }] : []),
      ...(name ? [{ search: { contains: name.toLowerCase() } }] : []),
      ...(exactType ? [{ type: exactType }] : []),
      ...(type ? [{ type: { contains: type.toLowerCase() } }] : []),
      ...(owner ? [{ ownerId: owner }] : []),
      ...(resource ? [{ resources: { some: { resource: { OR: idOrName(resource) } } } }] : []),
      ...(scope ? [{ scopes: { some: { scope: { OR: idOrName(scope) } } } }] : []),
      ...(permission === undefined
        ? []
        : [{ type: permission ? { in: permissionTypes } : { notIn: permissionTypes } }]),
    ],
  };
}

export const listPolicies = read({
  name: 'policy.list',
  summary:
    'Returns the policies and permissions of a resource server. A path with a type returns only objects of that type, a path with `permission` only permissions. Empty for an unknown resource or scope.',
  input: PolicySearch,
  allow: 'view:authorization',
  run: async (ctx, { server }: ServerTarget, { skip, take, ...filter }): Promise<PolicyRow[] | null> => {
    if (!(await namesExist(ctx.db, server.id, filter))) return null;
    if (take === 0) return [];
    return ctx.db.authorizationPolicy.findMany({
      where: policyWhere(server.id, filter),
      select: policySelect,
      orderBy: [{ name: 'asc' }],
      ...(skip !== undefined && { skip }),
      ...(take !== undefined && { take }),
    });
  },
});

/** Whether the resource and the scope of a filter exist: the contract has no list for missing ones. */
async function namesExist(
  db: Db,
  serverId: string,
  { resource, scope }: { resource?: string | undefined; scope?: string | undefined },
): Promise<boolean> {
  const at = { resourceServerId: serverId };
  if (resource) {
    const found = await db.authorizationResource.count({ where: { ...at, OR: idOrName(resource) } });
    if (found === 0) return false;
  }
  if (!scope) return true;
  return (await db.authorizationScope.count({ where: { ...at, OR: idOrName(scope) } })) > 0;
}

const ByName = representation('PolicyByName', { name: text });

export const findPolicy = read({
  name: 'policy.find',
  summary: 'Returns the policy or permission with exactly the given name.',
  input: ByName,
  allow: 'view:authorization',
  run: (ctx, { server }: ServerTarget, { name }): Promise<PolicyRow | null> => {
    if (name === undefined) throw invalid('`name` is required for a search', 'name', { body: null });
    return ctx.db.authorizationPolicy.findFirst({
      where: { resourceServerId: server.id, name, type: { not: 'uma' } },
      select: wholePolicySelect,
    });
  },
});

export const getPolicy = read({
  name: 'policy.get',
  summary: 'Returns a policy or permission.',
  allow: 'view:authorization',
  run: async (_ctx, { policy }: PolicyTarget) => policy,
});

const related = (name: string, summary: string, where: (id: string) => Prisma.AuthorizationPolicyWhereInput) =>
  list({
    name,
    summary,
    allow: 'view:authorization',
    model: 'AuthorizationPolicy',
    where: ({ policy }: PolicyTarget) => where(policy.id),
    orderBy: [{ name: 'asc' }],
  });

export const associatedPolicies = related(
  'policy.associated',
  'Returns the associated policies of a policy or permission.',
  (id) => ({
    dependents: { some: { policyId: id } },
  }),
);

export const dependentPolicies = related(
  'policy.dependents',
  'Returns the policies and permissions that use a policy as an associated policy.',
  (id) => ({
    associated: { some: { associatedId: id } },
  }),
);

export const resourcesOfPolicy = list({
  name: 'policy.resources',
  summary: 'Returns the resources that a permission applies to.',
  allow: 'view:authorization',
  model: 'AuthorizationResource',
  where: ({ policy }: PolicyTarget): Prisma.AuthorizationResourceWhereInput => ({
    policies: { some: { policyId: policy.id } },
  }),
  orderBy: [{ name: 'asc' }, { id: 'asc' }],
});

export const scopesOfPolicy = list({
  name: 'policy.scopes',
  summary: 'Returns the scopes that a permission applies to.',
  allow: 'view:authorization',
  model: 'AuthorizationScope',
  where: ({ policy }: PolicyTarget): Prisma.AuthorizationScopeWhereInput => ({
    policies: { some: { policyId: policy.id } },
  }),
  orderBy: [{ name: 'asc' }],
});
