import { agree, decisionsOf } from '../authorization/evaluation/decide.js';
import { groupPaths } from '../authorization/evaluation/identity.js';
import { loadDecidingPolicies } from '../authorization/evaluation/store.js';
import type { Context } from '../core/context.js';
import { decidingServer, type RealmRecord } from '../core/realm.js';
import { forbidden } from '../core/refusal.js';
import { heldRoleKeys } from './delegated.js';
import { kinds } from './kinds.js';

const scope = 'user-impersonated';

/**
 * Refuses users whom nobody may impersonate, whatever permission there is: where `user-impersonated` has policies, these
 * are about the user in question.
 */
export async function requireImpersonatable(
  ctx: Context,
  realm: RealmRecord,
  user: { id: string; username: string },
): Promise<void> {
  const server = decidingServer(realm);
  if (!server) return;
  const policies = await loadDecidingPolicies(ctx.db, server.id);
  const deciding = [...policies.values()].filter(
    ({ type, resources, scopes, associated }) =>
      type === 'scope' &&
      associated.length > 0 &&
      scopes.some((one) => one.scope.name === scope) &&
      resources.some(({ resource }) => resource.name === kinds.users.prefix),
  );
  if (deciding.length === 0) return;
  const identity = {
    userId: user.id,
    clientId: undefined,
    claims: { sub: user.id, preferred_username: user.username },
    roles: await heldRoleKeys(ctx, user.id),
    groups: await groupPaths(ctx.db, user.id),
    now: ctx.services.now(),
  };
  const allows = (policy: (typeof deciding)[number]) =>
    agree(policy.decisionStrategy, decisionsOf(policy, identity, policies));
  if (!deciding.every(allows)) throw forbidden();
}
