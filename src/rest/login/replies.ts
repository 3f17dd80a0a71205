import type { Answer } from '../../http/answer.js';
import type { ProviderAddress } from '../../services/brokering/provider-address.js';
import type { RealmRecord } from '../../services/core/realm.js';
import type { Attempt, Browser, Reply } from '../../services/login/attempt.js';
import type { LogoutReply } from '../../services/login/logout.js';
import type { Place } from '../../services/login/pages/parts.js';
import { outOfBand, withFragment, withoutFragment, withQuery } from '../../services/login/redirect-uri.js';
import type { AnswerAddress } from '../../services/login/request.js';
import { type CookieSite, identityCookies, loginCookie, noIdentityCookies } from './cookies.js';
import { framedLogoutPage } from './framed-logout.js';
import type { Frame } from './layout.js';
import { confirmLogoutPage, formPostPage, loggedOutPage, loginPage } from './pages.js';
import { oobPage } from './ways.js';

/** A request of a browser, with what its pages are made of. */
export interface Visit {
  realm: RealmRecord;
  query: URLSearchParams;
  browser: Browser;
  cookies: CookieSite;
  frame: Frame;
}

const actionsPath = '/login-actions';
/** Where the forms of a login go, below a realm. */
export const loginPath = `${actionsPath}/authenticate`;
/** Where a user confirms a logout, below a realm. */
export const logoutPath = `${actionsPath}/logout-confirm`;

/** An address of a login. */
export const addressIn = (
  { cookies }: Pick<Visit, 'cookies'>,
  { kept: { tab, state } }: Attempt,
  path: string,
  more: Record<string, string> = {},
): string => withQuery(cookies.paths[0] + path, { client_id: state.clientId, tab_id: tab, ...more });

/** The answer to a request of a login: a page, or where the browser goes. */
export async function replyAnswer(visit: Visit, reply: Reply): Promise<Answer> {
  const { frame, cookies } = visit;
  if (reply.kind === 'page') {
    const { browser, state } = reply.attempt.kept;
    const address = (more: Record<string, string>, path = loginPath) => addressIn(visit, reply.attempt, path, more);
    // what is done has no page to come back to
    const isOver = reply.page.name === 'info';
    const shown = {
      frame: isOver ? frame : { ...frame, inLanguage: (locale: string) => address({ kc_locale: locale }) },
      action: address({ session_code: state.code, ...chosenLanguage(visit) }),
      turn: (turn: Place) => address(chosenLanguage(visit), `${actionsPath}/${turn}`),
      toProvider: (alias: string) => address(chosenLanguage(visit), `/broker/${encodeURIComponent(alias)}/login`),
      mayCancel: reply.mayCancel === true,
      notice: reply.notice,
    };
    const identity = reply.identity ? identityCookies(cookies, reply.identity) : [];
    return { ...(await loginPage(shown, reply.page)), cookies: [...loginCookie(cookies, browser), ...identity] };
  }
  if (reply.kind === 'provider')
    return { ...toProvider(frame, reply.to), cookies: loginCookie(cookies, reply.browser) };
  const { to, parameters, identity } = reply;
  return { ...answerTo(frame, to, parameters), ...(identity && { cookies: identityCookies(cookies, identity) }) };
}

/** Sends the browser to a client with parameters. */
export function answerTo(frame: Frame, to: AnswerAddress, parameters: Record<string, string>): Answer {
  if (to.redirectUri === outOfBand) return oobPage(frame, parameters);
  if (to.responseMode === 'form_post') return formPostPage(frame, withoutFragment(to.redirectUri), parameters);
  const location =
    to.responseMode === 'fragment' ? withFragment(to.redirectUri, parameters) : withQuery(to.redirectUri, parameters);
  return redirect(location);
}

/** Sends the browser to an identity provider. */
const toProvider = (frame: Frame, { address, form }: ProviderAddress): Answer =>
  form ? formPostPage(frame, address, form) : redirect(address);

/** A client's `ui_locales` are for the whole login. */
const chosenLanguage = ({ query, frame }: Visit): Record<string, string> =>
  query.has('ui_locales') || query.has('kc_locale') ? { kc_locale: frame.texts.locale } : {};

/** Sends the browser elsewhere. */
export const redirect = (location: string): Answer => ({
  status: 302,
  headers: {
    // what a browser would send of it anyhow, and all that a header can hold
    location: location.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character)),
    'referrer-policy': 'no-referrer',
  },
});

/** The answer to a request of a logout. */
export function logoutAnswer({ frame, cookies }: Visit, reply: LogoutReply): Answer {
  if (reply.kind === 'confirm') {
    const path = `${cookies.paths[0]}${logoutPath}`;
    return confirmLogoutPage(frame, path, reply.hidden);
  }
  const ended = () => (reply.kind === 'redirect' ? redirect(reply.to) : loggedOutPage(frame));
  const answer = reply.kind === 'frames' ? framedLogoutPage(frame, reply.addresses, reply.to) : ended();
  return { ...answer, cookies: noIdentityCookies(cookies) };
}
