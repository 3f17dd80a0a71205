import { timingSafeEqual } from 'node:crypto';
import { sharedBreaks } from '../../database/turns.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { addressesAfterLogout } from '../clients/store.js';
import { members, numberOf, textsOf } from '../core/json.js';
import type { RealmRecord } from '../core/realm.js';
import { inUnitOfWork } from '../core/unit-of-work.js';
import { recordLoginEvent, storeLoginEvent } from '../events/login-events.js';
import { masterName } from '../realms/defaults/master.js';
import { frontChannelAddresses } from '../sessions/front-channel.js';
import { concernedBy } from '../sessions/notifications.js';
import { issuerOf } from '../tokens/context.js';
import { clientOfSecret, idTokenOfClient, verifiedToken } from '../tokens/signature.js';
import { attemptFailed, type Browser, type LoginSite, requireFewFailures } from './attempt.js';
import { logoutAtProvider } from './broker/logout.js';
import { type BrowserSession, sessionOfBrowser } from './identity.js';
import { tellClients } from './other-sessions.js';
import { redirectCheck, withoutAnswer, withoutFragment, withQuery } from './redirect-uri.js';
import { PageRefusal } from './refusals.js';

/** What comes of a request to log out. */
export type LogoutReply =
  | { kind: 'redirect'; to: string }
  | { kind: 'loggedOut' }
  /** the browser loads these addresses of clients, and then goes on */
  | { kind: 'frames'; addresses: string[]; to: string | undefined }
  /** the user is asked first; the form has to bring these fields along */
  | { kind: 'confirm'; hidden: Record<string, string> };

/** Where the browser goes after the logout: an address that a client has registered. */
interface Destination {
  address: string;
  state: string | null;
  clientId: string | undefined;
}

interface Hint {
  sid: string;
  userId: string;
  clientId: string;
}

/**
 * Logs a browser out (OpenID Connect RP-Initiated Logout 1.0 section 2). An ID token of the browser's session is believed;
 * otherwise the user is asked, since any page can send a browser here.
 */
export async function logoutBrowser(
  site: LoginSite,
  realm: RealmRecord,
  parameters: URLSearchParams,
  browser: Browser,
): Promise<LogoutReply> {
  const session = await sessionOfBrowser(site.services, realm, browser.identity);
  const token = parameters.get('id_token_hint');
  const hint = token ? await hintOf(site, realm, token, browser) : undefined;
  if (token && !hint) throw new PageRefusal(400, 'invalidParameter', 'id_token_hint');
  const destination = await destinationOf(site, realm, parameters, browser, hint?.clientId);
  if (session && hint?.sid !== session.sid) return question(session, destination);
  // the subject of the hint may be one that only its client knows
  if (!hint) return loggedOut(destination);
  return endBrowserSession(site, realm, browser, session ?? hint, destination, hint.clientId);
}

/** Logs a browser out after the user was asked. The form has to carry what only our own page knows. */
export async function confirmLogout(
  site: LoginSite,
  realm: RealmRecord,
  form: URLSearchParams,
  browser: Browser,
): Promise<LogoutReply> {
  const session = await sessionOfBrowser(site.services, realm, browser.identity);
  const destination = await destinationOf(site, realm, form, browser, undefined);
  if (!session) return loggedOut(destination);
  const given = Buffer.from(form.get('checker') ?? '');
  const expected = Buffer.from(session.checker);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return question(session, destination);
  return endBrowserSession(site, realm, browser, session, destination);
}

function question({ checker }: BrowserSession, destination: Destination | undefined): LogoutReply {
  if (!destination) return { kind: 'confirm', hidden: { checker } };
  const { address, state, clientId } = destination;
  const more = { ...(state !== null && { state }), ...(clientId !== undefined && { client_id: clientId }) };
  return { kind: 'confirm', hidden: { checker, post_logout_redirect_uri: address, ...more } };
}

const loggedOut = (destination: Destination | undefined): LogoutReply => {
  if (!destination) return { kind: 'loggedOut' };
  const { address, state } = destination;
  return { kind: 'redirect', to: withQuery(withoutFragment(withoutAnswer(address)), state === null ? {} : { state }) };
};

/** Where a request to log out has the browser go on. Throws a page for an address that no client has registered. */
async function destinationOf(
  site: LoginSite,
  realm: RealmRecord,
  parameters: URLSearchParams,
  browser: Browser,
  ofHint: string | undefined,
): Promise<Destination | undefined> {
  const address = parameters.get('post_logout_redirect_uri') ?? parameters.get('redirect_uri');
  if (address === null) return undefined;
  const clientId = ofHint ?? parameters.get('client_id') ?? undefined;
  if (await isKnown(site, realm, browser, address, clientId)) {
    return { address, state: parameters.get('state'), clientId };
  }
  await failed(site, realm, browser, 'invalid_redirect_uri', { redirect_uri: address });
  throw new PageRefusal(400, 'invalidRedirect');
}

/** What an ID token of this realm says, however old it is. */
async function hintOf(site: LoginSite, realm: RealmRecord, token: string, browser: Browser): Promise<Hint | undefined> {
  const { services } = site;
  const ofRealm = await verifiedToken(services, realm, ['id'], token);
  const { claims, client: id } = ofRealm ?? (await signedByClient(site, realm, token, browser)) ?? {};
  if (!claims || id === undefined) return undefined;
  // another client may have got the name of one that was deleted
  const where = { id, realmId: realm.id, clientId: String(claims.azp ?? '') };
  const { read } = services.database;
  if ((await read.client.count({ where })) === 0) return undefined;
  const sid = String(claims.sid ?? '');
  // or one with its id may have joined the session since
  const parts = await read.clientSession.findMany({
    where: { clientId: id, session: { sid } },
    select: { startedAt: true },
  });
  if (parts.some(({ startedAt }) => startedAt > numberOf(claims, 'iat', 0))) return undefined;
  // what a client can sign itself is no proof that the session was ever one of its own
  const isOwn = ofRealm !== undefined || parts.length > 0;
  return { sid: isOwn ? sid : '', userId: String(claims.sub ?? ''), clientId: String(claims.azp ?? '') };
}

/** An ID token that was signed with the secret of its client. Who guesses at the secret is stopped as at the token endpoint. */
async function signedByClient({ services, attempts }: LoginSite, realm: RealmRecord, token: string, browser: Browser) {
  const name = clientOfSecret(token);
  if (name === undefined) return undefined;
  const guess = { attempts, realm, browser };
  requireFewFailures(guess, 'client', name);
  const verified = await idTokenOfClient(services, realm, token);
  if (!verified) attemptFailed(guess, 'client', name);
  return verified;
}

/** Whether a client of the realm has registered the address: the one that is named, or else any. */
async function isKnown(
  { services, redirects }: LoginSite,
  realm: RealmRecord,
  { baseUrl }: Browser,
  address: string,
  clientId: string | undefined,
): Promise<boolean> {
  const find = () => registrations(services, realm, clientId);
  const clients =
    clientId === undefined
      ? (await redirects.get(realm.id, async () => ({ realm, clients: await find() }))).clients
      : await find();
  const hasRegistered = redirectCheck(address, { baseUrl, isMaster: realm.name === masterName });
  const pause = sharedBreaks();
  for (const client of clients) {
    // anybody can ask for all clients of a realm to be compared
    const turnOver = pause();
    if (turnOver) await turnOver;
    if (hasRegistered(client)) return true;
  }
  return false;
}

/** What the clients of a realm that browsers use have registered, or the one that is named. */
async function registrations({ database }: LoginSite['services'], realm: RealmRecord, clientId?: string) {
  const found = await database.read.client.findMany({
    where: { realmId: realm.id, enabled: true, bearerOnly: false, ...(clientId !== undefined && { clientId }) },
    select: { id: true, clientId: true, rootUrl: true, redirectUris: true },
  });
  const own = await addressesAfterLogout(database.read, realm.id, clientId);
  return found.map(({ id, redirectUris, ...client }) => ({
    ...client,
    redirectUris: afterLogout(own.get(id), redirectUris),
  }));
}

/** Where users may be sent after a logout: as the client says, with `+` for its redirect URIs and `-` for nowhere, or else to its redirect URIs. */
function afterLogout(own: string | undefined, redirectUris: Prisma.JsonValue): Prisma.JsonValue {
  if (own === undefined || own.trim() === '') return redirectUris;
  return own.split('##').flatMap((uri) => (uri === '+' ? textsOf(redirectUris) : uri === '-' ? [] : [uri]));
}

/** Ends a session, here and at the identity provider where it began. */
async function endBrowserSession(
  site: LoginSite,
  realm: RealmRecord,
  browser: Browser,
  { sid, userId }: Pick<BrowserSession, 'sid' | 'userId'>,
  destination: Destination | undefined,
  clientId = destination?.clientId,
): Promise<LogoutReply> {
  const { services } = site;
  const touches = [`sessions:${realm.id}`, `user:${userId}`];
  const concerned = await inUnitOfWork(services, async ({ tx, changed }) => {
    const where = { sid, userId, offline: false, realmId: realm.id };
    const session = await tx.userSession.findFirst({ where, select: { notes: true } });
    if (!session) return undefined;
    const parts = await concernedBy(tx, where);
    await tx.userSession.deleteMany({ where });
    await changed({ realmId: realm.id, operation: 'session.logout', touches });
    const who = { clientId, userId, sessionId: sid, ipAddress: browser.ipAddress };
    const event = { type: 'LOGOUT', ...who, details: { redirect_uri: destination?.address } };
    await storeLoginEvent(tx, services, realm, event);
    return { parts, notes: members(session.notes) };
  });
  const done = loggedOut(destination);
  if (!concerned) return done;
  await tellClients({ services, realm, browser }, concerned.parts);
  const next = done.kind === 'redirect' ? done.to : undefined;
  const to = await logoutAtProvider(site, realm, browser, concerned.notes, next);
  const addresses = frontChannelAddresses(concerned.parts, issuerOf(browser.baseUrl, realm.name));
  if (addresses.length > 0) return { kind: 'frames', addresses, to: to ?? next };
  return to === undefined ? done : { kind: 'redirect', to };
}

async function failed(
  { services }: LoginSite,
  realm: RealmRecord,
  { ipAddress }: Browser,
  error: string,
  details: Record<string, string>,
): Promise<void> {
  await recordLoginEvent(services, realm, { type: 'LOGOUT_ERROR', ipAddress, error, details });
}
