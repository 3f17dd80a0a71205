import {
  beginOwnLink,
  type LinkedAccount,
  listLinkedAccounts,
  removeOwnLink,
} from '../../services/account/linked-accounts.js';
import { perform, performWrite } from '../../services/core/perform.js';
import { html, type Markup } from '../../services/login/pages/html.js';
import { accountForm, badge, entries, entry, namedButton } from './parts.js';
import { type AccountForm, mayPerform, returnAddress, type Visited } from './visited.js';

/** The accounts of the user at identity providers. */
export async function linksPage(at: Visited): Promise<Markup> {
  const { visit, ctx, account } = at;
  const { say } = visit.frame.texts;
  const found = await perform(ctx, listLinkedAccounts, async () => account);
  const changes = mayPerform(at, removeOwnLink);
  return html`<p>${say('linkedAccountsText')}</p>${entries(
    found.map((one) => linkEntry(at, one, changes)),
    say('linkedNone'),
  )}`;
}

function linkEntry(at: Visited, linked: LinkedAccount, changes: boolean): Markup {
  const { say } = at.visit.frame.texts;
  const { providerAlias: provider, displayName, connected, linkedUsername } = linked;
  const state = connected
    ? linkedUsername === undefined
      ? say('linkedState')
      : say('linkedAs', linkedUsername)
    : say('notLinked');
  const way = connected
    ? accountForm(at, 'unlink', { provider }, namedButton(say('doUnlink'), displayName))
    : accountForm(at, 'link', { provider }, namedButton(say('doLink'), displayName));
  return entry(html`<strong>${displayName}</strong>${badge(state)}`, changes && way);
}

const targetOf = ({ account }: Visited, form: URLSearchParams) => ({
  ...account,
  provider: form.get('provider') ?? '',
});

export const linkForm: AccountForm = {
  isSensitive: true,
  async take(at, form) {
    const { visit, ctx } = at;
    const redirectUri = returnAddress(visit, at.page);
    const { accountLinkUri } = await perform(ctx, beginOwnLink, async () => targetOf(at, form), { redirectUri });
    return { kind: 'goTo', to: accountLinkUri };
  },
};

export const unlinkForm: AccountForm = {
  isSensitive: true,
  async take(at, form) {
    await performWrite(at.ctx, removeOwnLink, async () => targetOf(at, form));
    return { kind: 'saved', notice: 'accountRemoved' };
  },
};
