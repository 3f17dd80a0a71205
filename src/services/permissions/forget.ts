import type { Db } from '../../database/db.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { forgetPoliciesOf } from '../authorization/cascade.js';
import type { RealmRecord } from '../core/realm.js';
import { kinds } from './kinds.js';

type Forgotten = 'role' | 'user' | 'group' | 'client' | 'client-scope';

/**
 * Deletes the policies that name nothing else than what is going to be deleted (ids, or a query for them), and the
 * management permissions about it.
 */
export async function forgetInPolicies(
  tx: Db,
  realm: RealmRecord,
  kind: Forgotten,
  ids: readonly string[] | Prisma.Sql,
): Promise<void> {
  await forgetPoliciesOf(tx, kind, ids);
  // most realms have no management permissions at all
  if (kind === 'user' || kind === 'client-scope' || realm.clients.length === 0) return;
  const given = Array.isArray(ids) ? Prisma.join(ids as string[]) : (ids as Prisma.Sql);
  const resources = Prisma.sql`SELECT r."id" FROM "AuthorizationResource" r
    WHERE r."name" IN (SELECT ${kinds[kind].prefix} || x."id" FROM ${Prisma.raw(tables[kind])} x WHERE x."id" IN (${given}))
      AND r."resourceServerId" IN (SELECT c."id" FROM "Client" c
        WHERE (c."realmId" = ${realm.id} AND c."clientId" = 'realm-management') OR c."id" = ${realm.adminClientId})`;
  await tx.later.execute(Prisma.sql`DELETE FROM "AuthorizationPolicy" WHERE "id" IN (
    SELECT pr."policyId" FROM "AuthorizationPolicyResource" pr WHERE pr."resourceId" IN (${resources}))`);
  await tx.later.execute(Prisma.sql`DELETE FROM "AuthorizationResource" WHERE "id" IN (${resources})`);
}

const tables = { role: '"Role"', group: '"Group"', client: '"Client"' } as const;

/** A query for a group and all below it. */
export const groupAndBelow = (id: string): Prisma.Sql => Prisma.sql`WITH RECURSIVE "tree"("id") AS (
  SELECT "id" FROM "Group" WHERE "id" = ${id}
  UNION SELECT g."id" FROM "Group" g JOIN "tree" t ON g."parentId" = t."id") SELECT "id" FROM "tree"`;

/** A query for the roles of a client. */
export const rolesOfClient = (id: string): Prisma.Sql => Prisma.sql`SELECT "id" FROM "Role" WHERE "clientId" = ${id}`;
