import { randomUUID } from 'node:crypto';
import type { Context } from '../core/context.js';
import type { RealmRecord } from '../core/realm.js';
import { addressForRealm } from '../core/realm.js';
import { notFound } from '../core/refusal.js';
import type { Claims } from '../tokens/claims.js';
import { accessTokenClaims, type TokenPlan } from '../tokens/issue.js';
import { expiryOf } from '../tokens/lifetimes.js';
import { effectiveRoles } from '../tokens/roles.js';
import { knownScopes } from '../tokens/scopes.js';
import { type TokenClient, userSelect } from '../tokens/types.js';

/**
 * The plan of tokens as the token endpoint has it for a login of the user at the client: four statements. Scopes that
 * the client does not have are passed over.
 */
export async function examplePlan(
  ctx: Context,
  { id, name, enabled, settings, attributes, components }: RealmRecord,
  findClient: () => Promise<TokenClient>,
  scopeParameter: string | undefined,
  userId: string,
): Promise<TokenPlan> {
  const user = await ctx.db.user.findFirst({ where: { id: userId, realmId: id }, select: userSelect });
  if (!user) throw notFound('No user found', 'userId');
  const client = await findClient();
  const chosen = knownScopes(client, scopeParameter);
  const roles = await effectiveRoles(ctx.db, user.id, id, client);
  const scope = { ...chosen, scopes: chosen.scopes.filter((candidate) => roles.permits(candidate)) };
  const at = Math.floor(ctx.services.now() / 1000);
  return {
    realm: { id, name, enabled, settings, attributes, components },
    client,
    user,
    roles: roles.within(client, scope.scopes),
    scope,
    session: { id: randomUUID(), startedAt: at, offline: scope.offline, rememberMe: false },
    at,
    baseUrl: addressForRealm(ctx, { attributes }),
    notes: {},
    refreshable: true,
  };
}

/** The claims of an access token by a plan. */
export const exampleClaims = (ctx: Context, plan: TokenPlan): Promise<Claims> =>
  accessTokenClaims(
    { database: { read: ctx.db } },
    plan,
    expiryOf(plan.realm, plan.client, plan.session, plan.at).access,
  );
