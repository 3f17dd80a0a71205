import { type Context, loader } from '../../services/core/context.js';
import { recordDisclosures } from '../../services/core/disclosure.js';
import { batchLoader } from '../../services/core/pace.js';
import { realmById } from '../../services/realms/locate.js';

interface Told {
  realmId: string;
  resourceType: string;
  resourcePath: string;
}

/** Whether a request must not return secrets: a dry run keeps no record of them, so fields with secrets are null. */
export const hidesSecrets = ({ unit }: Context): boolean => unit?.dryRun === true;

/**
 * Stores that the caller will see a secret, once for each secret in a request. Secrets that are read at the same time
 * share a transaction. Returns whether the field may return its secret. If the record cannot be stored, the field
 * fails.
 */
export async function disclose(ctx: Context, told: Told): Promise<boolean> {
  if (hidesSecrets(ctx)) return false;
  const disclosures = loader(ctx, 'disclosures of secrets', () =>
    batchLoader<Told, true, string>(
      ctx,
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
  return disclosures.load(told);
}
