import type { Answer } from '../../http/answer.js';
import type { Page } from '../../services/login/attempt.js';
import { html, type Markup } from '../../services/login/pages/html.js';
import { button, buttons, form, input, said } from '../../services/login/pages/parts.js';
import { type Frame, page, type Shown } from './layout.js';

/** The way back to the page where the login began. */
export const toLogin = ({ turn, frame: { texts } }: Shown): Markup =>
  html`<p class="ways"><a href="${turn('restart')}">${texts.say('backToLogin')}</a></p>`;

/** Asks who has forgotten the password. */
export function resetForm(shown: Shown, { username }: Extract<Page, { name: 'resetPassword' }>): Markup {
  const { say } = shown.frame.texts;
  const name = { name: 'username', label: say('usernameOrEmail'), value: username, autocomplete: 'username' };
  return form(
    shown,
    html`<p>${say('emailInstruction')}</p>`,
    input(shown, { ...name, hasFocus: true }),
    buttons(button(say('doSubmit'))),
  );
}

/** Asks new users who they are. */
export function registerForm(shown: Shown, content: Extract<Page, { name: 'register' }>): Markup {
  const { say } = shown.frame.texts;
  const { asksUsername, asksProfile, asksPassword, values } = content;
  const field = (name: string, label: string, autocomplete: string, type = 'text') =>
    input(shown, { name, label, autocomplete, type, value: values[name] ?? '' });
  const password = { type: 'password', autocomplete: 'new-password' };
  return form(
    shown,
    asksProfile && field('firstName', say('firstName'), 'given-name'),
    asksProfile && field('lastName', say('lastName'), 'family-name'),
    field('email', say('email'), 'email', 'email'),
    asksUsername && field('username', say('username'), 'username'),
    asksPassword && input(shown, { ...password, name: 'password', label: say('password') }),
    asksPassword && input(shown, { ...password, name: 'password-confirm', label: say('passwordConfirm') }),
    buttons(button(say('doRegister'))),
  );
}

/** Tells what the link of a mail is for, with the button that does it. */
export function followLinkPage(shown: Shown, { type, email, actions }: Extract<Page, { name: 'followLink' }>): Answer {
  const { frame } = shown;
  const { say } = frame.texts;
  const proceed = form(shown, buttons(button(say('proceedWithAction'), 'proceed')));
  switch (type) {
    case 'verify-email': {
      const text = say('confirmEmailAddressVerificationText', email);
      return page(frame, say('confirmEmailTitle'), html`${said(shown)}<p>${text}</p>${proceed}`);
    }
    case 'idp-verify-account-via-email':
      return page(
        frame,
        say('confirmLinkIdpTitle'),
        html`${said(shown)}<p>${say('confirmAccountLinkingText')}</p>${proceed}`,
      );
    case 'reset-credentials':
      return page(frame, say('confirmResetTitle'), html`${said(shown)}<p>${say('confirmResetText')}</p>${proceed}`);
    case 'execute-actions': {
      const names = actions.map((action) => html`<li>${frame.texts.resolve(`\${requiredAction_${action}}`)}</li>`);
      const text = html`<p>${say('confirmExecutionOfActionsText')}</p><ul>${names}</ul>`;
      return page(frame, say('confirmExecutionOfActionsTitle'), html`${said(shown)}${text}${proceed}`);
    }
  }
}

/** Whether a browser can be sent there without running what the address says. */
const isLink = (address: string): boolean =>
  URL.canParse(address) && !/^(javascript|data|vbscript|blob|file):/i.test(new URL(address).protocol);

/** Tells that something is done. */
export function infoPage(frame: Frame, { message, back }: Extract<Page, { name: 'info' }>): Answer {
  const { say } = frame.texts;
  const onward =
    back !== undefined && isLink(back)
      ? html`<div class="buttons"><a class="button" href="${back}">${say('backToApplication')}</a></div>`
      : html``;
  return page(frame, say('infoTitle'), html`<p role="status">${say(message)}</p>${onward}`);
}

/** Shows a client without an address of its own what it gets, for the user to copy. */
export function oobPage(frame: Frame, { code, error }: Record<string, string>): Answer {
  const { say } = frame.texts;
  return code === undefined
    ? page(frame, say('errorTitle'), html`<p class="notice" role="alert">${say('oobError', error ?? '')}</p>`, 400)
    : page(frame, say('oobTitle'), html`<p>${say('oobCode')}</p><p class="key"><span id="code">${code}</span></p>`);
}

/** Asks for the code that a device shows; of a wrong one it says so. */
export function devicePage(frame: Frame, action: string, code: string, isWrong: boolean): Answer {
  const { say } = frame.texts;
  const field = 'device_user_code';
  const notice = isWrong ? { key: 'oauth2DeviceInvalidUserCodeMessage' as const, field } : undefined;
  const shown: Shown = { frame, action, turn: () => action, toProvider: () => action, mayCancel: false, notice };
  const asked = input(shown, { name: field, label: say('verifyOAuth2DeviceUserCode'), value: code, hasFocus: true });
  return page(
    frame,
    say('oauth2DeviceVerificationTitle'),
    html`${said(shown)}${form(shown, asked, buttons(button(say('doSubmit'))))}`,
  );
}
