import { endSession, endSessions, listSessions, type SessionOnDevice } from '../../services/account/sessions.js';
import { perform, performWrite } from '../../services/core/perform.js';
import { html, type Markup } from '../../services/login/pages/html.js';
import { accountForm, badge, entries, entry, namedButton } from './parts.js';
import { type AccountForm, mayPerform, timeText, type Visited } from './visited.js';

/** Where the user is logged in. */
export async function sessionsPage(at: Visited): Promise<Markup> {
  const { visit, ctx, account } = at;
  const { say } = visit.frame.texts;
  const found = await perform(ctx, listSessions, async () => account);
  const changes = mayPerform(at, endSession);
  const hasOthers = found.some(({ session }) => !session.current);
  const others =
    changes &&
    hasOthers &&
    accountForm(at, 'endOthers', {}, html`<button type="submit">${say('endOtherSessions')}</button>`);
  return html`<p>${say('deviceActivityText')}</p>${entries(
    found.map((one) => sessionEntry(at, one, changes)),
    '',
  )}${others}`;
}

function sessionEntry(at: Visited, { session, device }: SessionOnDevice, changes: boolean): Markup {
  const { say, resolve } = at.visit.frame.texts;
  const isKnown = device.os !== 'Other' || !device.browser.startsWith('Other');
  const name = isKnown
    ? say(
        'sessionBrowser',
        device.browser.replace('/', ' '),
        `${device.os} ${device.osVersion.replace('Unknown', '')}`.trim(),
      )
    : say('sessionUnknownDevice');
  const clients = session.clients.map(({ clientId, clientName }) => resolve(clientName ?? clientId)).join(', ');
  const facts = [
    say('sessionAddress', session.ipAddress),
    say('sessionStarted', timeText(at, session.started * 1000)),
    say('sessionUsed', timeText(at, session.lastAccess * 1000)),
    say('sessionExpires', timeText(at, session.expires * 1000)),
    ...(clients === '' ? [] : [say('sessionClients', clients)]),
  ];
  const end =
    changes &&
    !session.current &&
    accountForm(at, 'end', { session: session.id }, namedButton(say('endSession'), `${name}, ${session.ipAddress}`));
  return entry(
    html`<strong>${name}</strong>${session.current && badge(say('currentSession'))}${facts.map((fact) => html`<span class="quiet">${fact}</span>`)}`,
    end,
  );
}

export const endForm: AccountForm = {
  async take({ ctx, account }, form) {
    const sid = form.get('session') ?? '';
    await performWrite(ctx, endSession, async () => ({ ...account, session: { sid } }));
    return { kind: 'saved', notice: 'accountSessionsEnded' };
  },
};

export const endOthersForm: AccountForm = {
  async take({ ctx, account }) {
    await performWrite(ctx, endSessions, async () => account, { current: false });
    return { kind: 'saved', notice: 'accountSessionsEnded' };
  },
};
