import { requireWhole } from '../core/entitlement.js';
import { adminTools } from '../core/held-rights.js';
import type { Permit } from '../core/permit.js';
import type { Target } from '../core/target.js';

/**
 * Refuses to give a client the name of one that administration hangs on, to callers who may not do everything in the realm:
 * such a client may have been deleted before.
 */
export function requireOrdinaryName(permit: Permit, target: Target, clientId: string | undefined): void {
  if (clientId === 'realm-management' || adminTools.includes(clientId ?? '')) requireWhole(target, permit);
}
