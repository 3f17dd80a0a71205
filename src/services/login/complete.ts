import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { forgiveFailures } from '../attack-detection/login.js';
import { members, numberOf } from '../core/json.js';
import { inTransaction } from '../core/unit-of-work.js';
import { storeLoginEvent } from '../events/login-events.js';
import { deviceNote, deviceOf } from '../sessions/device.js';
import { storeSession } from '../sessions/store.js';
import { usedCredentialsNote } from '../sessions/used-credentials.js';
import { storeCode } from '../tokens/code.js';
import { answerDevice } from '../tokens/device.js';
import { claimsNote, renewedNotes } from '../tokens/requested-claims.js';
import type { TokenClient, TokenUser } from '../tokens/types.js';
import { acrOf } from './acr.js';
import { type Attempt, atNow, eventDetails, loginFailed, type Page, type Reply } from './attempt.js';
import { accountHash } from './broker/account-hash.js';
import type { BrokeredLogin } from './broker/brokered.js';
import { answerParameters } from './client-answer.js';
import type { PassedFlow } from './flow.js';
import { frontTokens } from './front-tokens.js';
import { signIdentity } from './identity.js';
import { levelsOfNotes, notesOfLevels, type ReachedLevels } from './level-notes.js';
import { levelNotReached, PageRefusal } from './refusals.js';
import { type PreparedResponse, prepareResponse, respond, storeResponse } from './saml/respond.js';
import { dropState, isBySession, secretText } from './state.js';

/** How a login ends. */
interface Ending {
  /** seconds since 1970 */
  at: number;
  /** whether a session from before is enough */
  bySession: boolean;
  /** the levels of authentication that this login has reached */
  levels: readonly number[];
  acr: string;
  /** for the client; nothing where it gets none */
  code: string | undefined;
  /** for a SAML client */
  response: PreparedResponse | undefined;
}

/**
 * Ends a login: the session with the client in it, the code for the client, the event, and the end of the login's state,
 * in one transaction. Of two requests that come here with the same state one gets through.
 */
export async function complete(
  attempt: Attempt,
  user: TokenUser,
  { level, levels = [] }: Pick<PassedFlow, 'level' | 'levels'>,
): Promise<Reply> {
  const { services, realm, client, browser, kept } = attempt;
  const { state } = kept;
  const { request, device } = state;
  // the client may have got another protocol since
  if ((client.protocol === 'saml') !== (request.saml !== undefined)) throw new PageRefusal(400, 'wrongProtocol');
  const hasCode = device === undefined && !request.saml && (request.responseTypes?.includes('code') ?? true);
  const secret = secretText();
  const bySession = isBySession(state);
  const acr = acrOfLogin(attempt, level ?? (bySession ? 0 : 1));
  const at = atNow(attempt);
  const response = await prepareResponse(attempt, user, sessionNotes(attempt, { at, levels }, state.session?.levels));
  const ending = { at, bySession, levels, acr, code: hasCode ? secret : undefined, response };
  const rememberMe = await storeEnding(attempt, user, ending).catch(async (error) => {
    if (!(error instanceof Locked)) throw error;
    await loginFailed(attempt, error.message);
    throw new PageRefusal(400, 'accessDenied');
  });
  const identity = await signIdentity(services, realm, browser.baseUrl, {
    sid: state.sid,
    userId: user.id,
    rememberMe,
  });
  if (device !== undefined) {
    const page: Page = { name: 'info', message: 'oauth2DeviceVerificationCompleteMessage', back: undefined };
    return { kind: 'page', page, notice: undefined, attempt, identity };
  }
  if (response) return { kind: 'answer', ...(await respond(attempt, response)), identity };
  const parameters = {
    ...(request.state !== undefined && { state: request.state }),
    ...(!excludesSession(client) && { session_state: state.sid }),
    ...(hasCode && { code: secret }),
    ...(await frontTokens(attempt, user, { rememberMe, code: secret, acr })),
    ...(request.action !== undefined && { kc_action_status: state.actionStatus ?? 'success' }),
  };
  const sent = await answerParameters(attempt, request, parameters, { isLoggedIn: true });
  return { kind: 'answer', to: request, parameters: sent, identity };
}

/** Whether a client wants no `session_state`, which is the parameter of session management (OpenID Connect Session Management 1.0). */
const excludesSession = ({ attributes }: Pick<TokenClient, 'attributes'>): boolean =>
  members(attributes)['exclude.session.state.from.auth.response'] === 'true';

/** Name of the level of a login for its client. Throws what the client is told, where the level is lower than it may be. */
function acrOfLogin(attempt: Attempt, level: number): string {
  const demanded = attempt.kept.state.request.level;
  if (demanded?.isEssential && level < demanded.level) throw levelNotReached();
  return acrOf(attempt, level, demanded?.names ?? []);
}

/** Stores what a login ends with, and returns whether the session is to be remembered. Throws `Locked` and `PageRefusal`. */
const storeEnding = (attempt: Attempt, user: TokenUser, ending: Ending): Promise<boolean> => {
  const { services, tokens, realm, client, browser, kept } = attempt;
  const { state } = kept;
  const { at, acr, bySession, code, response } = ending;
  return inTransaction(services.database, async (tx) => {
    if (!(await dropState(tx, kept))) throw new PageRefusal(400, 'loginExpired');
    const lock = bySession ? undefined : await forgiveFailures(tx, realm, user, services.now());
    // the event is stored after the transaction is undone
    if (lock) throw new Locked(lock);
    const partNotes = response && (await storeResponse(tx, attempt, user.id, response));
    const rememberMe = await sessionFor(tx, attempt, user, ending, partNotes);
    const answer = { sid: state.sid, issuedAt: at, acr };
    if (state.device !== undefined && !(await answerDevice(tx, tokens, state.device, answer))) {
      throw new PageRefusal(400, 'loginExpired');
    }
    if (code !== undefined) {
      const { codeLifespan = Number.POSITIVE_INFINITY } = state.request;
      const lifespan = Math.min(codeLifespan, Math.max(1, numberOf(realm.settings, 'accessCodeLifespan', 60)));
      await storeCode(tx, tokens, realm.id, code, codeContent(attempt, ending), at + lifespan);
    }
    const asked = client.consentRequired ? 'persistent_consent' : 'no_consent_required';
    const consent = state.consent ? 'consent_granted' : asked;
    const details = { ...eventDetails(attempt), consent, username: user.username };
    const who = { clientId: client.clientId, userId: user.id, sessionId: state.sid, ipAddress: browser.ipAddress };
    await storeLoginEvent(tx, services, realm, { type: 'LOGIN', ...who, details });
    return rememberMe;
  });
};

/** What the code of a login stands for. */
function codeContent({ client, kept: { state } }: Attempt, { at, acr }: Pick<Ending, 'at' | 'acr'>) {
  const { redirectSent, scope, nonce, challenge, challengeMethod = 'plain', boundTo, resources } = state.request;
  return {
    sid: state.sid,
    clientId: client.id,
    issuedAt: at,
    acr,
    ...(redirectSent !== undefined && { redirectUri: redirectSent }),
    ...(scope !== undefined && { scope }),
    ...(nonce !== undefined && { nonce }),
    ...(challenge !== undefined && { challenge, challengeMethod }),
    ...(boundTo !== undefined && { boundTo }),
    ...(resources && { resources }),
  };
}

/** Notes that the server itself reads: mappers cannot set them. */
const ownNote = /^(IMPERSONATOR_|FEDERATED_|loa-map$)/;

/** Notes of a session that began at an identity provider, under the names that existing tools know. */
const brokerNotes = ({ identity, notes }: BrokeredLogin): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(notes).filter(([name]) => !ownNote.test(name))),
  identity_provider: identity.alias,
  identity_provider_identity: identity.username,
  ...(identity.idToken !== undefined && { FEDERATED_ID_TOKEN: identity.idToken }),
  ...(identity.sessionId !== undefined && { FEDERATED_SESSION: identity.sessionId }),
  ...(identity.nameId && { FEDERATED_NAME_ID: JSON.stringify(identity.nameId) }),
});

/** The account of a session that began at an identity provider, and the end that the provider has set. */
const brokerFields = ({ realm, kept: { state } }: Attempt) => {
  const { alias = '', subject, sessionEndsAt: endsAt = null } = state.brokered?.identity ?? {};
  return { account: subject === undefined ? null : accountHash(realm.id, alias, subject), endsAt };
};

/** Notes of a session that begins, or begins anew with the levels that it has reached `before`, as mappers can read them. */
const sessionNotes = (
  { kept: { state } }: Attempt,
  { at, levels }: Pick<Ending, 'at' | 'levels'>,
  before: ReachedLevels | undefined,
): Record<string, string> => ({
  ...(state.brokered && brokerNotes(state.brokered)),
  AUTH_TIME: String(state.authTime ?? at),
  ...notesOfLevels(before, levels, at),
  // devices that were set up in this very login do not count: a password is enough to set one up
  [usedCredentialsNote]: (state.used ?? []).join(' '),
});

/** Failed logins that were counted meanwhile keep the user out. */
class Locked extends Error {}

/**
 * Opens the session, or has the client join the one that is there. Returns whether it is to be remembered. `at`, in seconds
 * since 1970, is the time of the code as well: one of an earlier time would be that of a session that is over.
 */
async function sessionFor(
  tx: Db,
  attempt: Attempt,
  user: TokenUser,
  { at, bySession, levels }: Ending,
  partNotes: Prisma.InputJsonObject = {},
): Promise<boolean> {
  const { services, realm, client, browser, kept } = attempt;
  const { state } = kept;
  const where = { sid: state.sid, offline: false, realmId: realm.id };
  const there = state.session
    ? await tx.userSession.findFirst({
        where,
        select: {
          id: true,
          notes: true,
          rememberMe: true,
          clients: { where: { clientId: client.id }, select: { notes: true } },
        },
      })
    : null;
  // it was ended while the user looked at a page
  if (state.session?.again === false && !there) throw new PageRefusal(400, 'loginExpired');
  const rememberMe = there?.rememberMe ?? state.rememberMe ?? false;
  const device = deviceOf(browser.userAgent);
  // the levels of a session that was ended meanwhile are not those of the one that begins in its place
  const notes = sessionNotes(attempt, { at, levels }, levelsOfNotes(members(there?.notes)));
  const sessionStart = { ...notes, ...(device && { [deviceNote]: { ...device } }) };
  await storeSession(tx, services.newId, {
    sid: state.sid,
    realmId: realm.id,
    userId: user.id,
    clientId: client.id,
    ipAddress: browser.ipAddress,
    offline: false,
    rememberMe,
    startedAt: at,
    at,
    ...brokerFields(attempt),
    redirectUri: state.request.redirectUri,
    notes: sessionStart,
    clientNotes: { ...claimsNote(state.request.claims), ...partNotes },
  });
  if (there) {
    const anew = bySession
      ? undefined
      : {
          notes: { ...members(there.notes), ...sessionStart } as object,
          ...(state.brokered && brokerFields(attempt)),
        };
    await tx.later.userSession.updateMany({ where, data: { lastAccess: at, ...anew } });
    const notes = { ...renewedNotes(there.clients[0]?.notes, state.request.claims), ...partNotes };
    await tx.later.clientSession.updateMany({
      where: { sessionId: there.id, clientId: client.id },
      data: { lastAccess: at, redirectUri: state.request.redirectUri, notes },
    });
  }
  return rememberMe;
}
