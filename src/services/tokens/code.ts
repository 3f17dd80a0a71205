import { createHash, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../database/db.js';
import { members } from '../core/json.js';
import { placeOfPayload } from '../core/sealed-columns.js';
import { storableTime } from '../core/storable-time.js';
import { inTransaction, inUnitOfWork } from '../core/unit-of-work.js';
import { storeSession } from '../sessions/store.js';
import type { TokenContext } from './context.js';
import { authTimeOf, notBeforeOf } from './lifetimes.js';
import { invalidGrant, oauthError } from './oauth-error.js';
import { findUserById } from './parties.js';
import { requireConsent, sessionOf } from './refresh.js';
import { claimsNote, claimsOfNotes } from './requested-claims.js';
import { chooseScopes } from './scopes.js';
import { found, type Grant, type Step } from './steps.js';
import type { TokenRealm } from './types.js';

/** What a code stands for (RFC 6749 section 4.1.2). */
export interface CodeContent {
  sid: string;
  /** id of the client's row */
  clientId: string;
  /** the address that the client named for it, and has to name again */
  redirectUri?: string;
  scope?: string;
  nonce?: string;
  challenge?: string;
  challengeMethod?: 'plain' | 'S256';
  /** thumbprint of the key that the client has named for it (RFC 9449 section 10) */
  boundTo?: string;
  /** what the tokens are for (RFC 8707) */
  resources?: readonly string[];
  /** seconds since 1970 */
  issuedAt: number;
  /** how well the user has proved who it is */
  acr: string;
}

const unused = 'authorization code';
const used = 'used authorization code';
// How long a code is remembered after its use, in seconds, so that a second use is noticed.
const remembered = 3600;

const idOf = (code: string): string => createHash('sha256').update(code).digest('base64url');

/** Keeps a code until `expiresAt`, in seconds since 1970. Only its hash is stored. */
export async function storeCode(
  tx: Db,
  { sealer }: Pick<TokenContext, 'sealer'>,
  realmId: string,
  code: string,
  content: CodeContent,
  expiresAt: number,
): Promise<void> {
  const id = idOf(code);
  const payload = sealer.seal(JSON.stringify(content), placeOfPayload(id));
  await tx.later.insertNew('OneTimeToken', [
    { id, realmId, purpose: unused, payload, expiresAt: storableTime(expiresAt) },
  ]);
}

/**
 * What the code stands for; it is used up by that, whatever comes next. A code that was used before ends what its client
 * has of the session, since one of both bearers is a thief (RFC 6749 section 4.1.2).
 */
async function claimed(context: TokenContext, realm: TokenRealm, code: string, at: number): Promise<CodeContent> {
  const id = idOf(code);
  const row = await context.database.read.oneTimeToken.findFirst({
    where: { id, realmId: realm.id, purpose: { in: [unused, used] } },
    select: { purpose: true, payload: true, expiresAt: true },
  });
  if (!row) throw invalidGrant('Code not valid', 'invalid_code');
  const content = JSON.parse(context.sealer.open(row.payload, placeOfPayload(id))) as CodeContent;
  const first =
    row.purpose === unused &&
    (await inTransaction(context.database, async (tx) => {
      const data = { purpose: used, expiresAt: at + remembered };
      return (await tx.oneTimeToken.updateMany({ where: { id, purpose: unused }, data })).count > 0;
    }));
  if (!first) {
    await endPart(context, realm, content);
    throw invalidGrant('Code not valid', 'invalid_code');
  }
  if (row.expiresAt <= at) throw invalidGrant('Code is expired', 'expired_code');
  return content;
}

/** Ends what a client has of a session, its offline part included. */
async function endPart(context: TokenContext, realm: TokenRealm, { sid, clientId }: CodeContent): Promise<void> {
  const touches = [`sessions:${realm.id}`, `client:${clientId}`];
  await inUnitOfWork(context, async ({ tx, changed }) => {
    await tx.clientSession.deleteMany({ where: { clientId, session: { sid, realmId: realm.id } } });
    await tx.userSession.deleteMany({ where: { sid, realmId: realm.id, clients: { none: {} } } });
    await changed({ realmId: realm.id, operation: 'session.logout', touches });
  });
}

/** Whether the verifier is that of the code's challenge, RFC 7636 section 4.6. */
function checkVerifier(grant: Grant, { challenge, challengeMethod }: CodeContent): void {
  const verifier = grant.form.get('code_verifier');
  const isDemanded = Boolean(members(grant.client.attributes)['pkce.code.challenge.method']);
  if (challenge === undefined) {
    // a challenge that was lost on the way is an attack, RFC 9700 section 4.8.2
    if (verifier !== null || isDemanded) throw invalidGrant('PKCE verification failed', 'pkce_verification_failed');
    return;
  }
  if (!verifier) throw invalidGrant('PKCE code verifier not specified', 'code_verifier_missing');
  if (!/^[\w.~-]{43,128}$/.test(verifier)) throw invalidGrant('PKCE invalid code verifier', 'invalid_code_verifier');
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const presented = challengeMethod === 'S256' ? digest(verifier).toString('base64url') : verifier;
  if (!timingSafeEqual(digest(presented), digest(challenge))) {
    throw invalidGrant('PKCE verification failed', 'pkce_verification_failed');
  }
}

/** Exchanges a code for the session that the user has opened with it. */
export const codeVerified: Step = {
  name: 'authorization code verified',
  async run(grant) {
    const { context, realm, client, form, at } = grant;
    const text = form.get('code');
    if (!text) throw oauthError(400, 'invalid_request', 'Missing parameter: code', 'invalid_code');
    const code = await claimed(context, realm, text, at);
    grant.details.code_id = code.sid;
    if (code.clientId !== client.id) throw invalidGrant('Auth error', 'invalid_code');
    if (code.redirectUri !== undefined && form.get('redirect_uri') !== code.redirectUri) {
      throw invalidGrant('Incorrect redirect_uri', 'invalid_code');
    }
    checkVerifier(grant, code);
    if (code.boundTo !== undefined && code.boundTo !== grant.boundTo?.key) {
      throw invalidGrant('Code is bound to another key', 'invalid_code');
    }
    grant.resources = code.resources;
    await joinSession(grant, code);
  },
};

/** Has a grant go on with the session that the user has opened in the browser. */
export async function joinSession(grant: Grant, code: CodeContent): Promise<void> {
  const { context, realm, client, at } = grant;
  const session = await sessionOf(context, realm, client, { sid: code.sid, offline: false }, at);
  const part = session?.clients[0];
  if (!session || !part || part.startedAt > code.issuedAt)
    throw invalidGrant('Session not active', 'user_session_not_found');
  const user = await findUserById(context, realm, session.user.id);
  if (!user) throw invalidGrant('User not found', 'user_not_found');
  grant.user = user;
  if (!user.enabled) throw invalidGrant('User disabled', 'user_disabled');
  if (code.issuedAt < notBeforeOf(realm, client, user)) throw invalidGrant('Stale code', 'invalid_code');
  grant.scope = chooseScopes(client, code.scope);
  await requireConsent(grant, user.id, grant.scope);
  const requested = claimsOfNotes(part.notes);
  grant.session = {
    id: code.sid,
    startedAt: session.startedAt,
    joinedAt: part.startedAt,
    offline: grant.scope.offline,
    rememberMe: session.rememberMe,
    endsAt: session.endsAt,
    stored: { sessionId: session.id, clientSessionId: part.id },
    ...(code.nonce !== undefined && { nonce: code.nonce }),
    ...authTimeOf(session.notes),
    acr: code.acr,
    ...(requested && { requested }),
  };
}

/** Stores what the refresh token of a code needs besides the session: its id where it is used once, the offline session. */
export const codeTokenKept: Step = {
  name: 'refresh token of the code kept',
  async run(grant) {
    const { context, realm, client, at, remoteAddress = '', refreshTokenId } = grant;
    const { id: sid, offline, rememberMe, stored, authTime, requested } = found(grant.session);
    const rotates = realm.settings.revokeRefreshToken === true;
    if (!offline && !rotates) return;
    await inTransaction(context.database, async (tx) => {
      const refreshToken = rotates ? (refreshTokenId ?? null) : null;
      const data = { refreshToken, refreshUses: 0, notes: claimsNote(requested) };
      if (offline) {
        await storeSession(tx, context.newId, {
          sid,
          realmId: realm.id,
          userId: found(grant.user).id,
          clientId: client.id,
          ipAddress: remoteAddress,
          offline: true,
          rememberMe,
          startedAt: at,
          at,
          ...(authTime !== undefined && { notes: { AUTH_TIME: String(authTime) } }),
        });
        await tx.clientSession.updateMany({ where: { clientId: client.id, session: { sid, offline: true } }, data });
      } else await tx.clientSession.updateMany({ where: { id: found(stored).clientSessionId }, data });
    });
  },
};
