import type { Notice } from '../texts.js';
import type { PageFrame } from './document.js';
import { html, Markup } from './html.js';

/** The page as it is shown: where its form goes, and what was wrong with what was typed. */
export interface Shown<F extends PageFrame = PageFrame> {
  frame: F;
  /** undefined for a page that is only looked at */
  action: string | undefined;
  /** address of another way to go on */
  turn(place: Place): string;
  /** address from which the browser is sent to the identity provider with this alias */
  toProvider(alias: string): string;
  /** whether the user may leave out what the client asks for */
  mayCancel: boolean;
  notice: Notice | undefined;
}

/** Where a page leads besides its form, below the addresses for actions of a login. */
export type Place = 'reset-credentials' | 'registration' | 'restart';

interface Field {
  name: string;
  label: string;
  value?: string;
  type?: string;
  autocomplete?: string;
  isOptional?: boolean;
  hasFocus?: boolean;
  isCode?: boolean;
}

const noticeId = 'notice';

/** What the page has to say before its form. */
export const said = ({ frame: { texts }, notice }: Shown): Markup | false =>
  notice !== undefined &&
  html`<p class="${notice.isHint ? 'notice hint' : 'notice'}" id="${noticeId}" role="${notice.isHint ? 'status' : 'alert'}">${texts.say(
    notice.key,
    ...(notice.parameters ?? []),
  )}</p>`;

/** A labelled field. */
export function input({ notice, action }: Shown, field: Field): Markup {
  const { name, label, value = '', type = 'text', autocomplete = 'off', isOptional, hasFocus, isCode } = field;
  const isWrong = notice?.field === name;
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${!isOptional && new Markup(' required')}${
    action !== undefined && hasFocus && new Markup(' autofocus')
  }${isWrong && new Markup(` aria-invalid="true" aria-describedby="${noticeId}"`)}${
    isCode && new Markup(' inputmode="numeric" maxlength="16"')
  } spellcheck="false" autocapitalize="none">
`;
}

/** A form that goes where the login goes on. */
export const form = ({ action }: Pick<Shown, 'action'>, ...parts: (Markup | false)[]): Markup =>
  action === undefined
    ? html`<div>
${parts}</div>`
    : html`<form method="post" action="${action}">
${parts}</form>`;

/** A button that sends the form. */
export const button = (label: string, name?: string, isPlain = false): Markup =>
  html`<button type="submit"${name !== undefined && new Markup(` name="${name}" value="true"`)}${
    isPlain && new Markup(' class="plain" formnovalidate')
  }>${label}</button>`;

/** The buttons of a form, beside each other. */
export const buttons = (...parts: Markup[]): Markup => html`<div class="buttons">${parts}</div>
`;
