import type { Page } from '../attempt.js';
import { html, Markup } from './html.js';
import { keyButton, keyField } from './key-form.js';
import { button, buttons, form, input, type Shown } from './parts.js';

type LoginContent = Extract<Page, { name: 'login' }>;

/** Asks for the username, the password, or both. */
export function loginForm(shown: Shown, content: LoginContent): Markup {
  const { say } = shown.frame.texts;
  const { asksName, asksPassword, username, rememberMe, passkey } = content;
  const name = {
    name: 'username',
    label: say('usernameOrEmail'),
    value: username,
    autocomplete: passkey === undefined ? 'username' : 'username webauthn',
    hasFocus: username === '',
  };
  const password = {
    name: 'password',
    label: say('password'),
    type: 'password',
    autocomplete: 'current-password',
    hasFocus: username !== '' || !asksName,
  };
  const remember =
    rememberMe !== undefined &&
    html`<label class="check"><input type="checkbox" name="rememberMe"${rememberMe && new Markup(' checked')}>${say('rememberMe')}</label>`;
  return form(
    shown,
    asksName && input(shown, name),
    asksPassword && input(shown, password),
    remember,
    passkey !== undefined && keyField('autofill', passkey),
    buttons(button(say('doLogIn')), ...(passkey === undefined ? [] : [keyButton(say('passkeyDoAuthenticate'), true)])),
  );
}

/** The identity providers that users can log in with. */
export function providerLinks({ toProvider, frame: { texts } }: Shown, { providers = [] }: LoginContent): Markup {
  if (providers.length === 0) return html``;
  const links = providers.map(
    ({ alias, label }) => html`<li><a class="button plain" href="${toProvider(alias)}">${label}</a></li>`,
  );
  return html`<section class="providers" aria-labelledby="providers"><h2 id="providers">${texts.say('identityProviderLoginLabel')}</h2><ul>${links}</ul></section>`;
}

/** What else there is for those who cannot log in. */
export function waysOut({ turn, frame: { texts } }: Shown, { mayReset, mayRegister, asksName }: LoginContent): Markup {
  const { say } = texts;
  const links = [
    mayReset && html`<a href="${turn('reset-credentials')}">${say('doForgotPassword')}</a>`,
    mayRegister && html`<span>${say('noAccount')} <a href="${turn('registration')}">${say('doRegister')}</a></span>`,
    !asksName && html`<a href="${turn('restart')}">${say('backToLogin')}</a>`,
  ].filter((link) => link instanceof Markup);
  return links.length === 0 ? html`` : html`<p class="ways">${links}</p>`;
}
