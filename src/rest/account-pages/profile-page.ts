import { deleteAccount } from '../../services/account/deletion.js';
import { getProfile, updateProfile } from '../../services/account/profile.js';
import { editsUsername, faultOfProfile } from '../../services/account/profile-faults.js';
import { ownMember } from '../../services/core/json.js';
import { perform, performWrite } from '../../services/core/perform.js';
import { isOn } from '../../services/core/realm.js';
import { Refusal } from '../../services/core/refusal.js';
import type { MessageKey } from '../../services/login/messages-en.js';
import { html, type Markup } from '../../services/login/pages/html.js';
import { button, buttons, input } from '../../services/login/pages/parts.js';
import { profileOf } from '../../services/login/profile-fields.js';
import { accountForm, badge, namedLink, section } from './parts.js';
import { type AccountForm, loginAddress, mayPerform, type Visited } from './visited.js';

/** Who the user is. */
export async function profilePage(at: Visited): Promise<Markup> {
  const { visit, ctx, account, typed, notice } = at;
  const { say } = visit.frame.texts;
  const profile = await perform(ctx, getProfile, async () => account);
  const shown = { frame: visit.frame, action: '', turn: () => '', toProvider: () => '', mayCancel: false, notice };
  const value = (name: 'username' | 'email' | 'firstName' | 'lastName') => typed?.get(name) ?? profile[name] ?? '';
  const changes = mayPerform(at, updateProfile);
  const field = (name: 'username' | 'email' | 'firstName' | 'lastName', autocomplete: string, type = 'text') =>
    input(shown, { name, label: say(name), value: value(name), autocomplete, type });
  const state = badge(say(profile.emailVerified ? 'emailVerifiedState' : 'emailUnverifiedState'));
  const facts = (names: readonly ('username' | 'email' | 'firstName' | 'lastName')[]) =>
    html`<dl>${names.map((name) => html`<dt>${say(name)}</dt><dd>${profile[name] ?? ''}</dd>`)}</dl>`;
  const ownsName = changes && editsUsername(account.realm);
  const form = changes
    ? accountForm(
        at,
        'profile',
        {},
        ownsName ? field('username', 'username') : facts(['username']),
        field('email', 'email', 'email'),
        html`<p class="quiet">${state} ${say('emailChangeText')}</p>`,
        field('firstName', 'given-name'),
        field('lastName', 'family-name'),
        buttons(button(say('doSave'))),
      )
    : html`${facts(['username', 'email', 'firstName', 'lastName'])}<p class="quiet">${state}</p>`;
  return html`<p>${say('personalInfoText')}</p>${form}${await deletion(at)}`;
}

/** The way to the deletion of the account, where the realm offers that. */
async function deletion(at: Visited): Promise<Markup | false> {
  const { visit, ctx } = at;
  const { say } = visit.frame.texts;
  if (!mayPerform(at, deleteAccount)) return false;
  const where = { realmId: visit.realm.id, alias: 'delete_account', enabled: true };
  if ((await ctx.db.requiredAction.count({ where })) === 0) return false;
  const to = loginAddress(visit, at.page, { kc_action: 'delete_account' });
  return section(say('deleteAccountSection'), html`<p>${namedLink(to, say('doDelete'), say('accountTitle'))}</p>`);
}

/** The texts of pages for the keys of the contract. */
const noticeKeys: Readonly<Record<string, MessageKey>> = {
  'error-invalid-email': 'invalidEmailMessage',
  'error-username-invalid-character': 'invalidUsernameMessage',
  'error-invalid-length-too-long': 'tooLongMessage',
  missingUsernameMessage: 'missingUsernameMessage',
  missingEmailMessage: 'missingEmailMessage',
  missingFirstNameMessage: 'missingFirstNameMessage',
  missingLastNameMessage: 'missingLastNameMessage',
  usernameExistsMessage: 'usernameExistsMessage',
  emailExistsMessage: 'usernameExistsMessage',
};

const movesAddress = ({ account }: Visited, form: URLSearchParams): boolean =>
  profileOf(form).email.toLowerCase() !== (account.user.email ?? '');

export const profileForm: AccountForm = {
  isSensitive: movesAddress,
  async take(at, form) {
    const { visit, ctx, account, page } = at;
    const { username, ...profile } = profileOf(form);
    const input = { ...profile, ...(editsUsername(account.realm) && { username }) };
    const isNew = movesAddress(at, form);
    try {
      await performWrite(ctx, updateProfile, async () => account, input);
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'forbidden') throw error;
      const fault = faultOfProfile(error);
      const key = ownMember(noticeKeys, fault?.key ?? '') ?? 'storageRefusedMessage';
      return { kind: 'refused', notice: { key, ...(fault && { field: fault.field }) } };
    }
    // the login asks for the confirmation of the new address
    if (isNew && isOn(account.realm, 'verifyEmail')) {
      return { kind: 'goTo', to: loginAddress(visit, page, {}, { notice: 'accountSaved' }) };
    }
    return { kind: 'saved', notice: 'accountSaved' };
  },
};
