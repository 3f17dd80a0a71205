import type { Page } from '../attempt.js';
import { html, type Markup } from './html.js';
import { button, buttons, form, input, type Shown } from './parts.js';

/** The button by which a user takes another step of the flow. */
export const otherWay = ({ frame: { texts } }: Shown, { mayPassBy }: { mayPassBy: boolean }): Markup =>
  mayPassBy ? button(texts.say('tryAnotherWay'), 'other', true) : html``;

/** Asks for a one-time code. */
export function oneTimeCodeForm(shown: Shown, content: Extract<Page, { name: 'otp' }>): Markup {
  const { say } = shown.frame.texts;
  const field = { name: 'otp', label: say('loginOtpOneTime'), autocomplete: 'one-time-code', isCode: true };
  return form(
    shown,
    html`<p>${say('loginOtpHelp')}</p>`,
    input(shown, { ...field, hasFocus: true }),
    buttons(button(say('doLogIn')), otherWay(shown, content)),
  );
}

/** Asks for a recovery code. */
export function recoveryCodeForm(shown: Shown, content: Extract<Page, { name: 'recoveryCode' }>): Markup {
  const { say } = shown.frame.texts;
  const label = say('recoveryCodeNumber', String(content.number));
  return form(
    shown,
    html`<p>${say('recoveryCodeHelp')}</p>`,
    input(shown, { name: 'recoveryCodeInput', label, hasFocus: true }),
    buttons(button(say('doLogIn')), otherWay(shown, content)),
  );
}

/** Shows new recovery codes, which the user has to keep. */
export function newCodesForm(shown: Shown, { codes }: Extract<Page, { name: 'newCodes' }>, cancel: Markup): Markup {
  const { frame, notice } = shown;
  const { say } = frame.texts;
  const isWrong = notice?.field === 'saved';
  const items = codes.map((code) => html`<li><code>${code.replace(/(.{4})(?=.)/g, '$1-')}</code></li>`);
  return html`<p>${say('recoveryCodesText')}</p><ol class="codes">${items}</ol>${form(
    shown,
    html`<label class="check"><input type="checkbox" name="saved" value="on" required${isWrong && html` aria-invalid="true"`}>${say('recoveryCodesSaved')}</label>
`,
    buttons(button(say('doSubmit')), cancel),
  )}`;
}
