import type { Database, Db } from '../../database/db.js';
import { Prisma } from '../../database/prisma.js';
import { listsByKey } from '../core/lists-by-key.js';
import { keyProviderType, type ProviderRow } from './provider.js';

/** The key providers of each of these realms, in a fixed order, by its ID. */
export async function readProviders(
  database: Database,
  realmIds: readonly string[],
): Promise<Map<string, ProviderRow[]>> {
  const rows = await database.read.component.findMany({
    where: { realmId: { in: [...realmIds] }, providerType: keyProviderType },
    orderBy: { id: 'asc' },
    select: { id: true, realmId: true, providerId: true, config: true, secrets: true },
  });
  return listsByKey(rows.map((row) => [row.realmId, row]));
}

/** Stores secrets of a key provider. The first write wins, so that two instances never disagree. */
export async function completeSecrets(
  tx: Db,
  row: Pick<ProviderRow, 'id' | 'secrets'>,
  secrets: string,
): Promise<void> {
  const unchanged = row.secrets === null ? Prisma.sql`"secrets" IS NULL` : Prisma.sql`"secrets" = ${row.secrets}`;
  await tx.execute(Prisma.sql`UPDATE "Component" SET "secrets" = ${secrets} WHERE "id" = ${row.id} AND ${unchanged}`);
}
