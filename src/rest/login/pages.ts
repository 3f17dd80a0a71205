import QRCode from 'qrcode';
import type { Answer } from '../../http/answer.js';
import type { Page } from '../../services/login/attempt.js';
import { newCodesForm, oneTimeCodeForm, otherWay, recoveryCodeForm } from '../../services/login/pages/codes.js';
import { html, Markup } from '../../services/login/pages/html.js';
import { keyForm } from '../../services/login/pages/key-form.js';
import { loginForm, providerLinks, waysOut } from '../../services/login/pages/login-form.js';
import { button, buttons, form, input, said } from '../../services/login/pages/parts.js';
import { type Frame, page, type Shown } from './layout.js';
import { followLinkPage, infoPage, registerForm, resetForm, toLogin } from './ways.js';

/** A page of a login. */
export async function loginPage(shown: Shown, content: Page): Promise<Answer> {
  const { frame } = shown;
  const { texts } = frame;
  const { say } = texts;
  switch (content.name) {
    case 'login': {
      const ways = html`${waysOut(shown, content)}${providerLinks(shown, content)}`;
      const body = html`${said(shown)}${loginForm(shown, content)}${ways}`;
      const options = content.passkey === undefined ? {} : ({ script: 'key' } as const);
      return page(frame, say('loginAccountTitle'), body, 200, options);
    }
    case 'linkConfirm': {
      const choice = buttons(
        button(say('confirmLinkIdpContinue', content.provider), 'linkAccount'),
        button(say('confirmLinkIdpReviewProfile'), 'updateProfile', true),
      );
      const text = html`<p>${say('confirmLinkIdpText', content.account, content.provider)}</p>`;
      return page(frame, say('confirmLinkIdpTitle'), html`${said(shown)}${form(shown, text, choice)}${toLogin(shown)}`);
    }
    case 'linkMail': {
      const choice = buttons(
        button(say('verifyEmailContinue'), 'continue'),
        button(say('doResend'), 'resend', true),
        button(say('linkByPasswordInstead'), 'other', true),
      );
      const text = html`<p>${say('emailLinkIdp', content.username, content.provider)}</p>`;
      const title = say('emailLinkIdpTitle', content.provider);
      return page(frame, title, html`${said(shown)}${form(shown, text, choice)}${toLogin(shown)}`);
    }
    case 'certificate': {
      const choice = buttons(
        button(say('certificateContinue', content.username), 'continue'),
        button(say('certificateOther'), 'other', true),
      );
      const text = html`<p>${say('certificateText', content.username)}</p><p class="quiet">${content.subject}</p>`;
      return page(frame, say('certificateTitle'), html`${said(shown)}${form(shown, text, choice)}`);
    }
    case 'resetPassword':
      return page(frame, say('emailForgotTitle'), html`${said(shown)}${resetForm(shown, content)}${toLogin(shown)}`);
    case 'register':
      return page(frame, say('registerTitle'), html`${said(shown)}${registerForm(shown, content)}${toLogin(shown)}`);
    case 'followLink':
      return followLinkPage(shown, content);
    case 'info':
      return infoPage(frame, content);
    case 'otp':
      return page(frame, say('otpTitle'), html`${said(shown)}${oneTimeCodeForm(shown, content)}`);
    case 'recoveryCode':
      return page(frame, say('recoveryCodeTitle'), html`${said(shown)}${recoveryCodeForm(shown, content)}`);
    case 'newCodes': {
      const body = newCodesForm(shown, content, cancel(shown));
      return page(frame, say('recoveryCodesTitle'), html`${said(shown)}${body}`);
    }
    case 'updatePassword':
      return page(
        frame,
        say('updatePasswordTitle'),
        html`${said(shown)}<p>${say('updatePasswordMessage')}</p>${passwordForm(shown, content)}`,
      );
    case 'updateProfile':
      return page(
        frame,
        say('updateProfileTitle'),
        html`${said(shown)}<p>${say('updateProfileMessage')}</p>${profileForm(shown, content)}`,
      );
    case 'configureTotp':
      return page(frame, say('loginTotpTitle'), html`${said(shown)}${await deviceForm(shown, content)}`);
    case 'registerKey': {
      const label = { name: 'userLabel', label: say('webauthnRegisterLabel'), isOptional: true };
      const text = say(content.isPasswordless ? 'webauthnRegisterTextPasswordless' : 'webauthnRegisterText');
      const body = keyForm(
        shown,
        { options: content.options, purpose: 'create', label: say('webauthnDoRegister') },
        html`<p>${text}</p>`,
        input(shown, label),
        cancel(shown),
      );
      return page(frame, say('webauthnRegisterTitle'), html`${said(shown)}${body}`, 200, { script: 'key' });
    }
    case 'useKey': {
      const body = keyForm(
        shown,
        { options: content.options, purpose: 'get', label: say('webauthnDoAuthenticate') },
        html`<p>${say('webauthnLoginText')}</p>`,
        html``,
        otherWay(shown, content),
      );
      return page(frame, say('webauthnLoginTitle'), html`${said(shown)}${body}${toLogin(shown)}`, 200, {
        script: 'key',
      });
    }
    case 'deleteAccount': {
      const choice = buttons(button(say('deleteAccountConfirm'), 'confirm'), cancel(shown));
      const text = html`<p>${say('deleteAccountText', content.username)}</p>`;
      return page(frame, say('deleteAccountTitle'), html`${said(shown)}${form(shown, text, choice)}`);
    }
    case 'terms': {
      const choice = buttons(button(say('doAccept'), 'accept'), button(say('doDecline'), 'cancel', true));
      return page(
        frame,
        say('termsTitle'),
        html`${said(shown)}${form(shown, html`<p>${say('termsText')}</p>`, choice)}`,
      );
    }
    case 'verifyEmail':
      return page(
        frame,
        say('verifyEmailTitle'),
        html`${said(shown)}<p>${say('verifyEmailText', content.email)}</p>${form(
          shown,
          buttons(button(say('verifyEmailContinue'), 'continue'), button(say('doResend'), 'resend', true)),
        )}`,
      );
    case 'consent': {
      const scopes = content.scopes.map((text) => html`<li>${texts.resolve(text)}</li>`);
      const choice = buttons(button(say('doYes'), 'accept'), button(say('doNo'), 'cancel', true));
      const documents = [
        [content.termsUri, say('clientTerms')],
        [content.policyUri, say('clientPolicy')],
      ].flatMap(([to, label]) =>
        to === undefined ? [] : [html`<li><a href="${to}" target="_blank" rel="noreferrer">${label}</a></li>`],
      );
      const body = form(
        shown,
        html`<p>${say('oauthGrantRequest')}</p>`,
        html`<ul>${scopes}</ul>${documents.length > 0 && html`<p>${say('clientDocuments')}</p><ul>${documents}</ul>`}`,
        choice,
      );
      const title = say('oauthGrantTitle', texts.resolve(content.client));
      const { logoUri } = content;
      // decoration: the title says the name of the client
      const logo = logoUri !== undefined && html`<p><img class="client" src="${logoUri}" alt=""></p>`;
      const images = logoUri === undefined ? [] : [logoUri];
      return page(frame, title, html`${said(shown)}${logo}${body}`, 200, { images });
    }
  }
}

const cancel = ({ mayCancel, frame: { texts } }: Shown): Markup =>
  mayCancel ? button(texts.say('doCancel'), 'cancel-aia', true) : html``;

function passwordForm(shown: Shown, { username }: Extract<Page, { name: 'updatePassword' }>): Markup {
  const { say } = shown.frame.texts;
  const password = { type: 'password', autocomplete: 'new-password' };
  return form(
    shown,
    // tells password managers whose password it is
    html`<input type="text" name="username" value="${username}" autocomplete="username" readonly hidden>`,
    input(shown, { ...password, name: 'password-new', label: say('passwordNew'), hasFocus: true }),
    input(shown, { ...password, name: 'password-confirm', label: say('passwordConfirm') }),
    html`<label class="check"><input type="checkbox" name="logout-sessions" value="on" checked>${say('logoutOtherSessions')}</label>
`,
    buttons(button(say('doSubmit')), cancel(shown)),
  );
}

function profileForm(shown: Shown, { values, asksUsername }: Extract<Page, { name: 'updateProfile' }>): Markup {
  const { say } = shown.frame.texts;
  const field = (name: string, label: string, autocomplete: string, type = 'text') =>
    input(shown, { name, label, autocomplete, type, value: values[name] ?? '' });
  return form(
    shown,
    asksUsername && field('username', say('username'), 'username'),
    field('email', say('email'), 'email', 'email'),
    field('firstName', say('firstName'), 'given-name'),
    field('lastName', say('lastName'), 'family-name'),
    buttons(button(say('doSubmit')), cancel(shown)),
  );
}

/** Characters of the longest address that is drawn. ISO/IEC 18004 ends at 2,331, and cameras do not read as fine a code. */
const mostDrawn = 1500;

async function deviceForm(shown: Shown, content: Extract<Page, { name: 'configureTotp' }>): Promise<Markup> {
  const { say } = shown.frame.texts;
  const drawing = content.uri.length <= mostDrawn ? await QRCode.toString(content.uri, { type: 'svg', margin: 2 }) : '';
  const key = content.secret.replace(/(.{4})(?=.)/g, '$1 ');
  return html`<p>${say(drawing ? 'loginTotpScan' : 'loginTotpType')}</p>
${drawing && html`<div class="qr" role="img" aria-label="${say('loginTotpQrAlt')}">${new Markup(drawing)}</div>`}
<p class="key"><span id="totp-key">${key}</span></p>
<dl><dt>${say('loginTotpAlgorithm')}</dt><dd>${content.algorithm}</dd><dt>${say('loginTotpDigits')}</dt><dd>${content.digits}</dd>${content.counter === undefined ? html`<dt>${say('loginTotpInterval')}</dt><dd>${content.period}</dd>` : html`<dt>${say('loginTotpCounter')}</dt><dd>${content.counter}</dd>`}</dl>
<p>${say('loginTotpEnter')}</p>
${form(
  shown,
  input(shown, {
    name: 'totp',
    label: say('loginOtpOneTime'),
    autocomplete: 'one-time-code',
    isCode: true,
    hasFocus: true,
  }),
  input(shown, { name: 'userLabel', label: say('loginTotpDeviceName'), isOptional: true }),
  buttons(button(say('doSubmit')), cancel(shown)),
)}`;
}

/** A link that looks like a button. */
const linkButton = (href: string, label: string): Markup =>
  html`<div class="buttons"><a class="button" href="${href}">${label}</a></div>`;

/** Why a login cannot go on, and what the page offers. */
interface PageError {
  status: number;
  text: string;
  /** the ID of the request, which the log of the server has */
  reference: string;
  /** where the user goes on: the account page of the realm, or the start page if there is no realm */
  account: string | undefined;
}

/** A page that tells why a login cannot go on. */
export function errorPage(frame: Frame, { status, text, reference, account }: PageError): Answer {
  const { say } = frame.texts;
  const back = account === undefined ? linkButton('/', say('startLink')) : linkButton(account, say('accountLink'));
  const body = html`<p class="notice" role="alert">${text}</p><p>${say('errorReference', reference)}</p>${back}`;
  return page(frame, say('errorTitle'), body, status);
}

/** The account page of a browser without a session: the way in. `isRefused` after an error. */
export function signedOutPage(frame: Frame, login: string, isRefused: boolean): Answer {
  const { say } = frame.texts;
  const refused = isRefused && html`<p class="notice" role="alert">${say('accountLoginFailed')}</p>`;
  const body = html`${refused}<p>${say('accountSignedOut')}</p>${linkButton(login, say('doLogIn'))}`;
  return page(frame, say('accountTitle'), body);
}

const hiddenFields = (parameters: Record<string, string>): Markup[] =>
  Object.entries(parameters).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

/** Asks whether the user wants to log out. The form carries what only this page knows, and where to go on. */
export function confirmLogoutPage(frame: Frame, action: string, hidden: Record<string, string>): Answer {
  const { say } = frame.texts;
  const question = html`<p>${say('logoutConfirmHeader')}</p>`;
  const body = form({ action }, question, ...hiddenFields(hidden), buttons(button(say('doLogout'))));
  return page(frame, say('logoutConfirmTitle'), body);
}

/** The page that confirms a logout. */
export const loggedOutPage = (frame: Frame): Answer =>
  page(frame, frame.texts.say('loggedOutTitle'), html`<p>${frame.texts.say('loggedOutText')}</p>`);

/** Sends parameters to a client as a form (OAuth 2.0 Form Post Response Mode), by a button where there are no scripts. */
export function formPostPage(frame: Frame, address: string, parameters: Record<string, string>): Answer {
  const { say } = frame.texts;
  const body = form(
    { action: address },
    html`<p>${say('continueToApplication')}</p>`,
    ...hiddenFields(parameters),
    buttons(button(say('doContinue'))),
  );
  return page(frame, say('continueToApplication'), body, 200, { script: 'submit' });
}
