import DataLoader from 'dataloader';
import { type Context, loader } from '../../services/core/context.js';
import { forbidden } from '../../services/core/refusal.js';
import { clientsAbove } from '../../services/permissions/access.js';
import { realmById } from '../../services/realms/locate.js';
import { permitById } from '../core/permits.js';

/** Refuses what would make the caller a service account with administration roles that the caller does not have. */
export async function requireBelowAccount(ctx: Context, realmId: string, clientId: string): Promise<void> {
  const above = loader(
    ctx,
    `service accounts above in ${realmId}`,
    () =>
      new DataLoader<string, boolean>(async (ids) => {
        const permit = await permitById(ctx, realmId);
        const found = await clientsAbove(ctx, { realm: await realmById(ctx, realmId) }, permit, ids);
        return ids.map((id) => found.has(id));
      }),
  );
  if (await above.load(clientId)) throw forbidden();
}
