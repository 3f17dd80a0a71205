import { hasRole } from '../../services/account/account.js';
import { clientNames } from '../../services/clients/store.js';
import { html, type Markup } from '../../services/login/pages/html.js';
import { answerRequest, type OpenRequest, openRequests } from '../../services/tokens/backchannel-requests.js';
import { accountForm, entries, entry, namedButton, section } from './parts.js';
import { type AccountForm, timeText, type Visited } from './visited.js';

/** The requests of clients to log the user in (OpenID Connect CIBA), to be answered; nothing if there are none. */
export async function loginRequests(at: Visited): Promise<Markup | false> {
  const { ctx, account, visit } = at;
  if (!mayAnswer(at)) return false;
  const found = await openRequests(ctx.services, account.realm.id, account.user.id);
  if (found.length === 0) return false;
  const { say, resolve } = visit.frame.texts;
  const names = await clientNames(
    ctx.db,
    found.map(({ request }) => request.clientId),
  );
  return section(
    say('loginRequests'),
    html`<p>${say('loginRequestsText')}</p>`,
    entries(
      found.map((one) => requestEntry(at, one, resolve(names.get(one.request.clientId) ?? ''))),
      '',
    ),
  );
}

function requestEntry(at: Visited, { id, request, expiresAt }: OpenRequest, name: string): Markup {
  const { say } = at.visit.frame.texts;
  const button = (answer: 'allow' | 'deny') =>
    accountForm(
      at,
      'answerLogin',
      { request: id, answer },
      namedButton(say(`${answer}Login`), name, answer === 'deny'),
    );
  const { message } = request;
  return entry(
    html`<strong>${name}</strong>${message !== undefined && html`<span>${say('loginRequestMessage', message)}</span>`}<span class="quiet">${say('loginRequestEnds', timeText(at, expiresAt * 1000))}</span>`,
    button('allow'),
    button('deny'),
  );
}

/** Whether the user may answer requests, which gives clients access to the account. */
const mayAnswer = ({ account }: Visited): boolean => hasRole(account, ['manage-account', 'manage-consent']);

export const answerLoginForm: AccountForm = {
  // who finds a browser open must not log somebody in
  isSensitive: true,
  async take(at, form) {
    const { ctx, account } = at;
    const open = mayAnswer(at) ? await openRequests(ctx.services, account.realm.id, account.user.id) : [];
    const request = open.find(({ id }) => id === form.get('request'));
    const given = { isApproved: form.get('answer') === 'allow', ipAddress: ctx.ipAddress };
    const isAnswered = request && (await answerRequest(ctx.services, account.realm, request, given));
    return isAnswered ? { kind: 'saved', notice: 'accountSaved' } : { kind: 'refused', notice: { key: 'accountGone' } };
  },
};
