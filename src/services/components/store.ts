import type { Db } from '../../database/db.js';
import { Prisma } from '../../database/prisma.js';

/** The IDs of the components below another one, as the table `below`. */
const allBelow = (realmId: string, id: string) => Prisma.sql`
  WITH RECURSIVE below("id") AS (
    SELECT "id" FROM "Component" WHERE "parentId" = ${id} AND "realmId" = ${realmId}
    UNION
    SELECT c."id" FROM "Component" c JOIN below b ON c."parentId" = b."id" WHERE c."realmId" = ${realmId}
  )`;

/** Deletes a component with those below it. */
export const removeWithAllBelow = (tx: Db, realmId: string, id: string): Promise<number> =>
  tx.execute(Prisma.sql`
    DELETE FROM "Component" WHERE "id" = ${id} OR "id" IN (${allBelow(realmId, id)} SELECT "id" FROM below)`);

/** Whether a component is the one with another ID, or below it. */
export async function isAtOrBelow(db: Db, realmId: string, id: string, top: string): Promise<boolean> {
  if (id === top) return true;
  const found = Prisma.sql`${allBelow(realmId, top)} SELECT "id" FROM below WHERE "id" = ${id}`;
  return (await db.query<{ id: string }>(found)).length > 0;
}
