import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload } from 'jose';
import { limit } from '../../config/limits.js';
import type { RequestObject } from '../client-policies/executor.js';
import { members } from '../core/json.js';
import { decryptedToken, isEncryptedToken } from '../keys/jwe.js';
import { asymmetricAlgorithms } from '../keys/jws.js';
import { settingText } from '../tokens/client-keys.js';
import { claimsOfClient, NoClientToken } from '../tokens/client-token.js';
import { issuerOf, type TokenContext } from '../tokens/context.js';
import { isPushed, takePushed } from '../tokens/pushed-request.js';
import { attemptFailed, type Counting, type LoginSite, requireFewFailures } from './attempt.js';
import { ClientRefusal, PageRefusal } from './refusals.js';
import type { LoginClient } from './request.js';

const mostLength = limit('Logins and tokens', 'Request object', 20_000, 'characters', '`invalid_request_object`');
/** What an object may not say of itself (OpenID Connect Core section 6.1), and what is not a parameter. */
const own = new Set(['request', 'request_uri', 'iss', 'aud', 'exp', 'iat', 'nbf', 'jti', 'sub']);

const refused = (text: string, signed?: URLSearchParams): ClientRefusal =>
  new ClientRefusal('invalid_request_object', text, signed);

/** Where a request is sent to. */
interface Place {
  realm: { id: string; name: string };
  /** scheme, host and base path, without a slash at the end */
  baseUrl: string;
  /** whom guesses at the secret of a client are counted for; nothing if the client has proven who it is */
  guess?: Counting;
}

/** A request with what its request object says. */
export interface OpenedRequest {
  parameters: URLSearchParams;
  object?: RequestObject;
  /** whether the client has pushed it */
  isPushed?: true;
}

/**
 * The parameters of a request with those of its request object (RFC 9101), or those that the client has pushed (RFC
 * 9126): what the object says, the client has signed, and it wins over the address. Throws where the client has to send
 * one or the other and does not, or where it is not good.
 */
export async function withRequestObject(
  site: LoginSite,
  { realm, baseUrl, guess }: Required<Place>,
  client: LoginClient,
  parameters: URLSearchParams,
): Promise<OpenedRequest> {
  const attributes = members(client.attributes);
  const uri = parameters.get('request_uri');
  if (uri !== null && isPushed(uri)) {
    const pushed = await takePushed(site.tokens, realm.id, client, uri);
    if (!pushed) throw new ClientRefusal('invalid_request_uri', 'PAR not found. not issued or used multiple times.');
    pushed.set('client_id', client.clientId);
    return { ...(await openedObject(site.tokens, { realm, baseUrl }, client, pushed)), isPushed: true };
  }
  if (attributes['require.pushed.authorization.requests'] === 'true') {
    throw new ClientRefusal('invalid_request', 'Pushed Authorization Request is only allowed.');
  }
  if (parameters.has('request') && uri !== null) {
    throw new ClientRefusal('invalid_request', 'request and request_uri parameters can not be used together');
  }
  const required = requirementOf(client);
  const refusals: Record<string, boolean> = {
    request: !parameters.has('request'),
    request_only: !parameters.has('request'),
    request_uri: uri === null,
    request_uri_only: uri === null,
    request_or_request_uri: uri === null && !parameters.has('request'),
  };
  if (refusals[required]) throw new ClientRefusal('invalid_request', 'Missing parameter: request');
  const asked = new URLSearchParams(parameters);
  if (uri !== null) asked.set('request', await objectAt(site, client, uri));
  return openedObject(site.tokens, { realm, baseUrl, guess }, client, asked);
}

const requirementOf = ({ attributes }: LoginClient): string =>
  String(members(attributes)['request.object.required'] ?? '').replaceAll(' ', '_');

/** Whether a client has to send request objects by value. */
export const demandsRequest = (client: LoginClient): boolean =>
  ['request', 'request_only'].includes(requirementOf(client));

/** The request object at an address that the client has registered. */
async function objectAt({ services }: LoginSite, client: LoginClient, uri: string): Promise<string> {
  const registered = String(members(client.attributes)['request.uris'] ?? '').split('##');
  const plain = uri.replace(/#.*$/s, '');
  if (!registered.some((known) => known !== '' && known === plain)) {
    throw new ClientRefusal('invalid_request_uri', 'Invalid parameter: request_uri');
  }
  try {
    const answer = await services.fetchPublic(plain);
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    return (await answer.text()).trim();
  } catch {
    throw new ClientRefusal('invalid_request_uri', 'The request object was not found at its URL');
  }
}

/** The parameters with those of the request object among them, if there is one. Throws where that is not good. */
export async function openedObject(
  context: TokenContext,
  { realm, baseUrl, guess }: Place,
  client: LoginClient,
  parameters: URLSearchParams,
): Promise<OpenedRequest> {
  if (!parameters.has('request')) return { parameters };
  const given = parameters.get('request') ?? '';
  const { claims, fault } = await signedClaims(context, { realm, guess }, client, given);
  const merged = new URLSearchParams([...parameters].filter(([name]) => !name.startsWith('request')));
  for (const [name, value] of Object.entries(claims)) {
    if (own.has(name) || value === null) continue;
    merged.delete(name);
    // the only parameter that can stand there several times (RFC 8707 section 2)
    for (const one of name === 'resource' ? [value].flat() : [value])
      merged.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one));
  }
  const objection = fault ?? faultOf(claims, client, issuerOf(baseUrl, realm.name));
  if (objection !== undefined) throw refused(objection, merged);
  // OpenID Connect Core section 6.1: it may stand in the address too, and has to be the same there
  const beside = parameters.get('response_type');
  if (beside !== null && beside !== merged.get('response_type')) {
    throw refused('Parameter response_type does not match', merged);
  }
  return { parameters: merged, object: { claims, isEncrypted: isEncryptedToken(given) } };
}

/** Why a request object that a client has signed is not for this request. */
function faultOf({ iss, sub, aud, client_id }: JWTPayload, { clientId }: LoginClient, issuer: string) {
  if (iss !== undefined && iss !== clientId) return 'Invalid issuer';
  // with its own name as subject a client proves who it is (RFC 9101 section 10.8)
  if (sub !== undefined && sub === clientId) return 'Invalid subject';
  if (aud !== undefined && ![aud].flat().includes(issuer)) return 'Invalid audience';
  return client_id !== undefined && client_id !== clientId ? 'Parameter client_id does not match' : undefined;
}

/** The content of a request object, decrypted if it is encrypted (RFC 9101 section 6.1), as the client has to. */
async function decrypted(
  context: TokenContext,
  realm: Place['realm'],
  client: LoginClient,
  text: string,
): Promise<string> {
  const attributes = members(client.attributes);
  const setTo = (name: string) => {
    const value = settingText(attributes[name]);
    return value === 'any' ? undefined : value;
  };
  const alg = setTo('request.object.encryption.alg');
  const enc = setTo('request.object.encryption.enc');
  if (!isEncryptedToken(text)) {
    if (alg === undefined && enc === undefined) return text;
    throw refused('The request object is not encrypted');
  }
  const content = await decryptedToken(context, realm, text, { alg, enc });
  if (content === undefined) throw refused('Failed to decrypt the request object');
  return content;
}

/** What a client has signed, with the reason if it is not good at this time. */
interface SignedClaims {
  claims: JWTPayload;
  fault?: string;
}

async function signedClaims(
  context: TokenContext,
  { realm, guess }: Pick<Place, 'realm' | 'guess'>,
  client: LoginClient,
  given: string,
): Promise<SignedClaims> {
  if (given.length > mostLength) throw refused('Request object too long');
  const text = await decrypted(context, realm, client, given);
  const attributes = members(client.attributes);
  const demanded = attributes['request.object.signature.alg'];
  let usesSecret = false;
  try {
    const { alg } = decodeProtectedHeader(text);
    if (typeof demanded === 'string' && demanded !== '' && demanded !== 'any' && demanded !== alg) {
      throw refused('Request object signed with different algorithm than client requested algorithm');
    }
    if (alg === 'none') {
      // only a client that is set to send unsigned ones gets in with them
      if (demanded !== 'none' || !text.endsWith('.')) throw refused('Unsigned request object');
      return { claims: decodeJwt(text) };
    }
    usesSecret = alg?.startsWith('HS') ?? false;
    if (guess && usesSecret) requireFewFailures(guess, 'client', client.clientId);
    const algorithms = usesSecret ? ['HS256', 'HS384', 'HS512'] : [...asymmetricAlgorithms];
    return { claims: await claimsOfClient(context, client, text, { type: 'oauth-authz-req+jwt', algorithms }) };
  } catch (error) {
    if (error instanceof ClientRefusal || error instanceof PageRefusal) throw error;
    if (error instanceof NoClientToken) throw refused(error.message);
    const isGuess = usesSecret && error instanceof errors.JWSSignatureVerificationFailed;
    if (guess && isGuess) attemptFailed(guess, 'client', client.clientId);
    // jose looks at the time after the signature
    if (error instanceof errors.JWTExpired) return { claims: error.payload, fault: 'The request object has expired' };
    throw refused('Failed to verify the request object');
  }
}
