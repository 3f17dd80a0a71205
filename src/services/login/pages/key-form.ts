import { html, Markup } from './html.js';
import { buttons, form, type Shown } from './parts.js';

/** What the browser asks for: a new key, a key, or a passkey that it offers for the name of the user. */
type KeyPurpose = 'create' | 'get' | 'autofill';

interface KeyRequest {
  /** for the browser, as JSON */
  options: string;
  purpose: KeyPurpose;
  /** of the button */
  label: string;
}

/** The field that the script of the page fills. */
export const keyField = (purpose: KeyPurpose, options: string): Markup =>
  html`<input type="hidden" name="credential" value="" data-purpose="${purpose}" data-options="${options}">
`;

/** The button by which the script of the page asks the browser for a key. It is hidden where there are no scripts. */
export const keyButton = (label: string, isPlain = false): Markup =>
  html`<button type="button" id="use-key"${isPlain && new Markup(' class="plain"')} hidden>${label}</button>`;

/** A form whose button asks the browser for a security key. */
export function keyForm(
  shown: Shown,
  { options, purpose, label }: KeyRequest,
  text: Markup,
  fields: Markup,
  more: Markup,
): Markup {
  return form(
    shown,
    text,
    fields,
    html`${keyField(purpose, options)}<p class="notice" role="alert" id="unsupported">${shown.frame.texts.say('webauthnUnsupported')}</p>`,
    buttons(keyButton(label), more),
  );
}
