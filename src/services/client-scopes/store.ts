import type { Db } from '../../database/db.js';
import { hasText, withoutText } from '../../database/portable.js';
import { Prisma } from '../../database/prisma.js';

/**
 * Takes a client scope out of what users have consented to: another one may get its id later, and nobody has
 * consented to that.
 */
export async function withdrawScope(tx: Db, realmId: string, scopeId: string): Promise<void> {
  const scopes = Prisma.sql`"grantedScopes"`;
  await tx.execute(Prisma.sql`UPDATE "UserConsent" SET "grantedScopes" = ${withoutText(tx, scopes, scopeId)}
    WHERE "clientId" IN (SELECT "id" FROM "Client" WHERE "realmId" = ${realmId}) AND ${hasText(tx, scopes, scopeId)}`);
}
