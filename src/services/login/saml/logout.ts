import { members } from '../../core/json.js';
import type { RealmRecord } from '../../core/realm.js';
import { inUnitOfWork } from '../../core/unit-of-work.js';
import { storeLoginEvent } from '../../events/login-events.js';
import type { ReceivedMessage } from '../../saml/bindings.js';
import {
  attributeIn,
  childNamed,
  childrenNamed,
  isNamed,
  issuerIn,
  parseMessage,
  SamlFault,
  textOf,
} from '../../saml/document.js';
import { isToldBySaml, logoutRequestFor } from '../../saml/logout-notice.js';
import { type Message, newMessageId, parametersOf, status } from '../../saml/messages.js';
import { statuses } from '../../saml/names.js';
import { nameIdOfPart, sessionOfIndex } from '../../saml/session-part.js';
import { type BrowserBinding, logoutAddress, samlSettings, signingFor } from '../../saml/settings.js';
import { type Concerned, concernedBy } from '../../sessions/notifications.js';
import { issuerOf, seconds } from '../../tokens/context.js';
import { findRealmAndClient } from '../../tokens/parties.js';
import { type Browser, type LoginSite, recordFailure } from '../attempt.js';
import { logoutAtProvider } from '../broker/logout.js';
import { sessionOfBrowser } from '../identity.js';
import { tellClients } from '../other-sessions.js';
import { PageRefusal } from '../refusals.js';
import { withLoginFields } from '../request.js';
import { keptLogouts, newLogoutKey, type SamlLogout } from './logout-state.js';
import { type ClientMessage, samlPath } from './receive.js';
import type { SamlAnswer } from './respond.js';
import { useMessage } from './used-message.js';

/** What comes of a logout: where the browser goes, or the page that confirms it. */
export type SamlLogoutReply = (
  | ({ kind: 'answer' } & SamlAnswer)
  | { kind: 'redirect'; to: string }
  | { kind: 'loggedOut' }
) & {
  /** whether the session of the browser is over */
  endsSession?: boolean;
};

/** Where a logout goes on after an identity provider was told, below a realm. */
const continuePath = `${samlPath}/continue`;

/** Most sessions that one request names. */
const mostSessions = 20;

/** The sessions of the client that a request names. Throws `SamlFault`. */
function namedIn({ root, client }: ClientMessage): { nameId: string; sids: string[] } {
  const nameId = childNamed(root, 'assertion', 'NameID');
  if (!nameId) throw new SamlFault('no_name_id');
  const indexes = childrenNamed(root, 'protocol', 'SessionIndex').map(textOf);
  if (indexes.length > mostSessions) throw new SamlFault('too_many_sessions');
  const sids = indexes.flatMap((index) => sessionOfIndex(index, client.id) ?? []);
  return { nameId: textOf(nameId), sids: indexes.length > 0 && sids.length === 0 ? [''] : sids };
}

/**
 * Ends the sessions that a client names (SAML 2.0 core, section 3.7), or that of the browser, and tells the other clients: those
 * that are told in the browser one after the other. A client can end no session in which it does not know the user.
 */
export async function logoutByClient(
  site: LoginSite,
  realm: RealmRecord,
  message: ClientMessage,
  browser: Browser,
): Promise<SamlLogoutReply> {
  const { services } = site;
  const { client, received } = message;
  let named: ReturnType<typeof namedIn>;
  try {
    named = namedIn(message);
  } catch (fault) {
    if (!(fault instanceof SamlFault)) throw fault;
    await failed(site, realm, browser, client.clientId, 'invalid_logout_request', fault.message);
    throw new PageRefusal(400, 'invalidParameter', received.parameter);
  }
  const session = await sessionOfBrowser(services, realm, browser.identity);
  const sids = named.sids.length > 0 ? named.sids : session ? [session.sid] : [];
  const ended = await endSessions(site, realm, message, { ...named, sids }, browser);
  if (ended === 'replayed') {
    await failed(site, realm, browser, client.clientId, 'invalid_logout_request', 'replayed');
    throw new PageRefusal(400, 'invalidParameter', received.parameter);
  }
  const others = ended.parts.filter((part) => part.client.id !== client.id || !isToldBySaml(part));
  const inBrowser = others.filter(
    (part) => part.sid === session?.sid && part.client.frontchannelLogout && frontAddress(part, services, browser),
  );
  const isTold = await tellClients(
    { services, realm, browser },
    others.filter((part) => !inBrowser.includes(part)),
  );
  const logout: SamlLogout = {
    initiator: {
      clientId: client.clientId,
      requestId: message.id,
      relayState: received.relayState,
      binding: received.binding,
    },
    pending: inBrowser.toSorted((one, other) => (one.client.clientId < other.client.clientId ? -1 : 1)),
    isPartial: !isTold,
    ...(ended.notes && { notes: ended.notes }),
  };
  if (ended.isUnknown)
    return answerInitiator(site, realm, logout, browser, [statuses.requester, statuses.unknownPrincipal]);
  const endsSession = session !== undefined && ended.sids.includes(session.sid);
  return { ...(await nextStep(site, realm, logout, browser)), endsSession };
}

interface Ended {
  parts: Concerned[];
  sids: string[];
  notes: Record<string, unknown> | undefined;
  /** whether the client knows somebody else in these sessions */
  isUnknown: boolean;
}

async function endSessions(
  { services }: LoginSite,
  realm: RealmRecord,
  { client, id }: ClientMessage,
  { nameId, sids }: { nameId: string; sids: readonly string[] },
  { ipAddress }: Browser,
): Promise<Ended | 'replayed'> {
  return inUnitOfWork(services, async ({ tx, changed }) => {
    if (!(await useMessage(tx, services, client, id))) return 'replayed';
    const rows = await tx.clientSession.findMany({
      where: { clientId: client.id, session: { sid: { in: [...sids] }, offline: false, realmId: realm.id } },
      select: { notes: true, session: { select: { id: true, sid: true, userId: true, notes: true } } },
    });
    const meant = rows.filter(({ notes }) => nameIdOfPart(notes)?.value === nameId).map(({ session }) => session);
    const [first] = meant;
    if (!first) return { parts: [], sids: [], notes: undefined, isUnknown: rows.length > 0 };
    const where = { id: { in: meant.map((session) => session.id) } };
    const parts = await concernedBy(tx, where);
    await tx.userSession.deleteMany({ where });
    const touches = [`sessions:${realm.id}`, ...new Set(meant.map(({ userId }) => `user:${userId}`))];
    await changed({ realmId: realm.id, operation: 'session.logout', touches });
    for (const { sid: sessionId, userId } of meant) {
      const who = { clientId: client.clientId, userId, sessionId, ipAddress };
      await storeLoginEvent(tx, services, realm, { type: 'LOGOUT', ...who, details: { auth_method: 'saml' } });
    }
    return { parts, sids: meant.map(({ sid }) => sid), notes: members(first.notes), isUnknown: false };
  });
}

/** Where the browser takes the request to log out at a client, and by which binding. */
function frontAddress(
  { client }: Concerned,
  { config }: LoginSite['services'],
  { baseUrl }: Browser,
): { address: string; binding: BrowserBinding } | undefined {
  const { logouts, forcesPost } = samlSettings(client.attributes);
  const binding = !forcesPost && !logouts.post && logouts.redirect ? 'redirect' : 'post';
  const address = logoutAddress(client, binding, { config, baseUrl });
  return address === undefined ? undefined : { address, binding };
}

/** Leads the browser to the next client, to the identity provider of the session, or back to the client that has asked. */
async function nextStep(
  site: LoginSite,
  realm: RealmRecord,
  logout: SamlLogout,
  browser: Browser,
): Promise<SamlLogoutReply> {
  const { services } = site;
  const [part, ...pending] = logout.pending;
  const front = part && frontAddress(part, services, browser);
  const message = front && logoutRequestFor({ ...services, baseUrl: browser.baseUrl }, realm, part, front.address);
  const key = newLogoutKey();
  if (part && front && message) {
    await keptLogouts.keep(services, realm, key, { ...logout, pending, current: part.client.clientId });
    const named: Message = { ...message, envelope: { ...message.envelope, id: key } };
    return send(site, realm, part.client.attributes, named, { ...front, relayState: undefined });
  }
  if (part) return nextStep(site, realm, { ...logout, pending, isPartial: true }, browser);
  if (logout.notes?.identity_provider !== undefined) {
    const { notes, ...rest } = logout;
    await keptLogouts.keep(services, realm, key, rest);
    const back = `${issuerOf(browser.baseUrl, realm.name)}${continuePath}?key=${key}`;
    const to = await logoutAtProvider(site, realm, browser, notes, back);
    if (to !== undefined) return { kind: 'redirect', to };
    await keptLogouts.take(services, realm, key);
  }
  return answerInitiator(site, realm, logout, browser, [
    statuses.success,
    ...(logout.isPartial ? [statuses.partialLogout] : []),
  ]);
}

/** Goes on with a logout when the browser comes back from a client. Each answer counts once. */
export async function logoutAnswered(
  site: LoginSite,
  realm: RealmRecord,
  received: ReceivedMessage,
  browser: Browser,
): Promise<SamlLogoutReply> {
  try {
    const root = await parseMessage(received.text);
    if (!isNamed(root, 'protocol', 'LogoutResponse')) throw new SamlFault('not_a_logout_response');
    const clientId = issuerIn(root);
    const answered = childNamed(root, 'protocol', 'Status');
    const code = answered && childNamed(answered, 'protocol', 'StatusCode');
    // only the client that was asked knows the ID of the request
    const logout = await keptLogouts.take(site.services, realm, attributeIn(root, 'InResponseTo') ?? '');
    if (!logout || logout.current !== clientId) throw new SamlFault('unknown_request');
    const isDone = code !== undefined && attributeIn(code, 'Value') === statuses.success;
    return nextStep(site, realm, { ...logout, isPartial: logout.isPartial || !isDone }, browser);
  } catch (fault) {
    if (!(fault instanceof SamlFault)) throw fault;
    await failed(site, realm, browser, undefined, 'invalid_logout_response', fault.message);
    throw new PageRefusal(400, 'invalidParameter', received.parameter);
  }
}

/** Goes on with a logout when the browser comes back from an identity provider. */
export async function continueLogout(
  site: LoginSite,
  realm: RealmRecord,
  key: string | null,
  browser: Browser,
): Promise<SamlLogoutReply> {
  const logout = await keptLogouts.take(site.services, realm, key ?? '');
  return logout ? nextStep(site, realm, logout, browser) : { kind: 'loggedOut' };
}

async function answerInitiator(
  site: LoginSite,
  realm: RealmRecord,
  { initiator }: SamlLogout,
  browser: Browser,
  [code = statuses.success, detail]: readonly string[],
): Promise<SamlLogoutReply> {
  const { client: found } = await findRealmAndClient(site.tokens, realm.name, initiator.clientId);
  const client = found && (await withLoginFields(site.tokens, found));
  if (!client) return { kind: 'loggedOut' };
  const { forcesPost, logouts } = samlSettings(client.attributes);
  const place = { ...site.services, baseUrl: browser.baseUrl };
  const wanted = forcesPost && logouts.post ? 'post' : initiator.binding;
  const binding = logouts[wanted] || client.adminUrl ? wanted : wanted === 'post' ? 'redirect' : 'post';
  const address = logoutAddress(client, binding, place);
  if (address === undefined) return { kind: 'loggedOut' };
  const message: Message = {
    name: 'LogoutResponse',
    envelope: {
      id: newMessageId(),
      issuer: issuerOf(browser.baseUrl, realm.name),
      destination: address,
      at: seconds(site.tokens),
      inResponseTo: initiator.requestId,
    },
    content: status(code, detail),
  };
  return send(site, realm, client.attributes, message, { address, binding, relayState: initiator.relayState });
}

async function send(
  { services }: LoginSite,
  realm: RealmRecord,
  attributes: unknown,
  message: Message,
  { address, binding, relayState }: { address: string; binding: BrowserBinding; relayState: string | undefined },
): Promise<SamlLogoutReply> {
  const settings = samlSettings(attributes);
  const signing = settings.signsDocuments ? await signingFor(services, realm, settings) : undefined;
  const sending = { binding, relayState, signing, namesKey: settings.namesKeyInExtension };
  const to = { redirectUri: address, responseMode: binding === 'post' ? ('form_post' as const) : ('query' as const) };
  return { kind: 'answer', to, parameters: await parametersOf(message, sending) };
}

const failed = (
  { services }: LoginSite,
  realm: RealmRecord,
  browser: Browser,
  clientId: string | undefined,
  error: string,
  reason: string,
): Promise<void> =>
  recordFailure(services, realm, browser, {
    clientId,
    type: 'LOGOUT_ERROR',
    error,
    details: { auth_method: 'saml', reason },
  });
