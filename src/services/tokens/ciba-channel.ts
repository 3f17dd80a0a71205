import type { TokenContext } from './context.js';
import type { TokenClient } from './types.js';

/** What the device of a user is told of a request. */
interface Question {
  /** what it proves itself with when it answers */
  token: string;
  /** where it answers */
  callback: string;
  username: string;
  client: Pick<TokenClient, 'clientId' | 'consentRequired'>;
  scope: string;
  message: string | undefined;
  levels: string | undefined;
}

/** Milliseconds that the channel and clients get to answer. */
const longest = 5_000;

type Sending = Pick<TokenContext, 'fetchPublic'>;

/**
 * Hands a request to the channel that the operator has configured, in the form of the reference server: JSON with
 * `login_hint`, `scope`, `consent_required`, `binding_message`, and `acr_values`, under a token. Returns whether it was taken.
 */
export async function askChannel(
  { fetchPublic }: Sending,
  url: string,
  { token, callback, username, client, scope, message, levels }: Question,
): Promise<boolean> {
  const body = {
    login_hint: username,
    scope,
    consent_required: client.consentRequired,
    client_id: client.clientId,
    callback_url: callback,
    ...(message !== undefined && { binding_message: message }),
    ...(levels !== undefined && { acr_values: levels }),
  };
  try {
    const { status } = await fetchPublic(url, {
      ...post(token, body),
      // the operator has named it
      privateAddresses: true,
    });
    return status === 200 || status === 201;
  } catch {
    return false;
  }
}

/** Tells a client in ping mode that there is an answer (OpenID Connect CIBA Core section 10.2); it polls if that fails. */
export async function notifyClient(
  { fetchPublic }: Sending,
  { url, token, code }: { url: string; token: string; code: string },
): Promise<void> {
  await fetchPublic(url, post(token, { auth_req_id: code })).catch(() => undefined);
}

const post = (token: string, body: object) => ({
  method: 'POST' as const,
  headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  body: JSON.stringify(body),
  timeout: longest,
  onlyStatus: true,
});
