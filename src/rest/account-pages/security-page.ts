import {
  type CredentialContainer,
  factorRequired,
  labelOwnCredential,
  listOwnCredentials,
  ownCredential,
  removeOwnCredential,
} from '../../services/account/credentials.js';
import { perform, performWrite } from '../../services/core/perform.js';
import { Refusal } from '../../services/core/refusal.js';
import { html, type Markup } from '../../services/login/pages/html.js';
import { accountForm, entries, entry, namedButton, namedLink, section } from './parts.js';
import { type AccountForm, loginAddress, mayPerform, provingAddress, timeText, type Visited } from './visited.js';

/** How the user logs in. */
export async function securityPage(at: Visited): Promise<Markup> {
  const { visit, ctx, account } = at;
  const { say } = visit.frame.texts;
  const containers = await perform(ctx, listOwnCredentials, async () => account, {});
  const changes = mayPerform(at, removeOwnCredential);
  return html`<p>${say('signingInText')}</p>${containers.map((container) => containerSection(at, container, changes))}`;
}

function containerSection(at: Visited, container: CredentialContainer, changes: boolean): Markup {
  const { visit } = at;
  const { say, resolve } = visit.frame.texts;
  const { type, createAction, updateAction, removeable, userCredentials = [] } = container;
  const title = resolve(`\${${container.displayName}}`);
  const action = updateAction ?? createAction;
  const way =
    changes &&
    action !== undefined &&
    namedLink(loginAddress(visit, at.page, { kc_action: action }), say(updateAction ? 'doChange' : 'doAdd'), title);
  const list = userCredentials.map(({ id, userLabel, createdDate }) => {
    const name = userLabel || `${title} (${say('credentialUnnamed')})`;
    const when =
      createdDate !== undefined &&
      html`<span class="quiet">${say(type === 'password' ? 'passwordChanged' : 'credentialCreated', timeText(at, createdDate))}</span>`;
    const label = `label-${id}`;
    const rename =
      changes &&
      removeable &&
      accountForm(
        at,
        'label',
        { credential: id },
        html`<label for="${label}" class="unseen">${say('credentialNameOf', name)}</label><input id="${label}" name="label" value="${userLabel ?? ''}" maxlength="255" autocomplete="off">`,
        namedButton(say('doSave'), name),
      );
    const remove =
      changes && removeable && accountForm(at, 'remove', { credential: id }, namedButton(say('doRemove'), name));
    return entry(html`<strong>${removeable ? name : title}</strong>${when}`, rename, remove);
  });
  const help = html`<p class="quiet">${resolve(`\${${container.helptext}}`)}</p>`;
  return section(title, help, entries(list, say('credentialsNone')), way && html`<p>${way}</p>`);
}

const credentialOf = (form: URLSearchParams): string => form.get('credential') ?? '';

export const removeForm: AccountForm = {
  isSensitive: true,
  async take({ visit, page, ctx, account }, form) {
    try {
      await performWrite(ctx, removeOwnCredential, (now) => ownCredential(now, account, credentialOf(form)));
    } catch (error) {
      if (!(error instanceof Refusal) || error.details.event !== factorRequired) throw error;
      return { kind: 'goTo', to: provingAddress(visit, page) };
    }
    return { kind: 'saved', notice: 'accountRemoved' };
  },
};

export const labelForm: AccountForm = {
  async take({ ctx, account }, form) {
    const label = (form.get('label') ?? '').slice(0, 255);
    await performWrite(ctx, labelOwnCredential, (now) => ownCredential(now, account, credentialOf(form)), label);
    return { kind: 'saved', notice: 'accountSaved' };
  },
};
