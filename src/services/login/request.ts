import { limit } from '../../config/limits.js';
import { members, numberOf } from '../core/json.js';
import type { RealmRecord } from '../core/realm.js';
import { masterName } from '../realms/defaults/master.js';
import { isBoundClient } from '../tokens/binding.js';
import { isEncrypted } from '../tokens/client-encryption.js';
import type { TokenContext } from '../tokens/context.js';
import { type RequestedClaims, requestedClaims } from '../tokens/requested-claims.js';
import { hasDuplicates, resourcesIn } from '../tokens/resources.js';
import { chooseScopes } from '../tokens/scopes.js';
import type { TokenClient } from '../tokens/types.js';
import { type DemandedLevel, demandedLevel } from './acr.js';
import { allowsRedirect, onlyRedirect, withoutAnswer } from './redirect-uri.js';
import { ClientRefusal, PageRefusal } from './refusals.js';

type ResponseMode = 'query' | 'fragment' | 'form_post';

/** Values of `response_mode`: how the answer is sent, and whether its parameters are a token (JARM section 2.3). */
const responseModes = new Map<string, { mode: ResponseMode | undefined; isToken?: true }>([
  ['query', { mode: 'query' }],
  ['fragment', { mode: 'fragment' }],
  ['form_post', { mode: 'form_post' }],
  ['jwt', { mode: undefined, isToken: true }],
  ['query.jwt', { mode: 'query', isToken: true }],
  ['fragment.jwt', { mode: 'fragment', isToken: true }],
  ['form_post.jwt', { mode: 'form_post', isToken: true }],
]);

/** What a client asks for, after it was found good (OpenID Connect Core section 3.1.2.1, RFC 7636 section 4.3). */
export interface AuthorizationRequest {
  /** where the answer goes: without parameters that stand for an answer; its fragment stays where the answer is the query */
  redirectUri: string;
  /** the address as the client named it: then it has to do so again for the code (RFC 6749 section 4.1.3) */
  redirectSent?: string;
  responseMode: ResponseMode;
  /** whether the parameters of the answer are one token */
  isToken?: true;
  state?: string;
  /** whether the answer names the issuer, whatever the settings say */
  namesIssuer?: true;
  /** whether an access token through the browser has few claims, whatever the client says */
  lightweightTokens?: true;
  /** most seconds that the code is valid */
  codeLifespan?: number;
  nonce?: string;
  scope?: string;
  challenge?: string;
  challengeMethod?: 'plain' | 'S256';
  /** thumbprint of the key that the code is bound to (RFC 9449 section 10) */
  boundTo?: string;
  /** what the tokens are for (RFC 8707) */
  resources?: readonly string[];
  prompt: string[];
  /** an action that the client wants the user to perform */
  action?: string;
  /** the parts of `response_type`; only `code` where there is nothing */
  responseTypes?: string[];
  /** seconds since the user last proved who it is */
  maxAge?: number;
  loginHint?: string;
  locales?: string;
  /** level of authentication that the client asks for */
  level?: DemandedLevel;
  /** the claims that the client cannot do without */
  claims?: RequestedClaims;
  /** alias of the identity provider that the client asks for (`kc_idp_hint`) */
  providerHint?: string;
  acrValues?: string;
  /** other parameters, which identity providers may be sent */
  others?: Record<string, string>;
  /** of a SAML client, which is answered with a response in place of parameters */
  saml?: SamlRequest;
}

/** What the response to a SAML client has to take up. */
export interface SamlRequest {
  /** ID of the request; undefined if the server has begun the login */
  id?: string;
  relayState?: string;
  nameIdFormat?: string;
}

/** What the login side needs of a client besides what its tokens need. */
export interface LoginClient extends TokenClient {
  name: string | null;
  baseUrl: string | null;
  adminUrl: string | null;
  standardFlowEnabled: boolean;
  implicitFlowEnabled: boolean;
}

/** The client with this clientId; nothing if there is none. */
export async function withLoginFields(context: TokenContext, client: TokenClient): Promise<LoginClient | undefined> {
  const more = await context.database.read.client.findFirst({
    where: { id: client.id },
    select: { name: true, baseUrl: true, adminUrl: true, standardFlowEnabled: true, implicitFlowEnabled: true },
  });
  return more ? { ...client, ...more } : undefined;
}

const mostLength = limit('Logins and tokens', 'Parameter of a login request', 4000, 'characters', '`invalid_request`');

/** Where the answer goes, which has to be good before the client is told of anything else. */
export interface AnswerAddress {
  redirectUri: string;
  redirectSent?: string;
  responseMode: ResponseMode;
  /** whether the parameters of the answer are one token */
  isToken?: true;
  state?: string;
  /** whether the answer names the issuer, whatever the settings say */
  namesIssuer?: true;
}

/** The address for the answer. Throws a page when the browser must not be sent there. */
export function answerAddress(
  realm: Pick<RealmRecord, 'name'>,
  client: LoginClient,
  parameters: URLSearchParams,
  baseUrl: string,
): AnswerAddress {
  if (!client.enabled) throw new PageRefusal(400, 'clientDisabled');
  if (client.bearerOnly) throw new PageRefusal(403, 'bearerOnly');
  const place = { baseUrl, isMaster: realm.name === masterName };
  const named = parameters.get('redirect_uri');
  const isOpenId = (parameters.get('scope') ?? '').split(' ').includes('openid');
  const redirectUri = named ?? (isOpenId ? undefined : onlyRedirect(client, place));
  if (parameters.getAll('redirect_uri').length > 1 || !redirectUri || !allowsRedirect(client, redirectUri, place)) {
    throw new PageRefusal(400, 'invalidParameter', 'redirect_uri');
  }
  const state = parameters.get('state') ?? undefined;
  const isFront = throughBrowser(responseTypesOf(parameters));
  const { mode, isToken } = responseModes.get(parameters.get('response_mode') ?? '') ?? {};
  // what goes through the browser in the clear must not reach the server of the client in its address
  const isReadable = mode === 'query' && isFront && !(isToken && hasEncryptedAnswers(client));
  const responseMode = (isReadable ? undefined : mode) ?? (isFront ? 'fragment' : 'query');
  if (state !== undefined && state.length > mostLength) throw new PageRefusal(400, 'invalidParameter', 'state');
  return {
    redirectUri: withoutAnswer(redirectUri),
    ...(named !== null && { redirectSent: named }),
    responseMode,
    ...(isToken && { isToken }),
    ...(state !== undefined && { state }),
  };
}

/** The request, checked. Throws what the client is told. */
export function authorizationRequest(
  realm: { attributes: unknown },
  client: LoginClient,
  parameters: URLSearchParams,
  address: AnswerAddress,
): AuthorizationRequest {
  const invalid = (text: string) => new ClientRefusal('invalid_request', text);
  if (hasDuplicates(parameters)) throw invalid('duplicated parameter');
  if ([...parameters.values()].some((value) => value.length > mostLength)) throw invalid('Parameter too long');
  if (!parameters.get('response_type')) throw invalid('Missing parameter: response_type');
  const types = responseTypesOf(parameters);
  checkResponseTypes(client, parameters, types);
  const mode = parameters.get('response_mode');
  if (mode && !responseModes.has(mode)) throw invalid('Invalid parameter: response_mode');
  const prompt = (parameters.get('prompt') ?? '').split(' ').filter((word) => word !== '');
  if (prompt.includes('none') && prompt.length > 1) throw invalid('Invalid parameter: prompt');
  const scope = parameters.get('scope') ?? undefined;
  try {
    chooseScopes(client, scope);
  } catch {
    throw new ClientRefusal('invalid_scope', `Invalid scopes: ${scope ?? ''}`);
  }
  const maxAge = parameters.get('max_age');
  if (maxAge && !/^\d{1,9}$/.test(maxAge)) throw invalid('Invalid parameter: max_age');
  const text = (name: string) => parameters.get(name) || undefined;
  const nonce = text('nonce');
  const loginHint = text('login_hint');
  const locales = text('kc_locale') ?? text('ui_locales');
  const action = text('kc_action');
  const claims = claimsOf(text('claims'));
  const providerHint = text('kc_idp_hint');
  const acrValues = text('acr_values');
  const others = otherParameters(parameters);
  const boundTo = text('dpop_jkt');
  if (boundTo && !/^[\w-]{43}$/.test(boundTo)) throw invalid('Invalid parameter: dpop_jkt');
  const resources = resourcesOf(parameters);
  const level = demandedLevel({ realm, client }, { claims: text('claims'), acrValues });
  return {
    ...address,
    prompt,
    responseTypes: types,
    ...(nonce && { nonce }),
    ...(boundTo && { boundTo }),
    ...(resources && { resources }),
    ...(scope !== undefined && { scope }),
    ...(maxAge && { maxAge: Number(maxAge) }),
    ...(loginHint && { loginHint }),
    ...(locales && { locales }),
    ...(action && { action }),
    ...(level && { level }),
    ...(claims && { claims }),
    ...(providerHint && { providerHint }),
    ...(acrValues && { acrValues }),
    ...(Object.keys(others).length > 0 && { others }),
    ...challengeOf(client, parameters),
  };
}

function resourcesOf(parameters: URLSearchParams): readonly string[] | undefined {
  try {
    return resourcesIn(parameters);
  } catch {
    throw new ClientRefusal('invalid_target', 'Invalid parameter: resource');
  }
}

function claimsOf(parameter: string | undefined): RequestedClaims | undefined {
  try {
    return parameter === undefined ? undefined : requestedClaims(parameter);
  } catch {
    throw new ClientRefusal('invalid_request', 'Invalid parameter: claims');
  }
}

const ownParameters = new Set(
  'response_type client_id redirect_uri scope state nonce response_mode prompt max_age login_hint ui_locales kc_locale kc_action claims kc_idp_hint acr_values code_challenge code_challenge_method dpop_jkt resource request request_uri id_token_hint registration'.split(
    ' ',
  ),
);

/** Most characters of other parameters that are kept for identity providers. */
const mostOthers = 2000;

/** The parameters that have no meaning here. They are left out if they are too long together. */
function otherParameters(parameters: URLSearchParams): Record<string, string> {
  const others = [...parameters].filter(([name]) => !ownParameters.has(name));
  const length = others.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return length > mostOthers ? {} : Object.fromEntries(others);
}

const responseTypesOf = (parameters: URLSearchParams): string[] =>
  (parameters.get('response_type') ?? '').split(' ').filter((word) => word !== '');

/** Whether tokens go through the browser, as in the implicit and the hybrid flow. */
const throughBrowser = (types: readonly string[]): boolean => types.includes('token') || types.includes('id_token');

/** Whether answers to the client that are tokens are encrypted. */
const hasEncryptedAnswers = (client: TokenClient): boolean => isEncrypted(client, 'authorization.encrypted.response');

/** Refuses what the client may not ask for (OAuth 2.0 Multiple Response Type Encoding Practices). */
function checkResponseTypes(client: LoginClient, parameters: URLSearchParams, types: readonly string[]): void {
  const known = types.every((type) => ['code', 'token', 'id_token', 'none'].includes(type));
  if (!known || new Set(types).size < types.length || (types.includes('none') && types.length > 1)) {
    throw new ClientRefusal('unsupported_response_type', 'Unsupported response_type');
  }
  const refused = (flow: string) =>
    new ClientRefusal(
      'unauthorized_client',
      `Client is not allowed to initiate browser login with given response_type. ${flow} flow is disabled for the client.`,
    );
  const isFront = throughBrowser(types);
  if ((types.includes('code') || types.includes('none')) && !client.standardFlowEnabled) throw refused('Standard');
  if (isFront && !client.implicitFlowEnabled) throw refused('Implicit');
  if (isFront && parameters.get('response_mode') === 'query') {
    throw new ClientRefusal('invalid_request', "Response_mode 'query' not allowed for implicit or hybrid flow");
  }
  if (isFront && parameters.get('response_mode') === 'query.jwt' && !hasEncryptedAnswers(client)) {
    const text = "Response_mode 'query.jwt' is allowed only when the authorization response token is encrypted";
    throw new ClientRefusal('invalid_request', text);
  }
  if (types.includes('token') && isBoundClient(client)) {
    throw new ClientRefusal(
      'unauthorized_client',
      'Access tokens of the client are bound to a key or certificate: request a code',
    );
  }
  // OpenID Connect Core section 3.2.2.1
  if (types.includes('id_token') && !parameters.get('nonce')) {
    throw new ClientRefusal('invalid_request', 'Missing parameter: nonce');
  }
}

/** The code challenge (RFC 7636 section 4.3), which the client may be set to send. */
function challengeOf(
  client: LoginClient,
  parameters: URLSearchParams,
): Pick<AuthorizationRequest, 'challenge' | 'challengeMethod'> {
  const invalid = (text: string) => new ClientRefusal('invalid_request', text);
  const wanted = members(client.attributes)['pkce.code.challenge.method'];
  const challenge = parameters.get('code_challenge');
  const method = parameters.get('code_challenge_method');
  if (typeof wanted === 'string' && wanted !== '') {
    if (!method) throw invalid('Missing parameter: code_challenge_method');
    if (method !== wanted) throw invalid('Invalid parameter: code challenge method is not configured one');
    if (!challenge) throw invalid('Missing parameter: code_challenge');
  }
  if (method && method !== 'plain' && method !== 'S256') throw invalid('Invalid parameter: code_challenge_method');
  if (!challenge) {
    if (method) throw invalid('Missing parameter: code_challenge');
    return {};
  }
  if (!/^[\w.~-]{43,128}$/.test(challenge)) throw invalid('Invalid parameter: code_challenge');
  return { challenge, challengeMethod: method === 'S256' ? 'S256' : 'plain' };
}

/** How long a login may take, in seconds. */
export const loginLifespan = ({ settings }: RealmRecord): number => numberOf(settings, 'accessCodeLifespanLogin', 1800);
