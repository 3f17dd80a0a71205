import type { Answer } from '../../http/answer.js';
import { hasRole } from '../../services/account/account.js';
import { html, Markup } from '../../services/login/pages/html.js';
import { said } from '../../services/login/pages/parts.js';
import { page } from '../login/layout.js';
import { logoutPath } from '../login/replies.js';
import { type AccountPage, accountPages } from './pages.js';
import { pagePath, type Visited } from './visited.js';

/** Whether a page is in the menu of a user. */
export const isShown = (at: Visited, { roles, isOffered }: AccountPage): boolean =>
  hasRole(at.account, roles) && isOffered?.(at) !== false;

/** Keeps a page of the account out of caches, and out of frames of other sites whatever the realm allows. */
export function kept(answer: Answer): Answer {
  const policy = answer.headers?.['content-security-policy'];
  return {
    ...answer,
    headers: {
      ...answer.headers,
      'cache-control': 'no-store',
      'x-frame-options': 'SAMEORIGIN',
      ...(policy !== undefined && { 'content-security-policy': `${policy}, frame-ancestors 'self'` }),
    },
  };
}

/** The way out of the session. */
function logoutForm({ visit, session }: Visited): Markup {
  const action = visit.cookies.paths[0] + logoutPath;
  return html`<form method="post" action="${action}"><input type="hidden" name="checker" value="${session.checker}"><button type="submit" class="plain">${visit.frame.texts.say('doLogout')}</button></form>`;
}

const signedInText = ({ visit, account }: Visited): Markup =>
  html`<p class="quiet">${visit.frame.texts.say('accountSignedIn', account.user.username)}</p>`;

/** The page of users who may see none of the others: who is signed in, with the way out. */
export function bare(at: Visited): Answer {
  const { frame } = at.visit;
  return kept(page(frame, frame.texts.say('accountTitle'), html`${signedInText(at)}${logoutForm(at)}`));
}

/** A page of the account with its menu. */
export async function shellPage(at: Visited, shown: AccountPage): Promise<Answer> {
  const { visit, notice } = at;
  const { say } = visit.frame.texts;
  const path = pagePath(visit, shown.path);
  const frame = { ...visit.frame, inLanguage: (locale: string) => `${path}?kc_locale=${locale}` };
  const items = accountPages
    .filter((one) => isShown(at, one))
    .map(
      (one) =>
        html`<li><a href="${pagePath(visit, one.path)}"${one === shown && new Markup(' aria-current="page"')}>${say(one.title)}</a></li>`,
    );
  const parts = { frame, action: '', turn: () => '', toProvider: () => '', mayCancel: false, notice };
  const menu = html`<div class="menu"><nav aria-label="${say('accountMenu')}"><ul>${items}</ul></nav>${signedInText(at)}${logoutForm(at)}</div>`;
  const body = html`<div class="account">${menu}<div class="part">${said(parts)}${await shown.view(at)}</div></div>`;
  return kept(page(frame, say(shown.title), body, 200, { isWide: true }));
}
