import type { Context } from '../../services/core/context.js';
import { forbidden } from '../../services/core/refusal.js';
import { realmById } from '../../services/realms/locate.js';
import { permitById } from '../core/permits.js';

/**
 * Refuses actions that would give the caller control of a service account with administration roles that the caller
 * does not have.
 */
export async function requireBelowAccount(ctx: Context, realmId: string, clientId: string): Promise<void> {
  const actsOn = () => ({ of: 'client' as const, ids: [clientId] });
  const target = { realm: await realmById(ctx, realmId) };
  const permit = await permitById(ctx, realmId);
  if (!(await ctx.services.access.isEntitled(ctx, { actsOn }, permit, target, undefined))) throw forbidden();
}
