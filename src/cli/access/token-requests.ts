import { setTimeout as pause } from 'node:timers/promises';
import { isObject } from '../../services/core/json.js';
import { exchange, jsonOf, reasonOf } from './http.js';

/** A client in a realm that gets tokens. */
export interface Endpoint {
  url: string;
  realm: string;
  clientId: string;
}

/** Tokens of a login. */
export interface Tokens {
  accessToken: string;
  refreshToken?: string;
  /** milliseconds since 1970 */
  expiresAt: number;
}

/** Milliseconds before the end of a token in which it is no longer used, because a request takes some time. */
export const margin = 10_000;

const address = ({ url, realm }: Endpoint, path: string): string =>
  `${url}/auth/realms/${encodeURIComponent(realm)}/protocol/openid-connect/${path}`;

async function post(endpoint: Endpoint, path: string, fields: Record<string, string>) {
  const body = new URLSearchParams({ client_id: endpoint.clientId, ...fields });
  const response = await exchange({ method: 'POST', url: address(endpoint, path), body });
  const answer = await jsonOf(response);
  return { response, answer: isObject(answer) ? answer : {} };
}

function tokensIn(answer: Record<string, unknown>): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = answer;
  return {
    accessToken: String(accessToken),
    ...(typeof refreshToken === 'string' && { refreshToken }),
    expiresAt: Date.now() + Number(seconds ?? 60) * 1000,
  };
}

function refused({ url, realm, clientId }: Endpoint, { status }: Response, answer: Record<string, unknown>): Error {
  const reason = reasonOf(answer) ?? `status ${status}`;
  if (status === 404)
    return new Error(`The realm "${realm}" was not found on ${url}: name that of the login with --login-realm.`);
  return new Error(`The client "${clientId}" of the realm "${realm}" gets no token from ${url} (${reason}).`);
}

/**
 * Returns a function that returns tokens of a client with a secret (client credentials), and renews them before they
 * expire.
 */
export function tokenByClient(endpoint: Endpoint, secret: string): () => Promise<string> {
  let tokens: Tokens | undefined;
  return async () => {
    if (!tokens || tokens.expiresAt - margin < Date.now()) {
      const fields = { grant_type: 'client_credentials', client_secret: secret };
      const { response, answer } = await post(endpoint, 'token', fields);
      if (!response.ok) throw refused(endpoint, response, answer);
      tokens = tokensIn(answer);
    }
    return tokens.accessToken;
  };
}

/** New tokens for a refresh token; undefined if it is no longer valid. */
export async function refreshed(endpoint: Endpoint, refreshToken: string): Promise<Tokens | undefined> {
  const { response, answer } = await post(endpoint, 'token', {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  });
  if (response.ok) return tokensIn(answer);
  if (answer.error === 'invalid_grant') return undefined;
  throw refused(endpoint, response, answer);
}

/** Ends the session of a refresh token. */
export async function endSession(endpoint: Endpoint, refreshToken: string): Promise<void> {
  await post(endpoint, 'logout', { refresh_token: refreshToken });
}

/**
 * In a new realm master, as on the reference server, the polling interval of devices is as long as the lifetime of a
 * device code.
 */
const tooSlow = ({ realm }: Endpoint, seconds: number): Error =>
  new Error(
    `The realm "${realm}" lets devices ask every ${seconds} seconds, when the code has expired: set its \`oauth2DevicePollingInterval\` to 5.`,
  );

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * Tokens of a user who logs in with a browser on any machine (RFC 8628). `show` is called with the address and the code. Throws a
 * sentence if the user refuses, or does not log in in time.
 */
export async function loginByDevice(
  endpoint: Endpoint,
  show: (address: string, code: string) => void,
): Promise<Tokens> {
  const begun = await post(endpoint, 'auth/device', { scope: 'openid' });
  if (!begun.response.ok) throw refused(endpoint, begun.response, begun.answer);
  const { device_code: deviceCode, user_code: code, verification_uri: plain } = begun.answer;
  let seconds = Number(begun.answer.interval ?? 5);
  if (seconds >= Number(begun.answer.expires_in)) throw tooSlow(endpoint, seconds);
  show(String(begun.answer.verification_uri_complete ?? plain), String(code));
  for (;;) {
    await pause(seconds * 1000);
    const fields = { grant_type: deviceGrant, device_code: String(deviceCode) };
    const { response, answer } = await post(endpoint, 'token', fields);
    if (response.ok) return tokensIn(answer);
    if (answer.error === 'access_denied') throw new Error('The login was refused.');
    if (answer.error === 'expired_token') throw new Error('The code has expired: run `realmgate login` again.');
    if (answer.error === 'slow_down') seconds += 5;
    else if (answer.error !== 'authorization_pending') throw refused(endpoint, response, answer);
  }
}
