import type { Db } from '../../database/db.js';
import { Prisma } from '../../database/prisma.js';
import { listsByKey } from '../core/lists-by-key.js';

/** The locales for which each of these realms has texts, in order, by its ID. */
export async function localesByRealm(db: Db, realmIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.query<{ realmId: string; locale: string }>(
    Prisma.sql`SELECT DISTINCT "realmId", "locale" FROM "LocalizationText" WHERE "realmId" IN (${Prisma.join(realmIds)})
      ORDER BY "locale"`,
  );
  return listsByKey(rows.map(({ realmId, locale }) => [realmId, locale]));
}

/** The locales for which a realm has texts, in order. */
export const localesOf = async (db: Db, realmId: string): Promise<string[]> =>
  (await localesByRealm(db, [realmId])).get(realmId) ?? [];

/** Stores one text of a realm in one locale. */
export const storeText = (
  tx: Db,
  { realmId, locale, key, value }: { realmId: string; locale: string; key: string; value: string },
): Promise<number> =>
  tx.execute(Prisma.sql`
    INSERT INTO "LocalizationText" ("realmId", "locale", "key", "value") VALUES (${realmId}, ${locale}, ${key}, ${value})
    ON CONFLICT ("realmId", "locale", "key") DO UPDATE SET "value" = excluded."value"`);
