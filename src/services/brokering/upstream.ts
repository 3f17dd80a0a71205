import { createPublicKey, type KeyObject, webcrypto } from 'node:crypto';
import { compactVerify, decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import { limit } from '../../config/limits.js';
import type { FetchPublic } from '../core/fetch-public.js';
import { isObject, members } from '../core/json.js';
import type { Keyring } from '../core/ports.js';
import { pemBytes } from '../keys/pem.js';
import type { ClientKeys } from '../tokens/types.js';
import { accountOf, type BrokeredIdentity } from './identity.js';
import { filledAddress } from './kinds.js';
import type { BrokerProvider } from './provider.js';

/** What requests to identity providers need of the process. */
export interface Upstream {
  readonly fetchPublic: FetchPublic;
  readonly keyring: Keyring;
  readonly publishedKeys: (url: string) => ClientKeys;
  readonly realm: { id: string; name: string };
}

/** The provider has refused a login, or its answer is not accepted. The reason is for the log and the event, not for pages. */
export class UpstreamFailure extends Error {
  /** error code of the provider (RFC 6749 section 4.1.2.1), if it sent one */
  readonly error: string | undefined;

  constructor(reason: string, error?: string) {
    super(reason.slice(0, 300));
    this.name = 'UpstreamFailure';
    this.error = error;
  }
}

/** What the client of a login asks for, as far as a provider may be asked for it. */
export interface UpstreamWishes {
  prompt?: string;
  loginHint?: string;
  locales?: string;
  acrValues?: string;
  maxAge?: number;
  /** other parameters of the client's request */
  others: Readonly<Record<string, string>>;
}

/** A login that a browser was sent to a provider for. What the answer has to match is kept with the login. */
export interface SentRequest {
  /** value of the parameter `state` */
  state: string;
  nonce?: string;
  verifier?: string;
}

const mostClaims = limit(
  'Logins and tokens',
  'What an identity provider says of a user, all claims together',
  65_536,
  'characters',
  'the login is refused',
);

/** Algorithms of tokens that a provider signs with a key of its own. */
export const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** An address of the provider: the setting of this name, or the one of its kind. */
function addressOf(
  { kind, settings }: BrokerProvider,
  name: 'authorizationUrl' | 'tokenUrl' | 'userInfoUrl' | 'jwksUrl',
): string | undefined {
  const own = settings[name]?.trim();
  if (own) return own;
  const standard = kind[name];
  return standard === undefined ? undefined : filledAddress(standard, settings);
}

function requiredAddress(provider: BrokerProvider, name: 'authorizationUrl' | 'tokenUrl' | 'userInfoUrl'): string {
  const address = addressOf(provider, name);
  if (address === undefined || !URL.canParse(address)) throw new UpstreamFailure(`\`${name}\` is missing`);
  return address;
}

/** Where ID tokens may come from. Several are separated by commas; empty if the provider does not say. */
export const issuersOf = ({ kind, settings }: BrokerProvider): string[] =>
  (settings.issuer?.trim() || kind.issuer || '').split(',').flatMap((issuer) => issuer.trim() || []);

const isOn = (value: string | undefined): boolean => value === 'true';

/** PKCE is used unless it is switched off: a server that does not know its parameters ignores them (RFC 6749 section 3.1). */
const usesPkce = ({ kind, settings }: BrokerProvider): boolean => kind.usesPkce && settings.pkceEnabled !== 'false';

const usesNonce = ({ kind, settings }: BrokerProvider): boolean => kind.isOpenId && !isOn(settings.disableNonce);

function scopeOf({ kind, settings }: BrokerProvider): string {
  const scope = settings.defaultScope?.trim() || kind.scope;
  return kind.isOpenId && !scope.split(/\s+/).includes('openid') ? `openid ${scope}` : scope;
}

/** The values that a login at the provider is protected with. `tab` names the login, and comes back in `state`. */
export const newRequest = (provider: BrokerProvider, tab: string): SentRequest => ({
  state: `${oauth.generateRandomState()}.${tab}`,
  ...(usesNonce(provider) && { nonce: oauth.generateRandomNonce() }),
  ...(usesPkce(provider) && { verifier: oauth.generateRandomCodeVerifier() }),
});

/** The login that an answer of a provider belongs to, by its `state`. */
export const tabOfState = (state: string | null): string | null => state?.split('.')[1] ?? null;

/** The address to which the browser is sent (OpenID Connect Core section 3.1.2.1). Throws `UpstreamFailure`. */
export async function authorizationAddress(
  provider: BrokerProvider,
  sent: SentRequest,
  redirectUri: string,
  wishes: UpstreamWishes,
): Promise<string> {
  const { settings, providerId } = provider;
  const url = new URL(requiredAddress(provider, 'authorizationUrl'));
  const set = (name: string, value: string | number | undefined) => {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  };
  for (const name of (settings.forwardParameters ?? '').split(',').map((one) => one.trim())) {
    if (Object.hasOwn(wishes.others, name)) set(name, wishes.others[name]);
  }
  set('response_type', 'code');
  set('client_id', settings.clientId);
  set('redirect_uri', redirectUri);
  set('scope', scopeOf(provider));
  set('state', sent.state);
  set('nonce', sent.nonce);
  if (sent.verifier !== undefined) {
    const isPlain = settings.pkceMethod === 'plain';
    set('code_challenge', isPlain ? sent.verifier : await oauth.calculatePKCECodeChallenge(sent.verifier));
    set('code_challenge_method', isPlain ? 'plain' : 'S256');
  }
  set('prompt', settings.prompt?.trim() || wishes.prompt);
  set('acr_values', wishes.acrValues);
  set('max_age', wishes.maxAge);
  if (isOn(settings.loginHint)) set('login_hint', wishes.loginHint);
  if (isOn(settings.uiLocales)) set('ui_locales', wishes.locales);
  set('display', settings.display);
  if (providerId === 'google') {
    set('hd', settings.hostedDomain);
    if (isOn(settings.offlineAccess)) set('access_type', 'offline');
  }
  return url.href;
}

/**
 * Redeems the code of a provider's answer, and returns the account. The answer must belong to the request, and an ID token
 * must be meant for this client (OpenID Connect Core section 3.1.3.7). Throws `UpstreamFailure`.
 */
export async function identityFrom(
  upstream: Upstream,
  provider: BrokerProvider,
  sent: SentRequest,
  redirectUri: string,
  answer: URLSearchParams,
): Promise<BrokeredIdentity> {
  try {
    return await redeemed(upstream, provider, sent, redirectUri, answer);
  } catch (error) {
    if (error instanceof UpstreamFailure) throw error;
    if (error instanceof oauth.AuthorizationResponseError)
      throw new UpstreamFailure('the provider has refused', error.error);
    if (error instanceof oauth.ResponseBodyError) throw new UpstreamFailure('the code was refused', error.error);
    throw new UpstreamFailure(error instanceof Error ? error.message : 'failed');
  }
}

async function redeemed(
  upstream: Upstream,
  provider: BrokerProvider,
  sent: SentRequest,
  redirectUri: string,
  answer: URLSearchParams,
): Promise<BrokeredIdentity> {
  const { settings, kind } = provider;
  const client: oauth.Client = {
    client_id: settings.clientId ?? '',
    [oauth.clockTolerance]: Math.max(0, Number(settings.allowedClockSkew) || 0),
  };
  const [issuer] = issuersOf(provider);
  const tokenUrl = requiredAddress(provider, 'tokenUrl');
  const server: oauth.AuthorizationServer = {
    issuer: issuer ?? new URL(tokenUrl).origin,
    token_endpoint: tokenUrl,
    id_token_signing_alg_values_supported: isOn(settings.validateSignature) ? asymmetric : [...asymmetric, 'HS256'],
  };
  const accepted = new URLSearchParams(answer);
  const from = answer.get('iss');
  // RFC 9207 section 2.4
  if (from !== null && issuersOf(provider).length > 0 && !issuersOf(provider).includes(from))
    throw new UpstreamFailure(`unexpected issuer of the answer: ${from}`);
  accepted.delete('iss');
  const parameters = oauth.validateAuthResponse(server, client, accepted, sent.state);
  const options = { [oauth.customFetch]: fetchOf(upstream), [oauth.allowInsecureRequests]: true };
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    await authenticationOf(upstream, provider),
    parameters,
    redirectUri,
    sent.verifier ?? oauth.nopkce,
    options,
  );
  const { body, whole } = await tokenAnswer(response);
  const idToken = typeof body.id_token === 'string' ? body.id_token : undefined;
  const tokens = await oauth.processAuthorizationCodeResponse(
    { ...server, issuer: issuerIn(provider, idToken) ?? server.issuer },
    client,
    whole,
    kind.isOpenId
      ? { requireIdToken: true, ...(sent.nonce !== undefined && { expectedNonce: sent.nonce }) }
      : undefined,
  );
  const claims = await claimsOf(upstream, provider, tokens, kind.isOpenId ? idToken : undefined);
  if (JSON.stringify(claims).length > mostClaims) throw new UpstreamFailure('the provider says too much of the user');
  const account = accountOf(kind, claims);
  if (!account) throw new UpstreamFailure('the provider does not say who the user is');
  requireHostedDomain(provider, claims);
  const { email, isVerified } = kind.emailsUrl
    ? await addressFrom(upstream, provider, tokens.access_token, account.email)
    : { email: account.email, isVerified: claims.every((set) => members(set).email_verified !== false) };
  const sessionId = members(claims[0]).sid;
  return {
    ...account,
    alias: provider.alias,
    label: provider.label,
    ...(email !== undefined && { email }),
    isEmailVerified: email !== undefined && isVerified && provider.trustEmail,
    claims,
    ...(provider.storeToken && { token: JSON.stringify(body) }),
    ...(idToken !== undefined && { idToken }),
    ...(typeof sessionId === 'string' && { sessionId }),
  };
}

/** The issuer that an ID token has to name: the one that it names if that is one of the provider's. */
function issuerIn(provider: BrokerProvider, idToken: string | undefined): string | undefined {
  if (idToken === undefined) return undefined;
  const { iss } = decodeJwt(idToken);
  const known = issuersOf(provider);
  // the token comes from the address that the administrator has entered
  return known.length === 0 || known.includes(iss ?? '') ? iss : known[0];
}

const fetchOf =
  ({ fetchPublic }: Upstream) =>
  (url: string, { method, headers, body }: { method?: string; headers?: Record<string, string>; body?: unknown }) =>
    fetchPublic(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: { accept: 'application/json', ...headers },
      ...(body !== undefined && body !== null && { body: String(body) }),
    });

/** The answer of a token endpoint, in the form of RFC 6749: some send errors with 200, no `token_type`, or a form. */
async function tokenAnswer(response: Response): Promise<{ body: Record<string, unknown>; whole: Response }> {
  const text = await response.text();
  const isForm = /x-www-form-urlencoded|text\/plain/.test(response.headers.get('content-type') ?? '');
  let body: Record<string, unknown>;
  try {
    body = isForm && !text.startsWith('{') ? Object.fromEntries(new URLSearchParams(text)) : members(JSON.parse(text));
  } catch {
    throw new UpstreamFailure(`the token endpoint answers ${response.status} without JSON`);
  }
  const hasFailed = typeof body.error === 'string';
  const status = hasFailed && response.ok ? 400 : response.status;
  const { expires_in: lifetime } = body;
  const given = {
    ...body,
    ...(!hasFailed && { token_type: typeof body.token_type === 'string' ? body.token_type : 'bearer' }),
    ...(typeof lifetime === 'string' && { expires_in: Number(lifetime) }),
  };
  return {
    body,
    whole: new Response(JSON.stringify(given), { status, headers: { 'content-type': 'application/json' } }),
  };
}

async function authenticationOf(upstream: Upstream, { settings, kind }: BrokerProvider): Promise<oauth.ClientAuth> {
  const secret = settings.clientSecret ?? '';
  const method = settings.clientAuthMethod || (kind.usesBasic ? 'client_secret_basic' : 'client_secret_post');
  switch (method) {
    case 'client_secret_basic':
      return secret === '' ? oauth.None() : oauth.ClientSecretBasic(secret);
    case 'client_secret_jwt':
      return oauth.ClientSecretJwt(secret);
    case 'private_key_jwt':
      return oauth.PrivateKeyJwt(await signingKey(upstream, settings.clientAssertionSigningAlg || 'RS256'));
    default:
      return secret === '' ? oauth.None() : oauth.ClientSecretPost(secret);
  }
}

/** The realm's own key, with which it authenticates at a provider. */
async function signingKey({ keyring, realm }: Upstream, algorithm: string): Promise<oauth.PrivateKey> {
  const { privateKey, kid } = await keyring.signingKey(realm, algorithm);
  if (!privateKey) throw new UpstreamFailure(`the realm has no key for ${algorithm}`);
  const der = privateKey.export({ type: 'pkcs8', format: 'der' });
  const hash = { name: `SHA-${algorithm.slice(2)}` };
  const kinds: Record<string, webcrypto.RsaHashedImportParams | webcrypto.EcKeyImportParams> = {
    RS: { name: 'RSASSA-PKCS1-v1_5', hash },
    PS: { name: 'RSA-PSS', hash },
    ES: { name: 'ECDSA', namedCurve: algorithm === 'ES512' ? 'P-521' : `P-${algorithm.slice(2)}` },
  };
  const kind = kinds[algorithm.slice(0, 2)];
  if (!kind) throw new UpstreamFailure(`${algorithm} cannot be used`);
  return { key: await webcrypto.subtle.importKey('pkcs8', der, kind, false, ['sign']), kid };
}

/** The sets of claims of an account: of the ID token, of the access token of another Realmgate or Keycloak, and of the profile. */
async function claimsOf(
  upstream: Upstream,
  provider: BrokerProvider,
  tokens: oauth.TokenEndpointResponse,
  idToken: string | undefined,
): Promise<unknown[]> {
  const { kind, settings, providerId } = provider;
  const verified = oauth.getValidatedIdTokenClaims(tokens);
  if (idToken !== undefined) await verifySignature(upstream, provider, idToken);
  const sets: unknown[] = idToken !== undefined && verified ? [verified] : [];
  if (providerId === 'keycloak-oidc' && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(tokens.access_token)) {
    await verifySignature(upstream, provider, tokens.access_token);
    sets.push(decodeJwt(tokens.access_token));
  }
  const hasProfile = kind.isOpenId
    ? addressOf(provider, 'userInfoUrl') !== undefined && !isOn(settings.disableUserInfo)
    : true;
  if (hasProfile) sets.push(await profileFrom(upstream, provider, tokens.access_token, verified?.sub));
  return sets;
}

/** Verifies a token of the provider with its keys, unless the administrator relies on TLS (OpenID Connect Core section 3.1.3.7, point 6). */
async function verifySignature(upstream: Upstream, provider: BrokerProvider, token: string): Promise<void> {
  const { settings, kind } = provider;
  if (kind.jwksUrl === undefined && !isOn(settings.validateSignature)) return;
  const key = keysOf(upstream, provider);
  await compactVerify(token, key, { algorithms: asymmetric });
}

/** The keys of a provider. Throws `UpstreamFailure` if it has none. */
export function keysOf({ publishedKeys }: Upstream, provider: BrokerProvider): ClientKeys {
  const { settings, kind } = provider;
  const url = addressOf(provider, 'jwksUrl');
  if (url !== undefined && (kind.jwksUrl !== undefined || isOn(settings.useJwksUrl))) return publishedKeys(url);
  const pem = settings.publicKeySignatureVerifier;
  if (!pem) throw new UpstreamFailure('the provider has no keys to verify its tokens with');
  const publicKey: KeyObject = createPublicKey({ key: pemBytes(pem), format: 'der', type: 'spki' });
  const keyId = settings.publicKeySignatureVerifierKeyId?.trim();
  return async ({ kid }) => {
    if (keyId && kid !== keyId) throw new UpstreamFailure('the token is signed with another key');
    return publicKey;
  };
}

async function profileFrom(
  { fetchPublic }: Upstream,
  provider: BrokerProvider,
  token: string,
  subject: string | undefined,
): Promise<Record<string, unknown>> {
  const { kind, settings } = provider;
  const url = new URL(requiredAddress(provider, 'userInfoUrl'));
  const inQuery = kind.profileParameters?.(token, settings);
  for (const [name, value] of Object.entries(inQuery ?? {})) url.searchParams.set(name, value);
  const profile = await jsonFrom(fetchPublic, url, inQuery ? undefined : token);
  if (!isObject(profile)) throw new UpstreamFailure('the profile is no object');
  // OpenID Connect Core section 5.3.2
  if (subject !== undefined && profile.sub !== subject) throw new UpstreamFailure('the profile is of another user');
  return profile;
}

async function jsonFrom(fetchPublic: FetchPublic, url: URL, token: string | undefined): Promise<unknown> {
  const headers = { accept: 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const response = await fetchPublic(url, { headers });
  if (!response.ok) throw new UpstreamFailure(`the profile was refused with ${response.status}`);
  try {
    return await response.json();
  } catch {
    throw new UpstreamFailure('the profile is no JSON');
  }
}

/** The primary address of the account among those of a list. */
async function addressFrom(
  { fetchPublic }: Upstream,
  { kind, settings }: BrokerProvider,
  token: string,
  known: string | undefined,
): Promise<{ email: string | undefined; isVerified: boolean }> {
  const found = await jsonFrom(fetchPublic, new URL(filledAddress(kind.emailsUrl ?? '', settings)), token).catch(
    (): unknown => [],
  );
  const list = (Array.isArray(found) ? found : [members(found).values].flat()).map(members);
  const chosen = list.find(({ primary, is_primary }) => primary === true || is_primary === true);
  if (typeof chosen?.email !== 'string') return { email: known, isVerified: false };
  return { email: chosen.email, isVerified: chosen.verified === true || chosen.is_confirmed === true };
}

/** Refuses an account of Google outside of the domain that the administrator has entered. */
function requireHostedDomain({ providerId, settings }: BrokerProvider, claims: readonly unknown[]): void {
  const domain = settings.hostedDomain?.trim();
  if (providerId !== 'google' || !domain) return;
  const { hd } = members(claims[0]);
  if (typeof hd !== 'string' || (domain !== '*' && domain !== hd))
    throw new UpstreamFailure('the account is of another domain');
}
