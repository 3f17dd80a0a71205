import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { lockOf } from '../attack-detection/login.js';
import { members, numberOf } from '../core/json.js';
import { placeOfPayload } from '../core/sealed-columns.js';
import { storableTime } from '../core/storable-time.js';
import { inTransaction } from '../core/unit-of-work.js';
import type { EventRealm } from '../events/login-events.js';
import { answerRequest, type BackchannelRequest, countRequest, kind } from './backchannel-requests.js';
import { hintedUser } from './backchannel-user.js';
import { askChannel } from './ciba-channel.js';
import { checkTokenRequest } from './client-policies.js';
import { seconds, type TokenContext } from './context.js';
import { ofClients } from './endpoints.js';
import { invalidGrant, oauthError } from './oauth-error.js';
import { findUserById } from './parties.js';
import { polledId, readPolled, takeAnswer } from './polled-request.js';
import { requireConsent } from './refresh.js';
import { resourcesIn } from './resources.js';
import { chooseScopes, scopeNames } from './scopes.js';
import { backchannelParameters } from './signed-backchannel-request.js';
import type { Step } from './steps.js';
import type { TokenClient, TokenRealm } from './types.js';

const longestMessage = 100;
const longestToken = 1024;

const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
const invalidRequest = (description: string) => oauthError(400, 'invalid_request', description);

/** Whether a client may have its users asked on another device. */
const isAllowed = ({ attributes, publicClient }: TokenClient): boolean =>
  !publicClient && members(attributes)['oidc.ciba.grant.enabled'] === 'true';

const requireAllowed = (client: TokenClient): void => {
  if (!isAllowed(client)) throw oauthError(400, 'unauthorized_client', 'Client not allowed OIDC CIBA Grant');
};

/** What the client asks for. Throws what it is told of wrong parameters. */
function wishOf({ realm, client, form }: { realm: TokenRealm; client: TokenClient; form: URLSearchParams }) {
  if (form.has('user_code')) throw invalidRequest('Parameter not supported: user_code');
  const scope = form.get('scope') ?? '';
  if (!scopeNames(scope).includes('openid')) throw oauthError(400, 'invalid_scope', 'The scope openid is missing');
  chooseScopes(client, scope);
  const message = form.get('binding_message') ?? undefined;
  if (message !== undefined && (message.length > longestMessage || /\p{Cc}/u.test(message))) {
    throw oauthError(400, 'invalid_binding_message', `binding_message must have at most ${longestMessage} characters`);
  }
  return {
    scope,
    message,
    resources: resourcesIn(form),
    levels: form.get('acr_values') ?? undefined,
    lifespan: lifespanOf(realm, form),
  };
}

/** Seconds that a request is valid: as the client asks, and at most as long as the realm says. */
function lifespanOf(realm: TokenRealm, form: URLSearchParams): number {
  const most = Math.max(1, numberOf(realm.attributes, 'cibaExpiresIn', 120));
  const asked = form.get('requested_expiry');
  if (asked === null) return most;
  if (!/^[1-9]\d{0,8}$/.test(asked)) throw invalidRequest('requested_expiry must be a positive number');
  return Math.min(Number(asked), most);
}

/** Where a client in ping mode is told of the answer (section 10.2); nothing for one that polls. */
function notificationOf({ attributes }: TokenClient, realm: TokenRealm, form: URLSearchParams) {
  const own = members(attributes);
  const mode = own['ciba.backchannel.token.delivery.mode'] ?? realm.attributes.cibaBackchannelTokenDeliveryMode;
  if (mode !== 'ping') return undefined;
  const url = own['ciba.backchannel.client.notification.endpoint'];
  if (typeof url !== 'string' || url === '') throw invalidRequest('The client has no notification endpoint');
  const token = form.get('client_notification_token');
  if (!token || !/^[\w.~+/=-]+$/.test(token) || token.length > longestToken) {
    throw invalidRequest('Missing or invalid parameter: client_notification_token');
  }
  return { url, token };
}

/** Has a user asked on another device whether a client may log in (OpenID Connect CIBA Core section 7). */
export const beginBackchannel = ofClients(async ({ context, realm, client, form: sent, baseUrl }) => {
  requireAllowed(client);
  const form = await backchannelParameters(context, { realm, client, form: sent, baseUrl });
  await checkTokenRequest(context, realm, client, { form }, 'backchannel');
  const wish = wishOf({ realm, client, form });
  const notification = notificationOf(client, realm, form);
  const { sealer, database, config } = context;
  const user = await hintedUser(context, { realm, client, form, baseUrl });
  const at = seconds(context);
  const code = randomBytes(32).toString('base64url');
  const secret = randomBytes(32).toString('base64url');
  const id = polledId(kind, code);
  const request: BackchannelRequest = {
    clientId: client.id,
    userId: user.id,
    scope: wish.scope,
    secret: digest(secret),
    ...(wish.message !== undefined && { message: wish.message }),
    ...(wish.resources && { resources: wish.resources }),
    ...(notification && { notification: { ...notification, code } }),
  };
  const row = { id, realmId: realm.id, purpose: kind.purpose, expiresAt: storableTime(at + wish.lifespan) };
  await inTransaction(database, async (tx) => {
    const counted = { realmId: realm.id, userId: user.id, at, request: { id, expiresAt: row.expiresAt } };
    await countRequest(tx, context, counted);
    const payload = sealer.seal(JSON.stringify(request), placeOfPayload(id));
    await tx.later.insertNew('OneTimeToken', [{ ...row, payload }]);
  });
  // without a channel, users answer on the pages of their accounts
  const isAsked =
    !config.cibaChannelUrl ||
    (await askChannel(context, config.cibaChannelUrl, {
      token: `${id}.${secret}`,
      callback: `${baseUrl}/realms/${encodeURIComponent(realm.name)}/protocol/openid-connect/ext/ciba/auth/callback`,
      username: user.username,
      client,
      ...wish,
    }));
  if (!isAsked) {
    await inTransaction(database, (tx) => tx.oneTimeToken.deleteMany({ where: { id } }));
    throw oauthError(503, 'temporarily_unavailable', 'The user cannot be reached', 'channel_failed');
  }
  const interval = numberOf(realm.attributes, 'cibaInterval', 5);
  return { status: 200, body: { auth_req_id: code, expires_in: wish.lifespan, interval } };
});

/** What the device of a user says to a request. */
const statuses = ['SUCCEED', 'UNAUTHORIZED', 'CANCELLED'] as const;
/** The error of the event of an answer: the device could not make sure who the user is, or the user has said no. */
const deniedBecause = { SUCCEED: undefined, UNAUTHORIZED: 'not_allowed', CANCELLED: 'rejected_by_user' };

/**
 * Keeps what the device of a user says to a request, with the token that it was given (`Bearer`) and a `status` of
 * `SUCCEED`, `UNAUTHORIZED`, or `CANCELLED`. Returns the status of the answer: 403 for a token that no request waits with.
 */
export async function answerBackchannel(
  context: TokenContext,
  realm: EventRealm,
  token: string | undefined,
  { body, ipAddress }: { body: unknown; ipAddress: string | undefined },
): Promise<{ status: number; body?: Record<string, unknown> }> {
  const [id = '', secret = ''] = (token ?? '').split('.');
  const refused = { status: 403, body: { error: 'invalid_token', error_description: 'No request waits for this' } };
  const kept = await readPolled<BackchannelRequest>(context, kind, realm.id, id);
  if (!kept || kept.expiresAt <= seconds(context) || kept.request.answer) return refused;
  if (!timingSafeEqual(Buffer.from(digest(secret)), Buffer.from(kept.request.secret))) return refused;
  const status = statuses.find((one) => one === members(body).status);
  if (!status) {
    const text = `status must be one of ${statuses.join(', ')}`;
    return { status: 400, body: { error: 'invalid_request', error_description: text } };
  }
  // the client may have polled since: the request is looked at again
  const given = { isApproved: status === 'SUCCEED', ipAddress, error: deniedBecause[status] };
  if (!(await answerRequest(context, realm, kept, given)))
    return answerBackchannel(context, realm, token, { body, ipAddress });
  return { status: 200 };
}

/** Gives a client the login that the user has allowed on another device (section 10.1). */
export const backchannelAnswered: Step = {
  name: 'backchannel authentication answered',
  async run(grant) {
    const { context, realm, client, form, at } = grant;
    requireAllowed(client);
    const code = form.get('auth_req_id');
    if (!code) throw invalidRequest('Missing parameter: auth_req_id');
    const interval = numberOf(realm.attributes, 'cibaInterval', 5);
    const poll = { realmId: realm.id, clientId: client.id, code, interval, at };
    const { request, answer } = await takeAnswer<BackchannelRequest>(context, kind, poll);
    if ('denied' in answer) throw oauthError(400, 'access_denied', 'The user denied the authentication request');
    const user = await findUserById(context, realm, request.userId);
    if (!user?.enabled) throw invalidGrant('User disabled', 'user_disabled');
    grant.user = user;
    // another way in must not go around the lock after failed logins
    const lock = await lockOf(context.database.read, realm, user, context.now());
    if (lock) throw invalidGrant('User disabled', lock);
    grant.scope = chooseScopes(client, request.scope);
    await requireConsent(grant, user.id, grant.scope);
    grant.details.auth_req_id = polledId(kind, code);
    grant.authTime = answer.approvedAt;
    grant.resources = request.resources;
  },
};
