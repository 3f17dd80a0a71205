import { randomUUID } from 'node:crypto';
import { numberOf } from '../core/json.js';
import { Refusal } from '../core/refusal.js';
import { inTransaction } from '../core/unit-of-work.js';
import { bindingOf } from '../tokens/binding.js';
import { addAudience, type Claims } from '../tokens/claims.js';
import { authenticateClient, clientCredentials } from '../tokens/client-authentication.js';
import { checkTokenRequest } from '../tokens/client-policies.js';
import { seconds, type TokenContext } from '../tokens/context.js';
import { grantToken } from '../tokens/grants.js';
import { accessTokenClaims, issueTokens, type TokenPlan } from '../tokens/issue.js';
import { oauthError } from '../tokens/oauth-error.js';
import { allowedOrigins } from '../tokens/origins.js';
import { findRealmAndClient, findUserById } from '../tokens/parties.js';
import { sessionOf } from '../tokens/refresh.js';
import { effectiveRoles } from '../tokens/roles.js';
import { knownScopes, scopeNames } from '../tokens/scopes.js';
import { mayLackSession } from '../tokens/service-account.js';
import { settle } from '../tokens/settle.js';
import type { ClientAnswer, TokenRequest } from '../tokens/token-request.js';
import type { TokenClient, TokenRealm, TokenUser } from '../tokens/types.js';
import { checkClaimToken } from './claim-token.js';
import { collectTargets } from './evaluation/collect-targets.js';
import { PolicyEvaluator } from './evaluation/decide.js';
import { evaluate, type GrantedPermission, grantedPermissions, type Wanted } from './evaluation/evaluate.js';
import { groupPaths, needsClaims, roleKeys } from './evaluation/identity.js';
import { evaluateInLine } from './evaluation/in-line.js';
import { loadPolicies } from './evaluation/store.js';
import { bearerOf, ownerIdOf } from './protection/bearer.js';
import { submitRequests } from './protection/tickets.js';
import { type RequestedServer, readTicket, requestedPermissions, requestsEverything, serverNamed } from './wanted.js';

const umaTicket = 'urn:ietf:params:oauth:grant-type:uma-ticket';
// RFC 6749 section 5.1: no cache may keep an answer with tokens.
const headers = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** Answers a request to the token endpoint: one for permissions (UMA 2.0 Grant section 3.3.1) or any other. */
export const tokensOrPermissions = (context: TokenContext, request: TokenRequest): Promise<ClientAnswer> =>
  request.form.get('grant_type') === umaTicket ? grantPermissions(context, request) : grantToken(context, request);

/** The requesting party: the bearer of an access token, or a client for itself. */
interface Asker {
  realm: TokenRealm;
  client: TokenClient;
  user: TokenUser;
  claims: Claims;
  /** the parts of a token for the requesting party, except for the session */
  plan: Omit<TokenPlan, 'session' | 'refreshable'>;
}

async function grantPermissions(context: TokenContext, request: TokenRequest): Promise<ClientAnswer> {
  const credentials = clientCredentials(request.form, request.authorization, request.findCertificate);
  const { realm, client } = await findRealmAndClient(context, request.realmName, credentials.clientId);
  let origins = client && allowedOrigins(client, request.baseUrl);
  try {
    if (!realm.enabled) throw oauthError(403, 'access_denied', 'Realm not enabled');
    const asker = await askerOf(context, request, realm, client);
    origins = allowedOrigins(asker.client, request.baseUrl);
    const body = await answerTo(context, request, asker);
    return { status: 200, body, headers, allowedOrigins: origins };
  } catch (error) {
    if (!(error instanceof Refusal) || !error.details.body) throw error;
    const { status = 400, body, headers: more } = error.details;
    return { status, body, headers: { ...headers, ...more }, allowedOrigins: origins };
  }
}

async function askerOf(
  context: TokenContext,
  request: TokenRequest,
  realm: TokenRealm,
  client: TokenClient | undefined,
): Promise<Asker> {
  const { form, authorization, baseUrl } = request;
  if (/^bearer\b/i.test(authorization ?? '')) {
    const known = await bearerOf(context, realm, {
      authorization: authorization ?? undefined,
      findCertificate: request.findCertificate,
    });
    if (!known) throw oauthError(401, 'invalid_grant', 'Invalid bearer token');
    const scope = typeof known.claims.scope === 'string' ? known.claims.scope : undefined;
    const plan = await planOf(context, request, realm, known.client, known.user, scope);
    // a token does not extend its own lifetime
    const notAfter = numberOf(known.claims, 'exp', plan.at);
    const { client: holder, user, claims } = known;
    return { realm, client: holder, user, claims, plan: { ...plan, notAfter, within: claims } };
  }
  const credentials = clientCredentials(form, authorization, request.findCertificate);
  const proved = await authenticateClient(context, client, credentials, { realm, baseUrl });
  await checkTokenRequest(context, realm, proved, request);
  const user = proved.serviceAccount && (await findUserById(context, realm, proved.serviceAccount.id));
  if (!user?.enabled || !mayLackSession(proved, user)) {
    throw oauthError(401, 'unauthorized_client', 'Client not enabled to retrieve service account');
  }
  const plan = await planOf(context, request, realm, proved, user, undefined);
  const session = { id: randomUUID(), startedAt: plan.at, offline: false, rememberMe: false };
  const whole = { ...plan, session, refreshable: false, lightweight: false };
  const claims = await accessTokenClaims(context, whole, plan.at);
  return { realm, client: proved, user, claims, plan };
}

async function planOf(
  context: TokenContext,
  { baseUrl, proof, findCertificate }: TokenRequest,
  realm: TokenRealm,
  client: TokenClient,
  user: TokenUser,
  scopeParameter: string | undefined,
): Promise<Asker['plan']> {
  const roles = await effectiveRoles(context.database.read, user.id, realm.id, client);
  const chosen = knownScopes(client, scopeParameter);
  const scope = { ...chosen, scopes: chosen.scopes.filter((one) => roles.permits(one)) };
  return {
    realm,
    client,
    user,
    roles: roles.within(client, scope.scopes),
    scope,
    at: seconds(context),
    baseUrl,
    boundTo: await bindingOf(context, realm, client, { baseUrl, proof, findCertificate }),
    notes: {},
  };
}

/** Decides, and returns a token or the answer of the response mode. */
async function answerTo(
  context: TokenContext,
  request: TokenRequest,
  asker: Asker,
): Promise<Record<string, unknown> | unknown[]> {
  const { form, remoteAddress, baseUrl } = request;
  const { realm, client, user, plan } = asker;
  const mode = form.get('response_mode');
  if (mode !== null && mode !== 'decision' && mode !== 'permissions') {
    throw oauthError(400, 'invalid_request', 'Invalid response_mode');
  }
  checkClaimToken(form);
  const ticket = await readTicket(context, realm, form.get('ticket'));
  const server = await serverNamed(context.database.read, realm.id, ticket?.azp ?? form.get('audience'));
  const decided = async () => {
    const requested = await requestedPermissions(context, realm, server, user.id, form, ticket);
    return { requested, permissions: await decide(context, request, asker, server, requested) };
  };
  const { requested, permissions } = requestsEverything(form, ticket)
    ? await evaluateInLine(decided, realm.id, user.id)
    : await decided();
  const { sid } = asker.claims;
  const session = await sessionOf(context, realm, client, { sid, offline: false }, plan.at);
  const [part] = session?.clients ?? [];
  const grant = {
    context,
    realm,
    client,
    user,
    form,
    remoteAddress,
    baseUrl,
    at: plan.at,
    refreshable: false,
    details: { grant_type: umaTicket, audience: server.clientId },
  };
  if (permissions.length === 0) {
    const asks = ticket !== undefined && form.get('submit_request') !== 'false';
    if (asks) await submit(context, server, user.id, requested);
    const refusal = oauthError(403, 'access_denied', asks ? 'request_submitted' : 'not_authorized');
    await settle(grant, 'PERMISSION_TOKEN', refusal);
    throw refusal;
  }
  await settle(grant, 'PERMISSION_TOKEN', undefined);
  if (mode === 'decision') return { result: true };
  const shown = limited(permissions, form);
  if (mode === 'permissions') return shown;
  const audience: Claims = { aud: asker.claims.aud };
  addAudience(audience, server.clientId);
  const { answer } = await issueTokens(context, {
    ...plan,
    session: {
      id: String(sid ?? randomUUID()),
      startedAt: session?.startedAt ?? plan.at,
      offline: false,
      rememberMe: session?.rememberMe ?? false,
      ...(session && part && { stored: { sessionId: session.id, clientSessionId: part.id } }),
    },
    // a public client cannot authenticate, so it would get a refresh token for its token alone
    refreshable: session !== undefined && !client.publicClient,
    // the tokens of an offline session belong to it, without a further offline token
    besides: {
      ...(sid !== undefined && { sid, session_state: sid }),
      ...audience,
      authorization: { permissions: shown },
    },
  });
  const { scope: _, session_state: __, id_token: ___, ...tokens } = answer;
  return { ...tokens, upgraded: form.has('rpt') };
}

/** Decides which permissions the requesting party gets: a bounded number of statements for any number of requests. */
async function decide(
  context: TokenContext,
  request: TokenRequest,
  asker: Asker,
  server: RequestedServer,
  requested: readonly Wanted[],
): Promise<GrantedPermission[]> {
  const db = context.database.read;
  const { client, user, plan, claims } = asker;
  const tickets = await db.permissionTicket.findMany({
    where: { resourceServerId: server.id, requesterId: user.id, grantedTimestamp: { not: null } },
    select: { resourceId: true, scopeId: true },
  });
  const policies = await loadPolicies(db, server.id, collectTargets(requested));
  const rules = {
    serverId: server.id,
    mode: server.policyEnforcementMode,
    strategy: server.decisionStrategy,
    grants: new Map<string, (string | null)[]>(),
  };
  for (const { resourceId, scopeId } of tickets) {
    rules.grants.set(resourceId, [...(rules.grants.get(resourceId) ?? []), scopeId]);
  }
  const identity = {
    userId: user.id,
    ownerId: ownerIdOf(user, server),
    clientId: client.id,
    claims: needsClaims(policies) ? await claimsAt(context, request, asker, server) : {},
    scopes: scopeNames(typeof claims.scope === 'string' ? claims.scope : ''),
    roles: roleKeys(plan.roles),
    groups: await groupPaths(db, user.id),
    now: context.now(),
  };
  const evaluator = new PolicyEvaluator(identity, policies);
  return grantedPermissions(await evaluate(requested, rules, evaluator));
}

/**
 * The claims about the caller from the mappers of the resource server: mappers of the requesting client could claim
 * anything.
 */
async function claimsAt(
  context: TokenContext,
  request: TokenRequest,
  { realm, client, user, claims, plan: { at } }: Asker,
  server: RequestedServer,
): Promise<Claims> {
  if (client.id === server.id) return claims;
  const { client: asked } = await findRealmAndClient(context, realm.name, server.clientId);
  if (!asked) return {};
  const plan = await planOf(context, request, realm, asked, user, undefined);
  const session = { id: randomUUID(), startedAt: at, offline: false, rememberMe: false };
  return accessTokenClaims(context, { ...plan, session, refreshable: false, lightweight: false }, at);
}

/** Stores denied permissions as requests to the owners of the resources, if these manage the access themselves. */
async function submit(
  context: TokenContext,
  server: RequestedServer,
  requesterId: string,
  requested: readonly Wanted[],
): Promise<void> {
  const wanted = requested.flatMap(({ resource, scopes }) =>
    resource?.ownerManagedAccess && resource.ownerId !== requesterId
      ? [
          {
            resourceId: resource.id,
            ownerId: resource.ownerId,
            scopeIds: scopes.length > 0 ? scopes.map(({ id }) => id) : [null],
          },
        ]
      : [],
  );
  if (wanted.length === 0) return;
  await inTransaction(context.database, (tx) => submitRequests(tx, context, server.id, requesterId, wanted));
}

function limited(permissions: GrantedPermission[], form: URLSearchParams): GrantedPermission[] {
  const limit = Number(form.get('response_permissions_limit') ?? Number.NaN);
  const first = Number.isInteger(limit) && limit >= 0 ? permissions.slice(0, limit) : permissions;
  if (form.get('response_include_resource_name') !== 'false') return first;
  return first.map(({ rsname: _, ...rest }) => rest);
}
