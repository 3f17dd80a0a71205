import type { Db } from '../../database/db.js';
import { Prisma } from '../../generated/sqlite/client.js';

/**
 * Takes a client scope out of what users have consented to: another one may get its id later, and nobody has
 * consented to that.
 */
export async function withdrawScope(tx: Db, realmId: string, scopeId: string): Promise<void> {
  const [without, has] =
    tx.dialect === 'sqlite'
      ? [
          Prisma.sql`(SELECT json_group_array(value) FROM json_each("grantedScopes") WHERE value <> ${scopeId})`,
          Prisma.sql`EXISTS (SELECT 1 FROM json_each("grantedScopes") WHERE value = ${scopeId})`,
        ]
      : [
          Prisma.sql`"grantedScopes" - ${scopeId}::text`,
          Prisma.sql`"grantedScopes" @> ${JSON.stringify([scopeId])}::jsonb`,
        ];
  await tx.execute(Prisma.sql`UPDATE "UserConsent" SET "grantedScopes" = ${without}
    WHERE "clientId" IN (SELECT "id" FROM "Client" WHERE "realmId" = ${realmId}) AND ${has}`);
}
