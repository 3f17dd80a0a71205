import type { Db } from '../../database/db.js';
import { Prisma } from '../../generated/sqlite/client.js';

/** What a policy can lose: the table of the links, and the column that refers to what goes. */
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
 * Deletes the policies that are about nothing else than what is going to be deleted: ids, or a query for them. The others
 * lose their links together with it. A policy that applied nothing but deleted ones goes as well.
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
