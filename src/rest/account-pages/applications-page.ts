import { type Application, listApplications } from '../../services/account/applications.js';
import { ownConsentTo, revokeOwnConsent } from '../../services/account/consents.js';
import { perform, performWrite } from '../../services/core/perform.js';
import { html, type Markup } from '../../services/login/pages/html.js';
import { loginRequests } from './login-requests.js';
import { accountForm, badge, entries, entry, isWebAddress, namedButton } from './parts.js';
import { type AccountForm, mayPerform, timeText, type Visited } from './visited.js';

/** The page with the clients of the user and their consents. */
export async function applicationsPage(at: Visited): Promise<Markup> {
  const { visit, ctx, account } = at;
  const { say } = visit.frame.texts;
  const found = await perform(ctx, listApplications, async () => account, {});
  const changes = mayPerform(at, revokeOwnConsent);
  return html`${await loginRequests(at)}<p>${say('applicationsText')}</p>${entries(
    found.map((one) => applicationEntry(at, one, changes)),
    say('applicationsNone'),
  )}`;
}

function applicationEntry(at: Visited, application: Application, changes: boolean): Markup {
  const { say, resolve } = at.visit.frame.texts;
  const { clientId, clientName, description, effectiveUrl, inUse, offlineAccess, consent } = application;
  const name = resolve(clientName ?? clientId);
  const title =
    effectiveUrl !== undefined && isWebAddress(effectiveUrl)
      ? html`<a href="${effectiveUrl}" rel="noreferrer">${name}</a>`
      : html`${name}`;
  const granted =
    consent !== undefined &&
    html`<span class="quiet">${say('applicationMayUse')} ${consent.grantedScopes.map(({ displayTest }) => displayTest).join(', ')}</span><span class="quiet">${say('applicationConsentSince', timeText(at, consent.lastUpdatedDate))}</span>`;
  const revoke =
    changes &&
    (consent !== undefined || offlineAccess) &&
    accountForm(at, 'revoke', { client: clientId }, namedButton(say('revokeAccess'), name));
  return entry(
    html`<strong>${title}</strong>${inUse && badge(say('applicationInUse'))}${offlineAccess && badge(say('applicationOffline'))}${
      description !== undefined && html`<span class="quiet">${resolve(description)}</span>`
    }${granted}`,
    revoke,
  );
}

export const revokeForm: AccountForm = {
  async take({ ctx, account }, form) {
    await performWrite(ctx, revokeOwnConsent, (now) => ownConsentTo(now, account, form.get('client') ?? ''));
    return { kind: 'saved', notice: 'accountRemoved' };
  },
};
