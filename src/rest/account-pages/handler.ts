import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Answer } from '../../http/answer.js';
import { contextOf } from '../../http/authenticate.js';
import { accountClient, accountOf, isImpersonated } from '../../services/account/account.js';
import type { Services } from '../../services/core/context.js';
import { Refusal } from '../../services/core/refusal.js';
import { type BrowserSession, sessionOfBrowser } from '../../services/login/identity.js';
import type { MessageKey } from '../../services/login/messages-en.js';
import { PageRefusal } from '../../services/login/refusals.js';
import type { Notice } from '../../services/login/texts.js';
import { signedOutPage } from '../login/pages.js';
import { redirect, type Visit } from '../login/replies.js';
import { type AccountPage, accountPages } from './pages.js';
import { bare, isShown, kept, shellPage } from './shell.js';
import { type AccountForm, loginAddress, pagePath, provingAddress, type Visited } from './visited.js';

/** Seconds since the login after which users prove anew who they are, before they change something sensitive. */
const oldestForChanges = 300;

/** Notices that an address of a page can ask for. */
const notices: ReadonlySet<string> = new Set<MessageKey>([
  'accountSaved',
  'accountRemoved',
  'accountSessionsEnded',
  'accountConfirmAgain',
]);

/** The notice for the parameters with which a login or link comes back. */
function noticeOf(query: URLSearchParams): Notice | undefined {
  if (query.has('link_error')) return { key: 'accountLinkFailed' };
  const status = query.get('kc_action_status');
  if (status === 'success') return { key: 'accountSaved', isHint: true };
  if (status === 'cancelled') return { key: 'accountNothingSaved', isHint: true };
  if (status !== null) return { key: 'accountActionFailed' };
  const key = query.get('notice') ?? '';
  return notices.has(key) ? { key: key as MessageKey, isHint: true } : undefined;
}

/** Parameters that a login leaves at the address of a page. */
const leftByLogin = ['code', 'state', 'session_state', 'iss'];

/** Answers requests of browsers for the pages of their accounts. */
export function accountPageAnswer(services: Services) {
  return async (visit: Visit, message: IncomingMessage, form: URLSearchParams | undefined): Promise<Answer> => {
    const { realm, query, browser, frame } = visit;
    const path = /\/realms\/[^/]+\/account(?:\/([^/]*))?/.exec(message.url?.split('?')[0] ?? '')?.[1] ?? '';
    const page = accountPages.find((one) => one.path === path);
    if (!page) throw new PageRefusal(404, 'accountPageNotFound');
    const session = await sessionOfBrowser(services, realm, browser.identity);
    const isBack = query.has('code') || query.has('error');
    const hasJoined = session !== undefined && (await isJoined(services, session));
    if (!session || (!hasJoined && isBack)) {
      return kept(signedOutPage(frame, loginAddress(visit, path), query.has('error')));
    }
    // the session may have begun for another client: this one joins it, as the realm wants that
    if (!hasJoined) return redirect(loginAddress(visit, path));
    if (query.has('code')) return redirect(withoutLogin(visit, page, query));
    const at = await visited(services, visit, message, { page, session, notice: noticeOf(query) });
    if (!isShown(at, page)) return elsewhere(at, page);
    return form ? takeForm(at, page, message, form) : shellPage(at, page);
  };
}

/** Whether the client of these pages takes part in the session. */
async function isJoined({ database }: Services, { sid }: BrowserSession): Promise<boolean> {
  const where = { session: { sid, offline: false }, client: { clientId: accountClient } };
  return (await database.read.clientSession.count({ where })) > 0;
}

/** The address of a page without what a login has left there. */
function withoutLogin(visit: Visit, { path }: AccountPage, query: URLSearchParams): string {
  const rest = new URLSearchParams([...query].filter(([name]) => !leftByLogin.includes(name))).toString();
  return `${pagePath(visit, path)}${rest && `?${rest}`}`;
}

async function visited(
  services: Services,
  visit: Visit,
  message: IncomingMessage,
  { page, session, notice }: { page: AccountPage; session: BrowserSession; notice: Notice | undefined },
): Promise<Visited> {
  const { realm } = visit;
  const { sid, userId, username } = session;
  const caller = {
    userId,
    username,
    realmId: realm.id,
    realmName: realm.name,
    clientId: accountClient,
    tokenRoles: {},
    realmRoles: [],
    sessionId: sid,
  };
  const ctx = contextOf(services, message, caller);
  try {
    const account = await accountOf(ctx, realm, { userId, sid });
    return { visit, ctx, account, session, page: page.path, notice };
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'notFound') throw new PageRefusal(404, 'accountUnavailable');
    throw error;
  }
}

/** The first page that a user may see, in place of the first of all. Refuses others that are not shown. */
function elsewhere(at: Visited, page: AccountPage): Answer {
  const first = accountPages.find((one) => isShown(at, one));
  if (page.path !== '') throw new PageRefusal(403, 'accountForbidden');
  if (!first) return bare(at);
  return redirect(pagePath(at.visit, first.path));
}

/** Refuses forms of other pages: they do not know the session, and browsers tell where a form comes from. */
function requireOwnForm({ visit, session }: Visited, { headers }: IncomingMessage, form: URLSearchParams): void {
  const given = Buffer.from(form.get('checker') ?? '');
  const expected = Buffer.from(session.checker);
  const isProven = given.length === expected.length && expected.length > 0 && timingSafeEqual(given, expected);
  const { origin, 'sec-fetch-site': site } = headers;
  // pages that tell nobody where they are send "null"
  const isForeign = origin !== undefined && origin !== 'null' && origin !== new URL(visit.browser.baseUrl).origin;
  if (!isProven || isForeign || (site !== undefined && site !== 'same-origin')) {
    throw new PageRefusal(403, 'accountForeignForm');
  }
}

const isSensitive = ({ isSensitive: asked = false }: AccountForm, at: Visited, form: URLSearchParams): boolean =>
  typeof asked === 'function' ? asked(at, form) : asked;

async function takeForm(
  at: Visited,
  page: AccountPage,
  message: IncomingMessage,
  form: URLSearchParams,
): Promise<Answer> {
  requireOwnForm(at, message, form);
  const { visit, ctx, session } = at;
  const name = form.get('form') ?? '';
  const taken = Object.hasOwn(page.forms, name) ? page.forms[name] : undefined;
  if (!taken) throw new PageRefusal(400, 'accountActionFailed');
  if (isSensitive(taken, at, form)) {
    if (isImpersonated(at.account)) throw new PageRefusal(403, 'accountImpersonated');
    if (session.authTime + oldestForChanges <= ctx.services.now() / 1000) {
      return { ...redirect(provingAddress(visit, page.path)), status: 303 };
    }
  }
  const done = await taken
    .take(at, form)
    .catch((error: unknown) => ({ kind: 'refused' as const, notice: refusalNotice(error) }));
  if (done.kind === 'refused') {
    const answer = await shellPage({ ...at, notice: done.notice, typed: form }, page);
    return { ...answer, status: 400 };
  }
  const to = done.kind === 'goTo' ? done.to : `${pagePath(visit, page.path)}?notice=${done.notice}`;
  return { ...redirect(to), status: 303 };
}

/** The notice for a refused form. Rethrows other errors, and refusals of the whole page. */
function refusalNotice(error: unknown): Notice {
  if (!(error instanceof Refusal)) throw error;
  if (error.kind === 'forbidden') throw new PageRefusal(403, 'accountForbidden');
  if (error.kind === 'notFound') return { key: 'accountGone' };
  return { key: error.details.code === 'IN_USE' ? 'accountLastWay' : 'accountActionFailed' };
}
