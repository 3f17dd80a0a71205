import { createHash, type KeyObject, randomUUID } from 'node:crypto';
import { limit } from '../../config/limits.js';
import { base32 } from '../core/base32.js';
import { Refusal } from '../core/refusal.js';
import { signPublicToken } from '../keys/sign.js';
import { issuerOf, seconds, type TokenContext } from './context.js';
import { directFlowFollowed } from './direct-flow.js';
import { accountSetUp } from './grant-steps.js';
import { answerOf } from './grants.js';
import { expiryOf } from './lifetimes.js';
import { findRealmAndClient } from './parties.js';
import { mappersOf } from './scopes.js';
import { found, type Step } from './steps.js';
import type { ClientAnswer } from './token-request.js';

/** A request of a Docker client for a token of a registry. */
export interface DockerRequest {
  realmName: string;
  query: URLSearchParams;
  /** what the user is known by; nothing where the client has sent nothing */
  user: { username: string; password: string } | undefined;
  baseUrl: string;
  remoteAddress: string;
}

/** What a Docker client may do with a resource of a registry. */
interface Access {
  type: string;
  name: string;
  actions: string[];
}

const mostScopes = limit('Logins and tokens', 'Scopes that a Docker client asks for', 100, 'scopes', '400');

/** The mapper that grants all that is asked for; without it a token grants nothing. */
const allowAll = 'docker-v2-allow-all-mapper';

/** A resource in the form `type:name:action,action`, whose name may have colons; nothing for another text. */
function accessIn(scope: string): Access | undefined {
  const first = scope.indexOf(':');
  const last = scope.lastIndexOf(':');
  if (first < 1 || last <= first + 1) return undefined;
  const actions = scope
    .slice(last + 1)
    .split(',')
    .filter((action) => action !== '');
  return { type: scope.slice(0, first), name: scope.slice(first + 1, last), actions };
}

/** The name of a key as registries know it: 30 bytes of the SHA-256 of the public key, in Base32, four letters at a time. */
function registryKeyId(publicKey: KeyObject): string {
  const der = publicKey.export({ format: 'der', type: 'spki' });
  const letters = base32(createHash('sha256').update(der).digest().subarray(0, 30));
  return (letters.match(/.{4}/g) ?? []).join(':');
}

/** The name and the password of a user in a header of HTTP Basic authentication (RFC 7617). */
export function credentialsIn(authorization: string | undefined): DockerRequest['user'] {
  const encoded = /^basic +([A-Za-z0-9+/=]+)\s*$/i.exec(authorization ?? '')?.[1];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** An error as registries have it. */
function refusedWith(status: number, code: string, message: string, realmName?: string): ClientAnswer {
  const headers: Record<string, string> =
    realmName === undefined ? {} : { 'WWW-Authenticate': `Basic realm="${realmName.replace(/[^\w .-]/g, '')}"` };
  return { status, headers, body: { errors: [{ code, message, detail: null }] }, allowedOrigins: [] };
}

/** The token that a registry accepts (Docker Registry v2 token authentication), signed with RS256. */
const registryTokenIssued = (asked: readonly Access[]): Step => ({
  name: 'registry token issued',
  async run(grant) {
    const { context, realm, client, at, baseUrl } = grant;
    const session = { id: '', startedAt: at, offline: false, rememberMe: false };
    const { access: expires } = expiryOf(realm, client, session, at);
    const grantsAll = mappersOf(client, { openid: false, offline: false, scopes: [] }).some(
      ({ protocolMapper }) => protocolMapper === allowAll,
    );
    const claims = {
      iss: issuerOf(baseUrl, realm.name),
      sub: found(grant.user).username,
      aud: client.clientId,
      exp: expires,
      nbf: at,
      iat: at,
      jti: randomUUID(),
      access: grantsAll ? asked : [],
    };
    const signing = { purpose: 'docker', algorithm: 'RS256', claims, kid: registryKeyId } as const;
    const token = await signPublicToken(context, realm, signing);
    grant.answer = { token, expires_in: expires - at, issued_at: new Date(at * 1000).toISOString() };
  },
});

/**
 * Gives a Docker client a token for a registry: the client of the realm that `service` names, for the user whose name and
 * password it sends. Errors are in the form of registries.
 */
export async function dockerToken(context: TokenContext, request: DockerRequest): Promise<ClientAnswer> {
  const { query, user, baseUrl, remoteAddress, realmName } = request;
  const { realm, client } = await findRealmAndClient(context, realmName, query.get('service') ?? '');
  if (!realm.enabled) return refusedWith(403, 'DENIED', 'Realm not enabled');
  if (!client?.enabled || client.protocol !== 'docker-v2') {
    return refusedWith(400, 'UNSUPPORTED', '`service` names no client for a Docker registry');
  }
  const scopes = query.getAll('scope').flatMap((scope) => scope.split(' ').filter((one) => one !== ''));
  if (scopes.length > mostScopes) return refusedWith(400, 'UNSUPPORTED', `More than ${mostScopes} scopes`);
  const unauthorized = (text: string) => refusedWith(401, 'UNAUTHORIZED', text, realm.name);
  if (!user) return unauthorized('Authentication required');
  const form = new URLSearchParams(user);
  const at = seconds(context);
  const grant = { context, realm, client, form, baseUrl, remoteAddress, at, refreshable: false, details: {} };
  const steps = [directFlowFollowed, accountSetUp, registryTokenIssued(scopes.flatMap((one) => accessIn(one) ?? []))];
  try {
    const body = await answerOf(grant, { event: 'LOGIN', steps });
    return { status: 200, body, headers: { 'Cache-Control': 'no-store' }, allowedOrigins: [] };
  } catch (error) {
    if (!(error instanceof Refusal) || !error.details.body) throw error;
    return { ...unauthorized(error.message), guessed: error.details.guessed };
  }
}
