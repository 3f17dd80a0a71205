import { type Answer, unavailable } from '../../http/answer.js';
import { plainTexts } from '../../services/login/texts.js';
import type { Frame } from './layout.js';
import { errorPage } from './pages.js';

/** The frame of pages that belong to no realm, or to one that is not read yet. */
export const frameWithoutRealm = (isSecure: boolean): Frame => ({
  texts: plainTexts(),
  realmTitle: 'Realmgate',
  appearance: {},
  securityHeaders: {},
  isSecure,
});

/** The page for a browser whose request failed on the server. The browser can send it again. `reference` is the ID of the request. */
export function failurePage(status: number, reference: string): Answer {
  const frame = frameWithoutRealm(false);
  const key = status === unavailable.status ? 'serverBusyMessage' : 'serverFailedMessage';
  return errorPage(frame, { status, text: frame.texts.say(key), reference, account: undefined });
}
