import type { Db } from '../../database/db.js';
import { Prisma } from '../../generated/sqlite/client.js';

/** Deletes a component with those below it. */
export const removeWithAllBelow = (tx: Db, realmId: string, id: string): Promise<number> =>
  tx.execute(Prisma.sql`
    DELETE FROM "Component" WHERE "id" IN (
      WITH RECURSIVE below("id") AS (
        SELECT "id" FROM "Component" WHERE "id" = ${id}
        UNION
        SELECT c."id" FROM "Component" c JOIN below b ON c."parentId" = b."id" WHERE c."realmId" = ${realmId}
      ) SELECT "id" FROM below)`);
