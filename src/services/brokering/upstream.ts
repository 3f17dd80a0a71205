import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import { members } from '../core/json.js';
import type { SentRequest } from './authorization-request.js';
import { requireStorable } from './claims.js';
import { authenticationOf } from './client-authentication.js';
import { accountOf, type BrokeredIdentity, isTrusted } from './identity.js';
import { addressFrom, profileFrom, requireHostedDomain } from './profile.js';
import type { BrokerProvider } from './provider.js';
import { type Upstream, UpstreamFailure } from './provider-context.js';
import { asymmetric, verifySignature } from './provider-keys.js';
import { addressOf, isOn, issuersOf, requiredAddress } from './provider-settings.js';
import { redirectUri } from './redirect-uri.js';

/** Characters of an answer of a token endpoint. */
const mostAnswer = 65_536;

/**
 * Redeems the code of a provider's answer, and returns the account. The answer must belong to the request, and an ID token
 * must be meant for this client (OpenID Connect Core section 3.1.3.7). Throws `UpstreamFailure`.
 */
export const redeemedIdentity = (...asked: Parameters<typeof redeemed>): Promise<BrokeredIdentity> =>
  redeemed(...asked).catch((error: unknown) => {
    if (error instanceof UpstreamFailure) throw error;
    if (error instanceof oauth.AuthorizationResponseError)
      throw new UpstreamFailure('the provider has refused', error.error);
    if (error instanceof oauth.ResponseBodyError) throw new UpstreamFailure('the code was refused', error.error);
    throw new UpstreamFailure(error instanceof Error ? error.message : 'failed');
  });

async function redeemed(
  upstream: Upstream,
  provider: BrokerProvider,
  sent: SentRequest,
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
    redirectUri(upstream.baseUrl, upstream.realm.name, provider.alias),
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
  requireStorable(claims);
  const account = accountOf(kind, claims);
  if (!account) throw new UpstreamFailure('the provider does not say who the user is');
  requireHostedDomain(provider, claims);
  const { email, isVerified } = kind.emailsUrl
    ? await addressFrom(upstream, provider, tokens.access_token, account.email)
    : { email: account.email, isVerified: claims.every((set) => isVouched(members(set).email_verified)) };
  const sessionId = members(claims[0]).sid;
  return {
    ...account,
    subject: account.id,
    alias: provider.alias,
    label: provider.label,
    ...(email !== undefined && { email }),
    isEmailVerified: isVerified && isTrusted(provider, email),
    claims,
    ...(provider.storeToken && { token: JSON.stringify(body) }),
    ...(idToken !== undefined && { idToken }),
    ...(typeof sessionId === 'string' && { sessionId }),
  };
}

/** Whether a claim `email_verified` does not say that the address is unverified. Some providers send texts. */
const isVouched = (claim: unknown): boolean =>
  claim === undefined || claim === null || claim === true || claim === 'true';

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
  if (text.length > mostAnswer) throw new UpstreamFailure('the answer of the token endpoint is too long');
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

/** The sets of claims of an account: of the ID token, of an access token with claims, and of the profile. */
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
  const isJwt = /^[\w-]+\.[\w-]+\.[\w-]+$/.test(tokens.access_token);
  const hasClaims = isOn(settings.isAccessTokenJWT);
  if (hasClaims && !isJwt) throw new UpstreamFailure('the access token is no JWT');
  if (hasClaims || (providerId === 'keycloak-oidc' && isJwt)) {
    await verifySignature(upstream, provider, tokens.access_token);
    const claims = decodeJwt(tokens.access_token);
    // the token says who the user is: it must not be one that the provider has got elsewhere
    if (hasClaims && issuersOf(provider).length > 0 && !issuersOf(provider).includes(claims.iss ?? ''))
      throw new UpstreamFailure(`unexpected issuer of the access token: ${claims.iss}`);
    sets.push(claims);
  }
  const hasProfile = kind.isOpenId
    ? addressOf(provider, 'userInfoUrl') !== undefined && !isOn(settings.disableUserInfo)
    : true;
  if (hasProfile) sets.push(await profileFrom(upstream, provider, tokens.access_token, verified?.sub));
  return sets;
}
