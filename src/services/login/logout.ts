import { timingSafeEqual } from 'node:crypto';
import { storeNotice } from '../core/notice.js';
import { retried } from '../core/transaction.js';
import { storeLoginEvent } from '../events/login-events.js';
import { masterName } from '../realms/defaults/master.js';
import type { RealmRecord } from '../realms/record.js';
import { concernedBy, tellOfLogout } from '../sessions/notifications.js';
import { realmOfIssuer } from '../tokens/context.js';
import { verifiedToken } from '../tokens/signature.js';
import type { Browser, LoginSite } from './attempt.js';
import { type BrowserSession, sessionOfBrowser } from './identity.js';
import { allowsRedirect } from './redirect-uri.js';
import { PageRefusal } from './refusals.js';

/** What comes of a request to log out. */
export type LogoutReply =
  | { kind: 'redirect'; to: string }
  | { kind: 'loggedOut' }
  /** the user is asked first; the form has to bring `checker` along */
  | { kind: 'confirm'; checker: string };

interface Hint {
  sid: string;
  userId: string;
  clientId: string;
}

/**
 * Logs a browser out (OpenID Connect RP-Initiated Logout 1.0). A client that names a good address, or an ID token of the
 * session, is believed; otherwise the user is asked, since any page can send a browser here.
 */
export async function logoutBrowser(
  site: LoginSite,
  realm: RealmRecord,
  parameters: URLSearchParams,
  browser: Browser,
): Promise<LogoutReply> {
  const session = await sessionOfBrowser(site.services, realm, browser.identity);
  const token = parameters.get('id_token_hint');
  const hint = token ? await hintOf(site, realm, token) : undefined;
  if (token && !hint) throw new PageRefusal(400, 'invalidParameter', 'id_token_hint');
  const address = parameters.get('post_logout_redirect_uri') ?? parameters.get('redirect_uri');
  if (address !== null) {
    const clientId = hint?.clientId ?? parameters.get('client_id') ?? undefined;
    if (!(await isKnown(site, realm, browser, address, clientId))) {
      await failed(site, realm, browser, 'invalid_redirect_uri', { redirect_uri: address });
      throw new PageRefusal(400, 'invalidRedirect');
    }
  }
  if (session && address === null && hint?.sid !== session.sid) return { kind: 'confirm', checker: session.checker };
  const ended = hint ?? session;
  if (ended) await endBrowserSession(site, realm, browser, ended, hint?.clientId, address ?? undefined);
  if (session && session.sid !== ended?.sid)
    await endBrowserSession(site, realm, browser, session, undefined, undefined);
  if (address === null) return { kind: 'loggedOut' };
  const state = parameters.get('state');
  return { kind: 'redirect', to: state === null ? address : withQuery(address, { state }) };
}

/** Logs a browser out after the user was asked. The form has to carry what only our own page knows. */
export async function confirmLogout(
  site: LoginSite,
  realm: RealmRecord,
  form: URLSearchParams,
  browser: Browser,
): Promise<LogoutReply> {
  const session = await sessionOfBrowser(site.services, realm, browser.identity);
  if (!session) return { kind: 'loggedOut' };
  const given = Buffer.from(form.get('checker') ?? '');
  const expected = Buffer.from(session.checker);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return { kind: 'confirm', checker: session.checker };
  }
  await endBrowserSession(site, realm, browser, session, undefined, undefined);
  return { kind: 'loggedOut' };
}

/** An address with further parameters in its query. */
export function withQuery(address: string, parameters: Record<string, string>): string {
  const query = new URLSearchParams(parameters).toString();
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

/** What an ID token of this realm says, however old it is. */
async function hintOf({ services }: LoginSite, realm: RealmRecord, token: string): Promise<Hint | undefined> {
  const claims = (await verifiedToken(await services.keyring.realmKeys(realm), token))?.claims;
  if (claims?.typ !== 'ID' || realmOfIssuer(claims.iss) !== realm.name) return undefined;
  return { sid: String(claims.sid ?? ''), userId: String(claims.sub ?? ''), clientId: String(claims.azp ?? '') };
}

/** Whether a client of the realm has registered the address: the one that is named, or else any. */
async function isKnown(
  { services }: LoginSite,
  realm: RealmRecord,
  { baseUrl }: Browser,
  address: string,
  clientId: string | undefined,
): Promise<boolean> {
  const clients = await services.database.read.client.findMany({
    where: { realmId: realm.id, enabled: true, bearerOnly: false, ...(clientId !== undefined && { clientId }) },
    select: { clientId: true, rootUrl: true, redirectUris: true },
  });
  const place = { baseUrl, isMaster: realm.name === masterName };
  return clients.some((client) => allowsRedirect(client, address, place));
}

async function endBrowserSession(
  { services }: LoginSite,
  realm: RealmRecord,
  browser: Browser,
  { sid, userId }: Pick<BrowserSession, 'sid' | 'userId'>,
  clientId: string | undefined,
  address: string | undefined,
): Promise<void> {
  const touches = [`sessions:${realm.id}`, `user:${userId}`];
  const ended = await retried(services.database, async (tx) => {
    const where = { sid, userId, offline: false, realmId: realm.id };
    const concerned = await concernedBy(tx, where);
    const { count } = await tx.userSession.deleteMany({ where });
    if (count === 0) return undefined;
    const change = await storeNotice(tx, services, { realmId: realm.id, operation: 'session.logout', touches });
    const who = { clientId, userId, sessionId: sid, ipAddress: browser.ipAddress };
    const event = { type: 'LOGOUT', ...who, details: { redirect_uri: address } };
    await storeLoginEvent(tx, services.newId, realm, event, services.now());
    return { change, concerned };
  });
  if (!ended) return;
  services.feed.publish(ended.change);
  const sender = { ...services, baseUrl: browser.baseUrl };
  const { failedRequests } = await tellOfLogout(sender, realm, ended.concerned);
  if (failedRequests) services.log.warn({ realm: realm.name, failedRequests }, 'clients were not told of a logout');
}

async function failed(
  { services }: LoginSite,
  realm: RealmRecord,
  { ipAddress }: Browser,
  error: string,
  details: Record<string, string>,
): Promise<void> {
  await retried(services.database, (tx) =>
    storeLoginEvent(tx, services.newId, realm, { type: 'LOGOUT_ERROR', ipAddress, error, details }, services.now()),
  );
}
