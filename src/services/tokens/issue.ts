import { createHash, randomUUID } from 'node:crypto';
import type { Db } from '../../database/db.js';
import { members } from '../core/json.js';
import { algorithmAmong } from '../keys/jws.js';
import { signPublicToken, signServerToken } from '../keys/sign.js';
import { type Binding, confirmation } from './binding.js';
import { addAudience, type Claims } from './claims.js';
import { encryptedFor, isEncrypted } from './client-encryption.js';
import { signIdToken } from './client-signature.js';
import { issuerOf, type TokenContext } from './context.js';
import { groupsFor } from './groups.js';
import { expiryOf, notBeforeOf, type TokenSession } from './lifetimes.js';
import { isLightweight, lightweightClaim } from './lightweight.js';
import { answeredClaims, type MapperInput, mappedClaims, type TokenKind } from './mappers.js';
import { pairwiseMapper } from './pairwise-subject.js';
import { limitedTo, type TokenResources, withinReach } from './resources.js';
import { mappersOf, type ScopeChoice, scopeText } from './scopes.js';
import type { TokenClient, TokenGroup, TokenRealm, TokenRole, TokenUser } from './types.js';

/** Everything that decides what stands in the tokens of one answer. */
export interface TokenPlan {
  realm: TokenRealm;
  client: TokenClient;
  user: TokenUser;
  /** the roles that the client gets to see */
  roles: readonly TokenRole[];
  /** the groups of the user as far as the mappers ask for them; read when they are needed, where they are not known */
  groups?: readonly TokenGroup[] | undefined;
  scope: ScopeChoice;
  session: TokenSession;
  /** seconds since 1970 */
  at: number;
  baseUrl: string;
  notes: MapperInput['notes'];
  /** what else stands in the access token, over all that mappers say: the permissions of a requesting party token */
  besides?: Claims;
  /** whether the session goes on after this answer: else there is no refresh token and no session id */
  refreshable: boolean;
  boundTo?: Binding | undefined;
  /** what the tokens are for (RFC 8707); all that the mappers and roles name if there is nothing */
  resources?: TokenResources;
  /** the claims of the access token that is enough to get this one: it reaches no further */
  within?: Claims | undefined;
  /** whether the access token has few claims; if it is not said, as the client is set to */
  lightweight?: boolean | undefined;
  /** the latest that the access token may expire, in seconds since 1970: when the token that it was asked for with does */
  notAfter?: number;
}

/** What the claims of tokens are read from. */
export interface ClaimsContext {
  readonly database: { readonly read: Db };
}

/** The answer of the token endpoint, RFC 6749 section 5.1, with the reference's additions and what mappers add. */
export type TokenResponse = Record<string, unknown>;

/** The answer, with the ids of the tokens in it. */
export interface IssuedTokens {
  answer: TokenResponse;
  accessTokenId: string;
  refreshTokenId: string | undefined;
}

/** Issues the access token and, as the plan says, the refresh and the ID token. */
export async function issueTokens(context: TokenContext, asked: TokenPlan): Promise<IssuedTokens> {
  const { realm, client, user, session, at, scope, refreshable, notAfter = Number.POSITIVE_INFINITY } = asked;
  const plan = { ...asked, groups: await groupsIn(context, asked) };
  const lifespans = expiryOf(realm, client, session, at);
  const isRefreshed = refreshable && members(client.attributes)['use.refresh.tokens'] !== 'false';
  const expiry = { access: Math.min(lifespans.access, notAfter), refresh: isRefreshed ? lifespans.refresh : at };
  const access = await accessToken(context, plan, expiry.access);
  const refreshTokenId = isRefreshed ? randomUUID() : undefined;
  const answer = {
    ...besidesTokens(plan),
    access_token: access.token,
    expires_in: expiry.access - at,
    refresh_expires_in: refreshable && expiry.refresh !== undefined ? expiry.refresh - at : 0,
    ...(refreshTokenId && { refresh_token: await refreshToken(context, plan, expiry.refresh, refreshTokenId) }),
    token_type: tokenType(plan),
    ...(scope.openid && { id_token: await idToken(context, plan, expiry.access, access) }),
    'not-before-policy': notBeforeOf(realm, client, user),
    ...(refreshable && { session_state: session.id }),
    scope: scopeText(scope),
  };
  return { answer, accessTokenId: access.id, refreshTokenId };
}

/** The type of the access token, in lower case for a client that compares it exactly. */
function tokenType({ client, boundTo }: Pick<TokenPlan, 'client' | 'boundTo'>): string {
  if (boundTo?.key !== undefined) return 'DPoP';
  return members(client.attributes)['token.response.type.bearer.lower-case'] === 'true' ? 'bearer' : 'Bearer';
}

/** Members of the answer that no mapper may add, whether or not this answer has them. */
const ownMembers = ['refresh_token', 'id_token', 'session_state', 'error', 'error_description', 'issued_token_type'];

/** Members that the mappers of the client add to the answer. */
function besidesTokens({ client, user, roles, notes, scope, session, baseUrl }: TokenPlan): Claims {
  const input = { user, client, roles, groups: [], notes, baseUrl, requested: session.requested };
  const added = answeredClaims(mappersOf(client, scope), input);
  return Object.fromEntries(Object.entries(added).filter(([name]) => !ownMembers.includes(name)));
}

/** The claims of an access token as the reference has them, with those of RFC 9068 for a client that wants these. */
export async function accessTokenClaims(context: ClaimsContext, plan: TokenPlan, expires: number): Promise<Claims> {
  const { scope } = plan;
  const light = isLightweight(plan);
  const { session_state, ...inSession } = sessionClaims(plan);
  const { nonce, ...login } = loginClaims(plan);
  const claims: Claims = {
    ...commonClaims(plan, expires),
    typ: 'Bearer',
    azp: plan.client.clientId,
    ...inSession,
    ...login,
    ...(light ? { [lightweightClaim]: true } : { session_state, nonce }),
  };
  const told = await mapped(context, claims, plan, light ? 'lightweight.claim' : 'access.token.claim');
  const reached = withinReach(told, plan.within);
  const written = limitedTo(reached, plan.client, plan.resources?.access);
  return {
    ...written,
    ...(followsProfile(plan) && profileClaims(plan, written)),
    ...confirmation(plan.boundTo ?? {}),
    scope: scopeText(scope),
    ...plan.besides,
  };
}

/** Whether a client wants access tokens in the form of RFC 9068. */
const followsProfile = ({ client }: Pick<TokenPlan, 'client'>): boolean =>
  members(client.attributes)['access.token.header.type.rfc9068'] === 'true';

/** Claims that RFC 9068 section 2.2 requires besides. A token that names no resource server is for the realm itself. */
function profileClaims({ realm, client, baseUrl }: TokenPlan, { aud }: Claims): Claims {
  const claims: Claims = { client_id: client.clientId };
  if (aud === undefined) addAudience(claims, issuerOf(baseUrl, realm.name));
  return claims;
}

/** The claims of an ID token, OpenID Connect Core section 2, without `at_hash`. */
export async function idTokenClaims(context: ClaimsContext, plan: TokenPlan, expires: number): Promise<Claims> {
  const { clientId } = plan.client;
  const claims: Claims = {
    ...commonClaims(plan, expires),
    aud: clientId,
    typ: 'ID',
    azp: clientId,
    ...sessionClaims(plan),
    ...loginClaims(plan),
  };
  return mapped(context, claims, plan, 'id.token.claim');
}

/**
 * The claims of an ID token that goes through the browser. A client can have it as a signature of the answer alone, without what
 * mappers tell of the user (Financial-grade API 1.0 part 2, section 5.1.1).
 */
export function frontIdTokenClaims(context: ClaimsContext, plan: TokenPlan, expires: number): Promise<Claims> {
  const { client } = plan;
  if (members(client.attributes)['id.token.as.detached.signature'] !== 'true')
    return idTokenClaims(context, plan, expires);
  const pairwise = mappersOf(client, plan.scope).filter(({ protocolMapper }) => protocolMapper === pairwiseMapper);
  const silent = { client: { ...client, protocolMappers: pairwise }, scope: { ...plan.scope, scopes: [] } };
  return idTokenClaims(context, { ...plan, ...silent }, expires);
}

/** The claims of the userinfo endpoint, OpenID Connect Core section 5.3. */
export function userInfoClaims(
  context: ClaimsContext,
  plan: Omit<TokenPlan, 'session' | 'at' | 'refreshable'> & { session?: Pick<TokenSession, 'requested'> },
): Promise<Claims> {
  return mapped(context, { sub: plan.user.id }, plan, 'userinfo.token.claim');
}

interface Signed {
  /** `jti` of the token */
  id: string;
  token: string;
  algorithm: string;
}

async function accessToken(context: TokenContext, plan: TokenPlan, expires: number): Promise<Signed> {
  const algorithm = algorithmOf(plan, 'access.token.signed.response.alg');
  const { realm, client } = plan;
  const claims = await accessTokenClaims(context, plan, expires);
  const unsigned = { purpose: 'access', algorithm, claims, client: client.id, ...accessTokenType(plan) } as const;
  return { id: String(claims.jti), token: await signPublicToken(context, realm, unsigned), algorithm };
}

/** The type of access tokens in their header, if it is not the usual one (RFC 9068 section 2.1). */
export const accessTokenType = (plan: Pick<TokenPlan, 'client'>): { type?: 'at+jwt' } =>
  followsProfile(plan) ? { type: 'at+jwt' } : {};

async function idToken(context: TokenContext, plan: TokenPlan, expires: number, access: Signed): Promise<string> {
  return signedIdToken(context, plan, {
    ...(await idTokenClaims(context, plan, expires)),
    at_hash: accessTokenHash(access),
  });
}

/** An ID token with these claims, encrypted if the client wants that (OpenID Connect Core section 10.2). */
export async function signedIdToken(
  context: TokenContext,
  { realm, client }: Pick<TokenPlan, 'realm' | 'client'>,
  claims: Claims,
): Promise<string> {
  const algorithm = algorithmOf({ realm, client }, 'id.token.signed.response.alg');
  const token = await signIdToken(context, realm, client, { algorithm, claims });
  const what = 'id.token.encrypted.response';
  return isEncrypted(client, what) ? encryptedFor(context, client, what, token, 'JWT') : token;
}

function refreshToken(
  context: TokenContext,
  plan: TokenPlan,
  expires: number | undefined,
  id: string,
): Promise<string> {
  const { realm, client, scope, session, baseUrl, resources, boundTo = {} } = plan;
  const claims = {
    ...commonClaims(plan, expires),
    jti: id,
    aud: issuerOf(baseUrl, realm.name),
    azp: client.clientId,
    ...sessionClaims({ ...plan, refreshable: true }),
    ...(session.nonce !== undefined && { nonce: session.nonce }),
    // a refreshed token tells of the login what the first one did
    ...(session.acr !== undefined && session.acr !== standardAcr && { acr: session.acr }),
    ...(resources?.refresh && { resource: resources.refresh }),
    // a client with a secret proves itself by that instead of a key (RFC 9449 section 5)
    ...confirmation({ ...boundTo, key: client.publicClient ? boundTo.key : undefined }),
    scope: scopeText(scope),
  };
  const purpose = session.offline ? 'offline' : 'refresh';
  return signServerToken(context, realm, { purpose, claims, client: client.id });
}

const commonClaims = ({ realm, user, at, baseUrl }: TokenPlan, expires: number | undefined): Claims => ({
  ...(expires !== undefined && { exp: expires }),
  iat: at,
  jti: randomUUID(),
  iss: issuerOf(baseUrl, realm.name),
  sub: user.id,
});

const sessionClaims = ({ session, refreshable }: TokenPlan): Claims =>
  refreshable ? { session_state: session.id, sid: session.id } : {};

/** The level of a login that names none. */
const standardAcr = '1';

/** How and when the user logged in, OpenID Connect Core section 2. */
const loginClaims = ({ session: { nonce, authTime, acr = standardAcr } }: TokenPlan): Claims => ({
  ...(authTime !== undefined && { auth_time: authTime }),
  ...(nonce !== undefined && { nonce }),
  acr,
});

const groupsIn = async ({ database }: ClaimsContext, plan: Pick<TokenPlan, 'client' | 'user' | 'groups' | 'scope'>) =>
  plan.groups ?? (await groupsFor(database.read, plan.user, plan.client, plan.scope));

/** The claims with those that the mappers of the client and its scopes write into a token of this kind. */
export async function mapped(
  context: ClaimsContext,
  claims: Claims,
  plan: Pick<TokenPlan, 'client' | 'user' | 'roles' | 'groups' | 'notes' | 'scope' | 'baseUrl'> & {
    session?: Pick<TokenSession, 'requested'>;
  },
  kind: TokenKind,
): Promise<Claims> {
  const { client, user, roles, notes, scope, session, baseUrl } = plan;
  const mappers = mappersOf(client, scope);
  const groups = await groupsIn(context, plan);
  const input = { user, client, roles, groups, notes, baseUrl, requested: session?.requested };
  return mappedClaims(claims, mappers, input, kind);
}

/** How a token is signed: as the client says by this attribute, or else the realm. */
export function algorithmOf({ realm, client }: Pick<TokenPlan, 'realm' | 'client'>, attribute: string): string {
  return algorithmAmong(members(client.attributes)[attribute], realm.settings.defaultSignatureAlgorithm);
}

/** The left half of the digest of an access token or a code, OpenID Connect Core sections 3.1.3.6 and 3.3.2.11. */
export function accessTokenHash({ token, algorithm }: Pick<Signed, 'token' | 'algorithm'>): string {
  const bits = /(256|384|512)$/.exec(algorithm)?.[1] ?? '256';
  const digest = createHash(`sha${bits}`).update(token).digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}
