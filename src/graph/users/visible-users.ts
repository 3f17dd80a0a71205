import type { Context } from '../../services/core/context.js';
import { realmById } from '../../services/realms/locate.js';
import { shownUsers } from '../../services/user-storage/storage-id.js';
import { permitById } from '../core/permits.js';

/** The filter of the users of a realm that exist for the caller, who may view them. */
export async function visibleUsers(ctx: Context, realmId: string) {
  const permit = await permitById(ctx, realmId);
  return { realmId, AND: [permit.visible('users'), shownUsers(await realmById(ctx, realmId))] };
}
