import { numberOf } from '../core/json.js';
import { Refusal } from '../core/refusal.js';
import { signPublicToken } from '../keys/sign.js';
import { groupsFor } from '../tokens/groups.js';
import {
  accessTokenClaims,
  accessTokenHash,
  accessTokenType,
  algorithmOf,
  frontIdTokenClaims,
  signedIdToken,
  type TokenPlan,
} from '../tokens/issue.js';
import { expiryOf } from '../tokens/lifetimes.js';
import { effectiveRoles } from '../tokens/roles.js';
import { chooseScopes } from '../tokens/scopes.js';
import type { TokenUser } from '../tokens/types.js';
import { type Attempt, atNow } from './attempt.js';
import { ClientRefusal } from './refusals.js';

/**
 * The tokens that a client gets through the browser, as its `response_type` says (OpenID Connect Core sections 3.2.2.5
 * and 3.3.2.5): nothing where that names none.
 */
export async function frontTokens(
  attempt: Attempt,
  user: TokenUser,
  { rememberMe, code, acr }: { rememberMe: boolean; code: string; acr: string },
): Promise<Record<string, string>> {
  const { kept, tokens, services, client, browser } = attempt;
  const { state } = kept;
  const types = state.request.responseTypes ?? ['code'];
  if (!types.includes('token') && !types.includes('id_token')) return {};
  const { realm } = attempt;
  const at = atNow(attempt);
  const chosen = chooseScopes(client, state.request.scope);
  const roles = await effectiveRoles(services.database.read, user.id, realm.id, client);
  const scope = { ...chosen, scopes: chosen.scopes.filter((one) => roles.permits(one)) };
  const session = {
    id: state.sid,
    startedAt: at,
    offline: false,
    rememberMe,
    authTime: state.authTime ?? at,
    ...(state.request.nonce !== undefined && { nonce: state.request.nonce }),
    acr,
    ...(state.request.claims && { requested: state.request.claims }),
  };
  const plan: TokenPlan = {
    realm,
    client,
    user,
    roles: roles.within(client, scope.scopes),
    // for both tokens
    groups: await groupsFor(services.database.read, user, client, scope),
    scope,
    session,
    at,
    baseUrl: browser.baseUrl,
    notes: {},
    refreshable: true,
    lightweight: state.request.lightweightTokens,
    resources: { access: state.request.resources },
  };
  // what goes through a browser has a lifespan of its own
  const lifespan = numberOf(realm.settings, 'accessTokenLifespanForImplicitFlow', 900);
  const { refresh: sessionEnd = Number.POSITIVE_INFINITY } = expiryOf(realm, client, session, at);
  const expires = Math.min(at + Math.max(1, lifespan), sessionEnd);
  const signAccess = async (claims: Record<string, unknown>) => {
    const algorithm = algorithmOf(plan, 'access.token.signed.response.alg');
    const token = { purpose: 'access', algorithm, claims, client: client.id, ...accessTokenType(plan) } as const;
    return signPublicToken(tokens, realm, token);
  };
  const idAlgorithm = algorithmOf(plan, 'id.token.signed.response.alg');
  const access = types.includes('token')
    ? await signAccess(await accessTokenClaims(tokens, plan, expires).catch(toClient))
    : '';
  const hash = (token: string) => accessTokenHash({ token, algorithm: idAlgorithm });
  return {
    ...(access !== '' && { access_token: access, token_type: 'Bearer', expires_in: String(expires - at) }),
    ...(types.includes('id_token') && {
      id_token: await signedIdToken(tokens, plan, {
        ...(await frontIdTokenClaims(tokens, plan, expires)),
        ...(access !== '' && { at_hash: hash(access) }),
        ...(types.includes('code') && { c_hash: hash(code) }),
        ...(state.request.state !== undefined && { s_hash: hash(state.request.state) }),
      }).catch(toClient),
    }),
  };
}

/** Rethrows a refusal of the token endpoint as an error for the client, which the browser carries. */
function toClient(error: unknown): never {
  if (!(error instanceof Refusal) || !error.details.body) throw error;
  const isTarget = 'error' in error.details.body && error.details.body.error === 'invalid_target';
  throw new ClientRefusal(isTarget ? 'invalid_target' : 'server_error', error.message);
}
