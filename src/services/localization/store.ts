import type { Db } from '../../database/db.js';
import { Prisma } from '../../generated/sqlite/client.js';

/** The locales for which a realm has texts, in order. */
export async function localesOf(db: Db, realmId: string): Promise<string[]> {
  const rows = await db.query<{ locale: string }>(
    Prisma.sql`SELECT DISTINCT "locale" FROM "LocalizationText" WHERE "realmId" = ${realmId} ORDER BY "locale"`,
  );
  return rows.map(({ locale }) => locale);
}

/** Stores one text of a realm in one locale. */
export const storeText = (
  tx: Db,
  { realmId, locale, key, value }: { realmId: string; locale: string; key: string; value: string },
): Promise<number> =>
  tx.execute(Prisma.sql`
    INSERT INTO "LocalizationText" ("realmId", "locale", "key", "value") VALUES (${realmId}, ${locale}, ${key}, ${value})
    ON CONFLICT ("realmId", "locale", "key") DO UPDATE SET "value" = excluded."value"`);
