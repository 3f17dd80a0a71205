import type { Db } from '../../../database/db.js';
import { among } from '../../../database/lists.js';
import { Prisma } from '../../../database/prisma.js';
import { wholePolicySelect } from '../store.js';

const resourceSelect = {
  id: true,
  name: true,
  type: true,
  ownerId: true,
  ownerManagedAccess: true,
  scopes: { select: { scope: { select: { id: true, name: true } } }, orderBy: { scope: { name: 'asc' } } },
} as const satisfies Prisma.AuthorizationResourceSelect;

/** A resource as evaluations see it. */
export interface EvaluatedResource {
  id: string;
  name: string;
  type: string | null;
  ownerId: string;
  ownerManagedAccess: boolean;
  scopes: EvaluatedScope[];
}

export interface EvaluatedScope {
  id: string;
  name: string;
}

const evaluatedPolicySelect = {
  ...wholePolicySelect,
  resources: { select: { resource: { select: { id: true, name: true, type: true, scopes: resourceSelect.scopes } } } },
} as const satisfies Prisma.AuthorizationPolicySelect;

export type EvaluatedPolicy = Prisma.AuthorizationPolicyGetPayload<{ select: typeof evaluatedPolicySelect }>;

/** The resources of a server that a condition selects, by name. */
export async function loadResources(
  db: Db,
  serverId: string,
  where: Prisma.AuthorizationResourceWhereInput,
  page: { skip?: number; take?: number } = {},
): Promise<EvaluatedResource[]> {
  const rows = await db.authorizationResource.findMany({
    where: { resourceServerId: serverId, ...where },
    select: resourceSelect,
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    ...page,
  });
  return rows.map(({ scopes, ...resource }) => ({ ...resource, scopes: scopes.map(({ scope }) => scope) }));
}

/** The scopes of a server with these names. */
export const loadScopes = (db: Db, serverId: string, names: string[]): Promise<EvaluatedScope[]> =>
  names.length === 0
    ? Promise.resolve([])
    : db.authorizationScope.findMany({
        where: { resourceServerId: serverId, name: { in: names } },
        select: { id: true, name: true },
        orderBy: [{ name: 'asc' }],
      });

/** The permissions of a server that apply any policy, and all policies: one statement. */
export async function loadDecidingPolicies(db: Db, serverId: string): Promise<Map<string, EvaluatedPolicy>> {
  const rows = await db.authorizationPolicy.findMany({
    where: {
      resourceServerId: serverId,
      OR: [{ type: { notIn: ['resource', 'scope', 'uma'] } }, { associated: { some: {} } }],
    },
    select: evaluatedPolicySelect,
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** The possible targets of the wanted permissions. */
export interface PermissionTargets {
  resourceIds: string[];
  types: string[];
  scopeIds: string[];
}

const listed = (ids: string[]): Prisma.Sql => (ids.length > 0 ? Prisma.join([...new Set(ids)]) : Prisma.sql`NULL`);

/**
 * The permissions that can apply to resources, their types, or scopes, with their policies at any depth: one statement.
 */
export async function loadPolicies(
  db: Db,
  serverId: string,
  { resourceIds, types, scopeIds }: PermissionTargets,
): Promise<Map<string, EvaluatedPolicy>> {
  const ids = Prisma.sql`WITH RECURSIVE "wanted"("id") AS (
      SELECT pr."policyId" FROM "AuthorizationPolicyResource" pr WHERE pr."resourceId" IN (${listed(resourceIds)})
      UNION
      SELECT p."id" FROM "AuthorizationPolicy" p
       WHERE p."resourceServerId" = ${serverId} AND p."resourceType" IN (${listed(types)})
      UNION
      SELECT pr."policyId" FROM "AuthorizationResource" r JOIN "AuthorizationPolicyResource" pr ON pr."resourceId" = r."id"
       WHERE r."resourceServerId" = ${serverId} AND r."type" IN (${listed(types)})
      UNION
      SELECT ps."policyId" FROM "AuthorizationPolicyScope" ps WHERE ps."scopeId" IN (${listed(scopeIds)})
         AND NOT EXISTS (SELECT 1 FROM "AuthorizationPolicyResource" pr WHERE pr."policyId" = ps."policyId")
      UNION
      SELECT u."associatedId" FROM "AuthorizationPolicyUse" u JOIN "wanted" w ON u."policyId" = w."id"
    ) SELECT "id" FROM "wanted"`;
  const rows = await db.authorizationPolicy.findMany({
    where: { id: { in: among(ids) } },
    select: evaluatedPolicySelect,
    orderBy: [{ name: 'asc' }],
  });
  return new Map(rows.map((row) => [row.id, row]));
}
