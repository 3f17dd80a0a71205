import type { IncomingMessage } from 'node:http';
import { type Answer, json } from '../http/answer.js';
import { addressOf, baseUrlOf, requestIdOf, useAddressOf } from '../http/authenticate.js';
import { readJson, readText } from '../http/body.js';
import { certificateFinder } from '../http/client-certificate.js';
import { openTo, openToAll } from '../http/cors.js';
import { addressCounter } from '../http/counted-address.js';
import { missingPage } from '../http/pages/missing.js';
import { presentedToken, proofOf } from '../http/presented-token.js';
import { createRateLimits } from '../http/rate-limits.js';
import { umaDiscovery } from '../services/authorization/discovery.js';
import { tokensOrPermissions } from '../services/authorization/grant.js';
import { readStoredToken } from '../services/brokering/stored-token.js';
import type { Services } from '../services/core/context.js';
import { type Account, createFailedAttempts, type Guessed } from '../services/core/failed-attempts.js';
import { Refusal } from '../services/core/refusal.js';
import { logRefusedLogin } from '../services/events/refused-login.js';
import { logoutByProvider } from '../services/login/broker/back-channel-logout.js';
import { pushRequest } from '../services/login/push-request.js';
import { refusesPlain } from '../services/login/transport.js';
import { answerBackchannel, beginBackchannel } from '../services/tokens/ciba.js';
import { clientCredentials } from '../services/tokens/client-authentication.js';
import type { TokenContext } from '../services/tokens/context.js';
import { authorizeDevice } from '../services/tokens/device.js';
import { discovery, keySet, publicRealm } from '../services/tokens/discovery.js';
import { credentialsIn, dockerToken } from '../services/tokens/docker.js';
import { introspect, logoutByToken, revoke } from '../services/tokens/endpoints.js';
import { realmDoesNotExist } from '../services/tokens/parties.js';
import type { ClientAnswer, TokenRequest } from '../services/tokens/token-request.js';
import { userInfo } from '../services/tokens/userinfo.js';
import type { BearerVerifier } from '../services/tokens/verify.js';
import { accountAnswer } from './account.js';
import { protectionAnswer } from './authorization-protection.js';
import { clientsRegistrations } from './dynamic-client-registration.js';
import { loginEndpoints } from './login/endpoints.js';
import { accepted, asPage, notAcceptable } from './negotiation.js';
import { nothingBelow, optionsAnswer } from './openid-manners.js';
import type { tokenRoutes } from './public-routes.js';
import { aliasOf, decodedSegment } from './router.js';
import { samlEndpoint } from './saml.js';

const bearerOf = (message: IncomingMessage): string | undefined =>
  /^bearer +(\S+)$/i.exec(message.headers.authorization ?? '')?.[1];

/** The header that pages of other origins may read besides, as recorded. */
const exposed = 'Access-Control-Allow-Methods';
/** The headers of an answer that pages see: that for the next proof (RFC 9449 section 8.2) if there is one. */
const exposedIn = (headers: Record<string, string>) => ('dpop-nonce' in headers ? `${exposed}, DPoP-Nonce` : exposed);

/** Where passwords, codes and secrets are tried. */
const limited = /^\/(protocol\/openid-connect\/(token|revoke|ext|auth\/device)|login-actions|device|broker)(\/|$)/;

/** Where clients are registered without a token, and where they prove themselves. */
const triesSecrets = /^POST |^\w+ \/clients-registrations\/install\//;

/** What carries tokens and secrets without a page around them. */
const ofClients =
  /^\w+ \/protocol\/openid-connect\/(token|revoke|userinfo|token\/introspect|ext\/par\/request|ext\/ciba\/auth|auth\/device)$|^POST .*\/logout$|^GET \/protocol\/docker-v2\/auth$/;
const httpsRequired = { error: 'invalid_request', error_description: 'HTTPS required' };

/** The answer to more requests than there may be; `wait` is in seconds. */
const tooMany = (message: IncomingMessage, wait: number): Answer => ({
  status: 429,
  headers: { ...openToAll(message), 'retry-after': String(wait) },
  body: { error: 'temporarily_unavailable', error_description: 'Too many requests; retry later' },
});

/** Whether a request below `/account` is for a page: browsers follow links and send forms, and programs have tokens. */
function isForPages({ method, headers }: IncomingMessage): boolean {
  if (headers.authorization !== undefined) return false;
  if (method === 'POST') return headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  return headers.accept?.includes('text/html') ?? false;
}

type Endpoint = (message: IncomingMessage, realmName: string) => Promise<Answer>;

/** What a device that waits for its user is told each time it asks, RFC 8628 section 3.5. */
const waitsForUser = new Set(['authorization_pending', 'slow_down']);

/** Why a request of a client was refused: the error of the answer and its description (RFC 6749 section 5.2). Undefined if it was not. */
function refusalIn({ status, body = {} }: Pick<ClientAnswer, 'status' | 'body'>): string | undefined {
  if (status < 400 || status >= 500 || Array.isArray(body)) return undefined;
  const { error = 'refused', error_description: description } = body;
  if (waitsForUser.has(String(error))) return undefined;
  return description === undefined ? String(error) : `${error}: ${description}`;
}

/** The accounts that a request of a client tries, by what it may guess at. */
function accountsOf(realm: string, clientId: string, form: URLSearchParams): Partial<Record<Guessed, Account>> {
  const name = form.get('grant_type') === 'password' ? (form.get('username') ?? '') : '';
  const hasCode = form.has('otp') || form.has('totp');
  return {
    ...(clientId !== '' && { client: { kind: 'client', realm, name: clientId } }),
    ...(name !== '' && { user: { kind: 'user', realm, name } }),
    ...(name !== '' && hasCode && { code: { kind: 'code', realm, name } }),
  };
}

/** What anybody may ask of a realm below `/auth/realms/{realm}`: the token side. */
export function openidEndpoints(services: Services, tokens: TokenContext, verifier: BearerVerifier) {
  const base = (message: IncomingMessage) => baseUrlOf(message, services);
  const sender = (message: IncomingMessage) => addressOf(message, services.config.trustProxy);
  const certificateIn = (message: IncomingMessage) => certificateFinder(message, services.config);
  const limits = createRateLimits(services.config);
  const attempts = createFailedAttempts(services.config);
  const counted = addressCounter(services);
  const waitOf = (message: IncomingMessage) =>
    Math.max(limits.ofAddress(sender(message)), attempts.wait({ address: counted(message) }));
  const logRefused = (
    message: IncomingMessage,
    realm: string,
    reason: string,
    client?: string,
    user?: string,
  ): void => {
    const who = { address: sender(message), requestId: requestIdOf(message) };
    logRefusedLogin(services, { realm, client, user, reason, ...who });
  };
  const register = clientsRegistrations(services, tokens, verifier);
  const formOf = async (message: IncomingMessage) =>
    new URLSearchParams(await readText(message, services.config.bodyLimit, ['application/x-www-form-urlencoded']));
  const ofClient =
    (answer: (context: TokenContext, request: TokenRequest) => Promise<ClientAnswer>): Endpoint =>
    async (message, realmName) => {
      const form = await formOf(message);
      const { clientId = '' } = clientCredentials(form, message.headers.authorization);
      const address = counted(message);
      const accounts = accountsOf(realmName, clientId, form);
      const waits = Object.values(accounts).map((account) => attempts.wait({ address, account }));
      const wait = Math.max(limits.ofClient(realmName, clientId), ...waits);
      const refused = (reason: string) =>
        logRefused(message, realmName, reason, clientId, form.get('username') ?? undefined);
      if (wait > 0) {
        refused('too_many_requests');
        return tooMany(message, wait);
      }
      const { status, body, headers, allowedOrigins, guessed } = await answer(tokens, {
        realmName,
        form,
        authorization: message.headers.authorization ?? null,
        baseUrl: base(message),
        remoteAddress: addressOf(message, services.config.trustProxy),
        proof: proofOf(message),
        findCertificate: certificateIn(message),
      });
      const reason = refusalIn({ status, ...(body && { body }) });
      if (reason !== undefined) refused(reason);
      const account = guessed && accounts[guessed];
      if (guessed) attempts.failed({ address, ...(account && { account }) });
      const cors = openTo(message, allowedOrigins, exposedIn(headers));
      return { status, headers: { ...headers, ...cors }, ...(body && { body }) };
    };
  /** A document that anybody may read, from pages of any origin. */
  const document =
    (read: (realm: string, baseUrl: string) => Promise<unknown>): Endpoint =>
    async (message, realmName) => {
      const takes = accepted(message);
      if (!takes.answer) return takes.html ? asPage(notAcceptable) : notAcceptable;
      return { ...json(await read(realmName, base(message))), headers: openToAll(message), public: true };
    };
  const info = async (message: IncomingMessage, realm: string, ofForm: string | null | undefined): Promise<Answer> => {
    const findCertificate = certificateIn(message);
    const presented = presentedToken(message, base(message), services.config) ?? {
      token: ofForm ?? undefined,
      findCertificate,
    };
    const { status, body, headers, allowedOrigins } = await userInfo(tokens, realm, presented, base(message));
    // OpenID Connect Core section 5.3.2
    const type = typeof body === 'string' ? { type: 'application/jwt' } : {};
    return { status, body, headers: { ...headers, ...openTo(message, allowedOrigins ?? [], exposed) }, ...type };
  };
  const storedToken: Endpoint = async (message, realmName) => {
    const alias = aliasOf(message);
    const bearer = bearerOf(message);
    const asked = { alias, bearer, ipAddress: sender(message) };
    const { status, body, allowedOrigins } = await readStoredToken(tokens, realmName, asked);
    return { status, body, headers: openTo(message, allowedOrigins ?? [], exposed) };
  };
  const logoutFromProvider: Endpoint = async (message, realmName) => {
    const token = (await formOf(message)).get('logout_token') ?? '';
    const realm = await services.realms.byName(services.database.read, realmName);
    if (!realm?.enabled) throw realmDoesNotExist();
    const site = { services, publishedKeys: tokens.publishedKeys, baseUrl: base(message), ipAddress: sender(message) };
    if (await logoutByProvider(site, realm, token)) return { status: 200, headers: { 'cache-control': 'no-store' } };
    return { status: 400, body: { error: 'invalid_request', error_description: 'The logout token is not valid' } };
  };
  const registryToken: Endpoint = async (message, realmName) => {
    const user = credentialsIn(message.headers.authorization);
    const address = counted(message);
    const account: Account | undefined = user && { kind: 'user', realm: realmName, name: user.username };
    const wait = Math.max(waitOf(message), attempts.wait({ address, ...(account && { account }) }));
    if (wait > 0) {
      logRefused(message, realmName, 'too_many_requests', undefined, user?.username);
      return tooMany(message, wait);
    }
    const query = new URLSearchParams((message.url ?? '').split('?')[1] ?? '');
    const place = { baseUrl: base(message), remoteAddress: sender(message) };
    const { status, body, headers, guessed } = await dockerToken(tokens, { realmName, query, user, ...place });
    if (guessed) {
      attempts.failed({ address, ...(account && { account }) });
      const client = query.get('service') ?? undefined;
      logRefused(message, realmName, 'invalid_user_credentials', client, user?.username);
    }
    return { status, headers, ...(body && { body }) };
  };
  const answerOfDevice: Endpoint = async (message, realmName) => {
    const body = await readJson(message, services.config.bodyLimit);
    const realm = await services.realms.byName(services.database.read, realmName);
    if (!realm?.enabled) throw realmDoesNotExist();
    return answerBackchannel(tokens, realm, bearerOf(message), { body, ipAddress: sender(message) });
  };
  const ofTokens: Readonly<Record<(typeof tokenRoutes)[number], Endpoint>> = {
    'GET ': document((realm, baseUrl) => publicRealm(tokens, realm, baseUrl)),
    'GET /.well-known/openid-configuration': document((realm, baseUrl) => discovery(tokens, realm, baseUrl)),
    'GET /.well-known/uma2-configuration': document((realm, baseUrl) => umaDiscovery(tokens, realm, baseUrl)),
    'GET /protocol/openid-connect/certs': document((realm) => keySet(tokens, realm)),
    'POST /protocol/openid-connect/token': ofClient(tokensOrPermissions),
    'POST /protocol/openid-connect/token/introspect': ofClient(introspect),
    'POST /protocol/openid-connect/revoke': ofClient(revoke),
    'POST /protocol/openid-connect/auth/device': ofClient(authorizeDevice),
    'POST /protocol/openid-connect/ext/par/request': ofClient(pushRequest),
    'POST /protocol/openid-connect/ext/ciba/auth': ofClient(beginBackchannel),
    'POST /protocol/openid-connect/ext/ciba/auth/callback': answerOfDevice,
    'POST /protocol/openid-connect/logout': ofClient(logoutByToken),
    'POST /protocol/openid-connect/logout/backchannel-logout': logoutFromProvider,
    'GET /protocol/docker-v2/auth': registryToken,
    'GET /broker/{alias}/token': storedToken,
    'GET /protocol/openid-connect/userinfo': async (message, realm) => info(message, realm, undefined),
    'POST /protocol/openid-connect/userinfo': async (message, realm) =>
      info(message, realm, (await formOf(message)).get('access_token')),
  };
  const ofBrowsers = loginEndpoints(services, tokens, { attempts, counted });
  const endpoints = new Map<string, Endpoint>(Object.entries({ ...ofTokens, ...ofBrowsers }));
  return async (message: IncomingMessage, path: string): Promise<Answer> => {
    const [, encoded, rest = ''] = /^\/auth\/realms\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    if (encoded === undefined) throw nothingBelow('/protocol/openid-connect');
    const tail = rest.replace(/\/$/, '');
    const realm = await services.realms.byName(services.database.read, decodedSegment(encoded));
    if (realm) useAddressOf(message, services, realm);
    const inAccount = tail === '/account' || tail.startsWith('/account/');
    if (message.method === 'OPTIONS') return optionsAnswer(message, tail);
    if (inAccount && !isForPages(message)) {
      const below = tail.slice('/account'.length);
      return accountAnswer(services, tokens, message, { realmName: decodedSegment(encoded), tail: below });
    }
    if (tail.startsWith('/authz/protection/')) {
      const below = tail.slice('/authz/protection'.length);
      return protectionAnswer(services, tokens, message, { realmName: decodedSegment(encoded), tail: below });
    }
    if (tail.startsWith('/clients-registrations/')) {
      const wait = triesSecrets.test(`${message.method} ${tail}`) ? waitOf(message) : 0;
      if (wait > 0) return tooMany(message, wait);
      try {
        return await register(message, decodedSegment(encoded), tail.slice('/clients-registrations/'.length));
      } catch (error) {
        if (error instanceof Refusal && error.details.guessed) attempts.failed({ address: counted(message) });
        throw error;
      }
    }
    const method = message.method === 'HEAD' ? 'GET' : message.method;
    const saml = samlEndpoint(tokens, tail, base);
    const route = tail
      .replace(/^\/broker\/[^/]+\//, '/broker/{alias}/')
      .replace(/^\/account\/[^/]+$/, '/account/{page}')
      .replace(/^(\/protocol\/saml\/clients)\/[^/]+$/, '$1/{name}');
    const endpoint = endpoints.get(`${method} ${route}`) ?? (method === 'GET' ? saml : undefined);
    if (endpoint) {
      if (ofClients.test(`${method} ${tail}`)) {
        const isPlain = realm && refusesPlain(realm, { baseUrl: base(message), ipAddress: sender(message) });
        if (isPlain) logRefused(message, decodedSegment(encoded), 'https_required');
        if (isPlain) return { status: 403, headers: openToAll(message), body: httpsRequired };
      }
      const wait = method === 'POST' && limited.test(tail) ? waitOf(message) : 0;
      if (wait === 0) return endpoint(message, decodedSegment(encoded));
      logRefused(message, decodedSegment(encoded), 'too_many_requests');
      return tooMany(message, wait);
    }
    const others = ['GET', 'POST'].filter((other) => endpoints.has(`${other} ${route}`) || (other === 'GET' && saml));
    if (others.length === 0) {
      // the contract answers programs
      if (method === 'GET' && message.headers.accept?.includes('text/html')) return missingPage(message, path);
      throw nothingBelow(tail);
    }
    return {
      status: 405,
      headers: { allow: others.join(', ') },
      body: { error: 'RESTEASY003650: No resource method found' },
    };
  };
}
