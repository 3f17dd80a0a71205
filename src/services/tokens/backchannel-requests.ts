import type { Db } from '../../database/db.js';
import { placeOfPayload } from '../core/sealed-columns.js';
import { inTransaction } from '../core/unit-of-work.js';
import { type EventRealm, storeLoginEvent } from '../events/login-events.js';
import { notifyClient } from './ciba-channel.js';
import { seconds, type TokenContext } from './context.js';
import { oauthError } from './oauth-error.js';
import { type PolledRequest, readPolled, storePolled } from './polled-request.js';

/** The grant of OpenID Connect CIBA Core section 10.1. */
export const backchannelGrant = 'urn:openid:params:grant-type:ciba';

/** What a client has asked a user for, and what the user has said on another device. */
export interface BackchannelRequest extends PolledRequest {
  userId: string;
  scope: string;
  /** what the client shows on its device, for the user to compare */
  message?: string;
  /** what the tokens are for (RFC 8707) */
  resources?: readonly string[];
  /** SHA-256 of the secret with which the device of the user answers, in base64url */
  secret: string;
  /** where the client is told that there is an answer, the token for that, and its code */
  notification?: { url: string; token: string; code: string };
  answer?: { denied: true } | { approvedAt: number };
}

/** The requests for backchannel authentication among those that are polled. */
export const kind = { purpose: 'backchannel authentication', name: 'Authentication request', event: 'auth_req_id' };
/** Requests that a user may get while they are valid. */
const mostAtOnce = 3;
const purpose = 'backchannel authentications of a user';

/** The id of a request, and when it expires, in seconds since 1970. */
interface Waiting {
  id: string;
  expiresAt: number;
}

/** The requests of a user that have not expired. */
async function requestsOf(db: Db, sealer: TokenContext['sealer'], userId: string, at: number) {
  const id = `${kind.purpose} of ${userId}`;
  const row = await db.oneTimeToken.findFirst({ where: { id, purpose }, select: { payload: true } });
  const known = row ? (JSON.parse(sealer.open(row.payload, placeOfPayload(id))) as Waiting[]) : [];
  return { id, row, waiting: known.filter(({ expiresAt }) => expiresAt > at) };
}

/**
 * Counts a request of a user. Throws `access_denied` if too many wait already: a user who is asked too often learns to say yes to
 * everything.
 */
export async function countRequest(
  tx: Db,
  { sealer }: Pick<TokenContext, 'sealer'>,
  { realmId, userId, at, request }: { realmId: string; userId: string; at: number; request: Waiting },
): Promise<void> {
  const { id, row, waiting } = await requestsOf(tx, sealer, userId, at);
  if (waiting.length >= mostAtOnce) throw oauthError(400, 'access_denied', 'The user is asked too often');
  const payload = sealer.seal(JSON.stringify([...waiting, request]), placeOfPayload(id));
  const { expiresAt } = request;
  if (!row) {
    await tx.later.insertNew('OneTimeToken', [{ id, realmId, purpose, payload, expiresAt }]);
    return;
  }
  const { count } = await tx.oneTimeToken.updateMany({
    where: { id, payload: row.payload },
    data: { payload, expiresAt: Math.max(expiresAt, ...waiting.map((one) => one.expiresAt)) },
  });
  if (count === 0) throw oauthError(400, 'access_denied', 'The user is asked too often');
}

/** A request that a user can answer. */
export type OpenRequest = NonNullable<Awaited<ReturnType<typeof readPolled<BackchannelRequest>>>>;

/** The requests that wait for the answer of a user: three at most. */
export async function openRequests(
  context: Pick<TokenContext, 'database' | 'sealer' | 'now'>,
  realmId: string,
  userId: string,
): Promise<OpenRequest[]> {
  const { waiting } = await requestsOf(context.database.read, context.sealer, userId, seconds(context));
  const found = await Promise.all(waiting.map(({ id }) => readPolled<BackchannelRequest>(context, kind, realmId, id)));
  return found.filter(
    (one) => one !== undefined && one.request.userId === userId && !one.request.answer,
  ) as OpenRequest[];
}

/** The answer of a user to a request. */
interface GivenAnswer {
  isApproved: boolean;
  /** address of the device that the answer comes from */
  ipAddress: string | undefined;
  /** error of the event of a denial: `rejected_by_user` if it is not given */
  error?: string | undefined;
}

/**
 * Keeps the answer of a user to a request with its event, and tells the client. False if the request has changed since it was read.
 * The contract has no event of its own for this; the user lets the client in, or not.
 */
export async function answerRequest(
  context: Pick<TokenContext, 'database' | 'sealer' | 'now' | 'fetchPublic' | 'newId'>,
  realm: EventRealm,
  request: OpenRequest,
  { isApproved, ipAddress, error = 'rejected_by_user' }: GivenAnswer,
): Promise<boolean> {
  const answer = isApproved ? { approvedAt: seconds(context) } : { denied: true as const };
  const { userId, scope } = request.request;
  const client = await context.database.read.client.findUnique({
    where: { id: request.request.clientId },
    select: { clientId: true },
  });
  const isStored = await inTransaction(context.database, async (tx) => {
    if (!(await storePolled(tx, context, request, { answer }))) return false;
    await storeLoginEvent(tx, context, realm, {
      type: isApproved ? 'GRANT_CONSENT' : 'GRANT_CONSENT_ERROR',
      clientId: client?.clientId,
      userId,
      ipAddress,
      error: isApproved ? undefined : error,
      details: { auth_req_id: request.id, grant_type: backchannelGrant, scope },
    });
    return true;
  });
  const { notification } = request.request;
  if (isStored && notification) await notifyClient(context, notification);
  return isStored;
}
