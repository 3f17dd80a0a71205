import DataLoader from 'dataloader';
import { type Context, loader } from '../../services/core/context.js';
import { recordDisclosures } from '../../services/core/disclosure.js';
import { realmById } from '../../services/realms/locate.js';

interface Told {
  realmId: string;
  resourceType: string;
  resourcePath: string;
}

/**
 * Stores that the caller gets to see a secret, once for each in a request; those that are read at the same time in one
 * transaction. A field tells its secret after this; when the record cannot be stored, it fails.
 */
export async function disclose(ctx: Context, told: Told): Promise<void> {
  const disclosures = loader(
    ctx,
    'disclosures of secrets',
    () =>
      new DataLoader<Told, true, string>(
        async (batch) => {
          const realms = await Promise.all(batch.map(({ realmId }) => realmById(ctx, realmId)));
          await recordDisclosures(
            ctx,
            batch.flatMap((one, index) => {
              const realm = realms[index];
              return realm ? [{ ...one, realm }] : [];
            }),
          );
          return batch.map(() => true as const);
        },
        { cacheKeyFn: ({ realmId, resourcePath }) => `${realmId} ${resourcePath}` },
      ),
  );
  await disclosures.load(told);
}
