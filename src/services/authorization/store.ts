import type { Db } from '../../database/db.js';
import { Prisma } from '../../database/prisma.js';

const owner = { select: { id: true, username: true } } as const;

const scopeOf = { select: { scope: { select: { id: true, name: true, iconUri: true } } } } as const;

/** The columns of a scope that readers select. */
export const scopeSelect = {
  id: true,
  name: true,
  displayName: true,
  iconUri: true,
  version: true,
} as const satisfies Prisma.AuthorizationScopeSelect;

/** The columns of a resource that readers select. */
export const resourceSelect = {
  id: true,
  name: true,
  displayName: true,
  type: true,
  iconUri: true,
  ownerId: true,
  ownerManagedAccess: true,
  attributes: true,
  version: true,
  resourceServerId: true,
  resourceServer: { select: { client: { select: { clientId: true } } } },
  user: owner,
  uris: { select: { value: true }, orderBy: { value: 'asc' } },
  scopes: { ...scopeOf, orderBy: { scope: { name: 'asc' } } },
} as const satisfies Prisma.AuthorizationResourceSelect;

/** A subject of a policy, with the name that exports have in place of its ID. */
const subjectSelect = {
  subjectId: true,
  strong: true,
  user: { select: { username: true } },
  role: { select: { name: true, client: { select: { clientId: true } } } },
  group: { select: { path: true } },
  client: { select: { clientId: true } },
  clientScope: { select: { name: true } },
} as const satisfies Prisma.AuthorizationPolicySubjectSelect;

/** The columns of a policy or permission that readers select. */
export const policySelect = {
  id: true,
  name: true,
  description: true,
  type: true,
  logic: true,
  decisionStrategy: true,
  resourceType: true,
  config: true,
  ownerId: true,
  version: true,
  subjects: { select: subjectSelect, orderBy: { subjectId: 'asc' } },
} as const satisfies Prisma.AuthorizationPolicySelect;

/** The columns of a policy with everything that it refers to, by name. */
export const wholePolicySelect = {
  ...policySelect,
  associated: {
    select: { associated: { select: { id: true, name: true } } },
    orderBy: { associated: { name: 'asc' } },
  },
  resources: { select: { resource: { select: { id: true, name: true } } }, orderBy: { resource: { name: 'asc' } } },
  scopes: { select: { scope: { select: { id: true, name: true } } }, orderBy: { scope: { name: 'asc' } } },
} as const satisfies Prisma.AuthorizationPolicySelect;

/** The columns of a resource server that an export of the settings reads. */
export const wholeServerSelect = {
  id: true,
  allowRemoteResourceManagement: true,
  policyEnforcementMode: true,
  decisionStrategy: true,
  scopes: { select: scopeSelect, orderBy: { name: 'asc' } },
  resources: { select: resourceSelect, orderBy: { name: 'asc' } },
  policies: { where: { type: { not: 'uma' } }, select: wholePolicySelect, orderBy: { name: 'asc' } },
} as const satisfies Prisma.ResourceServerSelect;

export type ScopeRow = Prisma.AuthorizationScopeGetPayload<{ select: typeof scopeSelect }>;

export type ResourceRow = Prisma.AuthorizationResourceGetPayload<{ select: typeof resourceSelect }>;

export type PolicyRow = Prisma.AuthorizationPolicyGetPayload<{ select: typeof policySelect }>;

export type WholePolicyRow = Prisma.AuthorizationPolicyGetPayload<{ select: typeof wholePolicySelect }>;

export type WholeServerRow = Prisma.ResourceServerGetPayload<{ select: typeof wholeServerSelect }>;

/** The search column of a resource: the name and the type in lower case, each on a line. */
export const resourceSearch = (name: string, type: string | null | undefined): string =>
  `${name.toLowerCase()}\n${(type ?? '').toLowerCase()}\n`;

/** The links of a policy: their table, and the column that refers to the linked object. */
const links = {
  resource: { table: 'AuthorizationPolicyResource', column: 'resourceId' },
  scope: { table: 'AuthorizationPolicyScope', column: 'scopeId' },
  policy: { table: 'AuthorizationPolicyUse', column: 'associatedId' },
  role: { table: 'AuthorizationPolicySubject', column: 'roleId' },
  user: { table: 'AuthorizationPolicySubject', column: 'userId' },
  group: { table: 'AuthorizationPolicySubject', column: 'groupId' },
  client: { table: 'AuthorizationPolicySubject', column: 'clientId' },
  'client-scope': { table: 'AuthorizationPolicySubject', column: 'clientScopeId' },
} as const;

/**
 * Deletes the policies whose only objects of this kind are going to be deleted: IDs, or a query for them. The others
 * lose their links together with the objects. Policies whose last applied policy is deleted are deleted as well.
 */
export async function forgetPoliciesOf(
  tx: Db,
  kind: keyof typeof links,
  ids: readonly string[] | Prisma.Sql,
): Promise<void> {
  if (Array.isArray(ids) && ids.length === 0) return;
  const { table, column } = links[kind];
  const from = Prisma.raw(`"${table}"`);
  const to = Prisma.raw(`"${column}"`);
  const going = Array.isArray(ids) ? Prisma.join(ids as string[]) : (ids as Prisma.Sql);
  await tx.later.execute(Prisma.sql`
    WITH RECURSIVE "gone"("id") AS (
      SELECT l."policyId" FROM ${from} l WHERE l.${to} IN (${going})
         AND NOT EXISTS (SELECT 1 FROM ${from} o WHERE o."policyId" = l."policyId"
           AND (o.${to} IS NULL OR o.${to} NOT IN (${going})))
      UNION
      SELECT u."policyId" FROM "AuthorizationPolicyUse" u JOIN "gone" g ON u."associatedId" = g."id"
       WHERE (SELECT count(*) FROM "AuthorizationPolicyUse" o WHERE o."policyId" = u."policyId") = 1
    ) DELETE FROM "AuthorizationPolicy" WHERE "id" IN (SELECT "id" FROM "gone")`);
}
