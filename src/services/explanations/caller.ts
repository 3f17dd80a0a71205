import type { Caller } from '../core/caller.js';
import { type Context, loader } from '../core/context.js';
import { adminConsole } from '../core/held-rights.js';
import type { RealmRecord } from '../core/realm.js';
import { found } from '../core/refusal.js';
import { exampleClaims, examplePlan } from '../evaluate-scopes/example.js';
import { tokenClient } from '../evaluate-scopes/operations.js';
import { callerOf } from '../tokens/caller.js';
import { mayLackSession } from '../tokens/service-account.js';
import { isUsable } from '../user-storage/storage-id.js';

/** A request that a user would send. */
export interface RequestOf {
  /** its context, with separate permits and loaders */
  as: Context;
  /** whether the user can get an access token at all */
  canLogIn: boolean;
}

/**
 * The request that a user would send with the access token of a client, by the ID of its row. Default: the
 * administration console, or for a service account its own client. Requests of one user share their lookups.
 */
export function requestOf(
  ctx: Context,
  realm: RealmRecord,
  userId: string,
  clientRow: string | undefined,
): Promise<RequestOf> {
  return loader(ctx, `request of ${userId} by ${clientRow}`, () => makeRequest(ctx, realm, userId, clientRow));
}

async function makeRequest(
  ctx: Context,
  realm: RealmRecord,
  userId: string,
  given: string | undefined,
): Promise<RequestOf> {
  const row = await ctx.db.user.findUnique({
    where: { id: userId },
    select: { id: true, enabled: true, federationLink: true, serviceAccountClientId: true },
  });
  const user = found(row, 'User not found');
  const isActive = realm.enabled && isUsable(realm, user);
  const clientRow = given ?? user.serviceAccountClientId ?? undefined;
  const about = { userId, realmId: realm.id, realmName: realm.name };
  if (clientRow === undefined) {
    const caller = { ...about, clientId: adminConsole, tokenRoles: {}, realmRoles: [] };
    return { as: contextAs(ctx, caller), canLogIn: isActive };
  }
  const client = await tokenClient(ctx, clientRow);
  const plan = await examplePlan(ctx, realm, async () => client, undefined, userId);
  const claims = await exampleClaims(ctx, plan);
  const isPerson = user.serviceAccountClientId === null;
  const canLogIn = isActive && client.enabled && (isPerson || mayLackSession(client, user));
  return { as: contextAs(ctx, callerOf({ ...about, clientId: client.clientId, claims })), canLogIn };
}

const contextAs = (ctx: Context, caller: Caller): Context => ({
  ...ctx,
  caller,
  permits: new Map(),
  loaders: new Map(),
});
