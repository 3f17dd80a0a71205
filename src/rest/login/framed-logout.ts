import type { Answer } from '../../http/answer.js';
import { html } from '../../services/login/pages/html.js';
import { type Frame, page } from './layout.js';

/**
 * Confirms a logout while the browser loads the logout addresses of clients in frames (OpenID Connect Front-Channel Logout 1.0
 * section 3). A frame can neither leave the page nor open others. `to` is where the browser goes on by itself.
 */
export function framedLogoutPage(frame: Frame, addresses: readonly string[], to: string | undefined): Answer {
  const { say } = frame.texts;
  const frames = addresses.map(
    (address) =>
      html`<iframe src="${address}" title="${new URL(address).host}" sandbox="allow-scripts allow-same-origin" hidden></iframe>`,
  );
  const next =
    to === undefined
      ? html`<p>${say('loggedOutText')}</p>`
      : html`<p>${say('continueToApplication')}</p><div class="buttons"><a class="button" id="next" href="${to}">${say('doContinue')}</a></div>`;
  const origins = [...new Set(addresses.map((address) => new URL(address).origin))];
  const options = { frames: origins, ...(to !== undefined && ({ script: 'next' } as const)) };
  return page(frame, say('loggedOutTitle'), html`${next}${frames}`, 200, options);
}
