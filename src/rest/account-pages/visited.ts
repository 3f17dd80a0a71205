import type { Account } from '../../services/account/account.js';
import { hasRole } from '../../services/account/account.js';
import { accountRolesFor } from '../../services/account/operation.js';
import type { Context } from '../../services/core/context.js';
import type { Operation } from '../../services/core/operation.js';
import type { BrowserSession } from '../../services/login/identity.js';
import type { MessageKey } from '../../services/login/messages-en.js';
import { withQuery } from '../../services/login/redirect-uri.js';
import { hashed, secretText } from '../../services/login/state.js';
import type { Notice } from '../../services/login/texts.js';
import type { Visit } from '../login/replies.js';

/** A request for an account page by a browser with a session. */
export interface Visited {
  visit: Visit;
  ctx: Context;
  account: Account;
  session: BrowserSession;
  /** path of the page below `/account`, e.g. `sessions`; empty for the first page */
  page: string;
  notice: Notice | undefined;
  /** what was typed, if it was refused */
  typed?: URLSearchParams;
}

/** The result of a form: a notice on the page that follows, a refusal on the page of the form, or another address. */
type Done = { kind: 'saved'; notice: MessageKey } | { kind: 'refused'; notice: Notice } | { kind: 'goTo'; to: string };

/** A form of an account page. */
export interface AccountForm {
  /** whether users have to prove who they are shortly before */
  isSensitive?: boolean | ((at: Visited, form: URLSearchParams) => boolean);
  take(at: Visited, form: URLSearchParams): Promise<Done>;
}

/** Whether the user may perform an operation. */
export const mayPerform = ({ account }: Visited, { name }: Pick<Operation, 'name'>): boolean =>
  hasRole(account, accountRolesFor(name) ?? []);

/** The address of an account page, as the browser sees it, without the host. */
export const pagePath = ({ cookies }: Pick<Visit, 'cookies'>, page: string): string =>
  `${cookies.paths[0]}/account/${page === '' ? '' : encodeURIComponent(page)}`;

/** The whole address of an account page, to which logins and links come back. */
export const returnAddress = ({ realm, browser }: Visit, page: string): string =>
  `${browser.baseUrl}/realms/${encodeURIComponent(realm.name)}/account/${page}`;

/** Where the browser logs in and comes back to a page. `more` are parameters of the request, such as `kc_action`. */
export function loginAddress(
  visit: Visit,
  page: string,
  more: Record<string, string> = {},
  query: Record<string, string> = {},
): string {
  return withQuery(`${visit.cookies.paths[0]}/protocol/openid-connect/auth`, {
    client_id: 'account',
    response_type: 'code',
    scope: 'openid',
    redirect_uri: withQuery(returnAddress(visit, page), query),
    // client policies can require these: nobody redeems the code
    nonce: secretText(),
    code_challenge: hashed(secretText()),
    code_challenge_method: 'S256',
    ...more,
  });
}

/** Where the user logs in anew and comes back to a page, to prove who it is. */
export const provingAddress = (visit: Visit, page: string): string =>
  loginAddress(visit, page, { prompt: 'login' }, { notice: 'accountConfirmAgain' });

/** A time as readers see it, in UTC: the server does not know where they are. */
export const timeText = ({ visit }: Visited, milliseconds: number): string =>
  `${new Date(milliseconds).toLocaleString(visit.frame.texts.locale.replace('_', '-'), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })} UTC`;
