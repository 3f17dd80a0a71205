import type { Database, Db } from '../../database/db.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { keyProviderType, type ProviderRow } from './provider.js';

/** The key providers of a realm, in a fixed order. */
export const readProviders = (database: Database, realmId: string): Promise<ProviderRow[]> =>
  database.read.component.findMany({
    where: { realmId, providerType: keyProviderType },
    orderBy: { id: 'asc' },
    select: { id: true, realmId: true, providerId: true, config: true, secrets: true },
  });

/** Stores secrets of a key provider. The first write wins, so that two instances never disagree. */
export async function completeSecrets(
  tx: Db,
  row: Pick<ProviderRow, 'id' | 'secrets'>,
  secrets: string,
): Promise<void> {
  const unchanged = row.secrets === null ? Prisma.sql`"secrets" IS NULL` : Prisma.sql`"secrets" = ${row.secrets}`;
  await tx.execute(Prisma.sql`UPDATE "Component" SET "secrets" = ${secrets} WHERE "id" = ${row.id} AND ${unchanged}`);
}
