import type { ScopeOwner } from '../client-scopes/locate.js';
import { clientById } from '../clients/locate.js';
import type { Context } from '../core/context.js';

/** The roles of one realm or client that are in the scope of a client or client scope. */
export interface ScopeMappingTarget extends ScopeOwner {
  container: { id: string };
}

/** The realm roles in the owner's scope. */
export const inRealm = (target: ScopeOwner): ScopeMappingTarget => ({
  ...target,
  container: { id: target.realm.id },
  path: `${target.path}/scope-mappings/realm`,
});

/** The roles of the client with this ID (not clientId) in the owner's scope. */
export async function inClient(ctx: Context, target: ScopeOwner, id: string): Promise<ScopeMappingTarget> {
  const { client } = await clientById(ctx, target.realm, id);
  return { ...target, container: { id: client.id }, path: `${target.path}/scope-mappings/clients/${client.id}` };
}
