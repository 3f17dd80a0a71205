import type { Db } from '../../database/db.js';
import { Prisma } from '../../database/prisma.js';

/** A client with its own flow in place of the realm's. */
export interface BoundClient {
  flowId: string;
  id: string;
  clientId: string;
}

/**
 * The clients that use one of these flows in place of the realm's, by clientId: one statement. Reads the bindings of
 * the clients as text, so it may read every client of the realm that has any.
 */
export async function clientsBoundTo(db: Db, flowIds: readonly string[], limit?: number): Promise<BoundClient[]> {
  if (flowIds.length === 0) return [];
  const flows = Prisma.join(flowIds.map((id) => Prisma.sql`${id}`));
  return db.query<BoundClient>(Prisma.sql`
    SELECT f."id" AS "flowId", c."id" AS "id", c."clientId" AS "clientId"
      FROM "AuthenticationFlow" f JOIN "Client" c ON c."realmId" = f."realmId"
       AND CAST(c."authenticationFlowBindingOverrides" AS TEXT) <> '{}'
       AND CAST(c."authenticationFlowBindingOverrides" AS TEXT) LIKE '%"' || f."id" || '"%'
     WHERE f."id" IN (${flows}) ORDER BY c."clientId", f."id"
     ${limit === undefined ? Prisma.empty : Prisma.sql`LIMIT ${limit}`}`);
}

/** The identity providers that users go through these flows after, by alias: one statement. */
export async function providersBoundTo(
  db: Db,
  flowIds: readonly string[],
): Promise<{ flowId: string; id: string; alias: string }[]> {
  if (flowIds.length === 0) return [];
  const flows = Prisma.join(flowIds.map((id) => Prisma.sql`${id}`));
  return db.query(Prisma.sql`
    SELECT f."id" AS "flowId", p."id" AS "id", p."alias" AS "alias"
      FROM "AuthenticationFlow" f JOIN "IdentityProvider" p ON p."realmId" = f."realmId"
       AND (p."firstBrokerLoginFlowAlias" = f."alias" OR p."postBrokerLoginFlowAlias" = f."alias")
     WHERE f."id" IN (${flows}) ORDER BY p."alias"`);
}

/** Updates the priorities of a list of rows, in one statement. */
export async function storePriorities(
  tx: Db,
  table: 'AuthenticationExecution' | 'RequiredAction',
  rows: readonly { id: string; priority: number }[],
): Promise<void> {
  const cases = rows.map((row) => Prisma.sql`WHEN ${row.id} THEN CAST(${row.priority} AS INTEGER)`);
  await tx.later.execute(Prisma.sql`
    UPDATE ${Prisma.raw(`"${table}"`)} SET "priority" = CASE "id" ${Prisma.join(cases, ' ')} END
     WHERE "id" IN (${Prisma.join(rows.map((row) => row.id))})`);
}
