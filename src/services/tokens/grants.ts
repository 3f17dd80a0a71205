import type { AnswerDemand } from '../client-policies/executor.js';
import { Refusal } from '../core/refusal.js';
import { backchannelGrant } from './backchannel-requests.js';
import { backchannelAnswered } from './ciba.js';
import {
  authenticateClient,
  authenticatorOf,
  type ClientCredentials,
  clientCredentials,
} from './client-authentication.js';
import { checkTokenRequest } from './client-policies.js';
import { codeTokenKept, codeVerified } from './code.js';
import { seconds, type TokenContext } from './context.js';
import { deviceCodeVerified } from './device.js';
import { directFlowFollowed } from './direct-flow.js';
import { needsNonce, nonceHeader } from './dpop-nonce.js';
import { tokenExchanged, tokenExchangeGrant } from './exchange.js';
import {
  accountSetUp,
  directAccessAllowed,
  possessionProved,
  rolesRead,
  scopeChosen,
  serviceAccountAllowed,
  serviceAccountFound,
  sessionEndsWithAnswer,
  sessionStarted,
  tokensIssued,
} from './grant-steps.js';
import type { TokenResponse } from './issue.js';
import { oauthError } from './oauth-error.js';
import { allowedOrigins } from './origins.js';
import { findRealmAndClient } from './parties.js';
import { refreshTokenVerified } from './refresh.js';
import { hasDuplicates } from './resources.js';
import { settle, settleUnknownClient } from './settle.js';
import { found, type Grant, type GrantKind, take } from './steps.js';
import type { TokenAnswer, TokenRequest } from './token-request.js';
import type { TokenClient, TokenRealm } from './types.js';

/** The steps of each grant, after the client has proved itself. */
const grants = new Map<string, GrantKind>([
  [
    'password',
    {
      event: 'LOGIN',
      steps: [
        directAccessAllowed,
        scopeChosen,
        directFlowFollowed,
        accountSetUp,
        sessionStarted,
        rolesRead,
        tokensIssued,
      ],
    },
  ],
  [
    'client_credentials',
    {
      event: 'CLIENT_LOGIN',
      steps: [
        serviceAccountAllowed,
        scopeChosen,
        serviceAccountFound,
        sessionStarted,
        sessionEndsWithAnswer,
        rolesRead,
        tokensIssued,
      ],
    },
  ],
  ['refresh_token', { event: 'REFRESH_TOKEN', steps: [refreshTokenVerified, rolesRead, tokensIssued] }],
  [
    'urn:ietf:params:oauth:grant-type:device_code',
    { event: 'OAUTH2_DEVICE_CODE_TO_TOKEN', steps: [deviceCodeVerified, rolesRead, tokensIssued, codeTokenKept] },
  ],
  [
    backchannelGrant,
    {
      event: 'AUTHREQID_TO_TOKEN',
      steps: [backchannelAnswered, accountSetUp, sessionStarted, rolesRead, tokensIssued],
    },
  ],
  [tokenExchangeGrant, { event: 'TOKEN_EXCHANGE', steps: [tokenExchanged] }],
  ['authorization_code', { event: 'CODE_TO_TOKEN', steps: [codeVerified, rolesRead, tokensIssued, codeTokenKept] }],
]);

// RFC 6749 section 5.1: no cache may keep an answer with tokens.
const headers = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/**
 * Answers a request to the token endpoint (RFC 6749 sections 4.1, 4.3, 4.4 and 6); errors of the protocol are answers too.
 * Refuses an unknown realm (404), and as `busy` when too many passwords are being verified.
 */
export async function grantToken(context: TokenContext, request: TokenRequest): Promise<TokenAnswer> {
  const credentials = clientCredentials(request.form, request.authorization, request.findCertificate);
  const { realm, client } = await findRealmAndClient(context, request.realmName, credentials.clientId);
  const origins = client && allowedOrigins(client, request.baseUrl);
  try {
    const kind = kindOf(realm, request.form);
    const { client: proved, demand } = await provedClient(context, request, realm, client, credentials, kind);
    const body = await answerOf(startOf(context, request, realm, proved, demand), kind);
    const nonce = needsNonce(proved) ? await nonceHeader(context, realm) : {};
    return { status: 200, body, headers: { ...headers, ...nonce }, allowedOrigins: origins };
  } catch (error) {
    if (!(error instanceof Refusal) || !error.details.body) throw error;
    const { status = 400, body, guessed, headers: more } = error.details;
    return { status, body, headers: { ...headers, ...more }, allowedOrigins: origins, guessed };
  }
}

/** Takes the steps, and stores what came of them before anybody hears of it. */
export async function answerOf(grant: Grant, { event, steps }: GrantKind): Promise<TokenResponse> {
  try {
    await take([possessionProved, ...steps], grant);
  } catch (error) {
    if (error instanceof Refusal && error.details.body) await settle(grant, event, error);
    throw error;
  }
  await settle(grant, event, undefined);
  return found(grant.answer);
}

/** The client, if it is who it says, and the demands of client policies on its answer; otherwise that is an event. */
async function provedClient(
  context: TokenContext,
  { form, remoteAddress, baseUrl, findCertificate, proof }: TokenRequest,
  realm: TokenRealm,
  client: TokenClient | undefined,
  credentials: ClientCredentials,
  kind: GrantKind,
): Promise<{ client: TokenClient; demand: AnswerDemand }> {
  try {
    const proved = await authenticateClient(context, client, credentials, { realm, baseUrl });
    const demand = await checkTokenRequest(context, realm, proved, { form, findCertificate, proof });
    return { client: proved, demand };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await settleUnknownClient(context, realm, {
      type: `${kind.event}_ERROR`,
      clientId: credentials.clientId,
      ipAddress: remoteAddress,
      error: error.details.event,
      details: { grant_type: form.get('grant_type') ?? undefined },
    });
    throw error;
  }
}

function kindOf(realm: TokenRealm, form: URLSearchParams): GrantKind {
  if (!realm.enabled) throw oauthError(403, 'access_denied', 'Realm not enabled');
  const grantType = form.get('grant_type');
  if (grantType === null) throw oauthError(400, 'invalid_request', 'Missing form parameter: grant_type');
  const kind = grants.get(grantType);
  if (!kind) throw oauthError(400, 'unsupported_grant_type', 'Unsupported grant_type');
  // RFC 6749 section 3.2: parameters must not be included more than once, but for audiences (RFC 8693 section 2.1)
  const several = grantType === tokenExchangeGrant ? ['audience'] : [];
  if (hasDuplicates(form, ...several)) throw oauthError(400, 'invalid_request', 'duplicated parameter');
  return kind;
}

const startOf = (
  context: TokenContext,
  request: TokenRequest,
  realm: TokenRealm,
  client: TokenClient,
  { lightweightTokens }: AnswerDemand,
): Grant => ({
  context,
  realm,
  client,
  form: request.form,
  baseUrl: request.baseUrl,
  remoteAddress: request.remoteAddress,
  proof: request.proof,
  findCertificate: request.findCertificate,
  at: seconds(context),
  lightweight: lightweightTokens,
  refreshable: true,
  details: { grant_type: request.form.get('grant_type') ?? undefined, client_auth_method: authenticatorOf(client) },
});
