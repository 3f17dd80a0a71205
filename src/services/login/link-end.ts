import { inTransaction } from '../core/unit-of-work.js';
import type { ActionToken } from '../mail/action-token.js';
import type { Attempt, Page, Reply } from './attempt.js';
import { rootOf } from './redirect-uri.js';
import { PageRefusal } from './refusals.js';
import { dropState } from './state.js';

/** What the link of a mail is for, with the button that does it. */
export const linkPage = ({ type, email, actions }: ActionToken): Page => ({ name: 'followLink', type, email, actions });

/** Ends what the link of a mail has begun: nobody is logged in by it. */
export async function endOfLink(attempt: Attempt): Promise<Reply> {
  const { services, kept, client, browser } = attempt;
  const { link } = kept.state;
  if (!(await inTransaction(services.database, (tx) => dropState(tx, kept))))
    throw new PageRefusal(400, 'loginExpired');
  const home = client.baseUrl ? new URL(client.baseUrl, `${rootOf(client, browser.baseUrl)}/`).href : undefined;
  const message = link?.token.type === 'verify-email' ? 'emailVerifiedMessage' : 'accountUpdatedMessage';
  const page: Page = { name: 'info', message, back: link?.token.redirectUri ?? home };
  return { kind: 'page', page, notice: undefined, attempt };
}
