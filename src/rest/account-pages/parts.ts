import { html, Markup } from '../../services/login/pages/html.js';
import { pagePath, type Visited } from './visited.js';

/** A form of an account page: it carries its name, and the proof that it is from a page of this session. */
export function accountForm(
  { visit, session, page }: Visited,
  name: string,
  hidden: Readonly<Record<string, string | readonly string[]>>,
  ...content: (Markup | false)[]
): Markup {
  const fields = Object.entries({ checker: session.checker, form: name, ...hidden }).flatMap(([key, value]) =>
    [value].flat().map((one) => html`<input type="hidden" name="${key}" value="${one}">`),
  );
  return html`<form method="post" action="${pagePath(visit, page)}">${fields}${content}</form>`;
}

/** A button. `about` names the entry that it belongs to, for screen readers. */
export const namedButton = (label: string, about: string, isPlain = true): Markup =>
  html`<button type="submit"${isPlain && new Markup(' class="plain"')} aria-label="${label}: ${about}">${label}</button>`;

/** A link that looks like a button; `about` as above. */
export const namedLink = (href: string, label: string, about: string): Markup =>
  html`<a class="button plain" href="${href}" aria-label="${label}: ${about}">${label}</a>`;

/** A mark beside a name. */
export const badge = (text: string): Markup => html`<span class="badge">${text}</span>`;

/** An entry of a list, with its actions. */
export const entry = (what: Markup, ...ways: (Markup | false)[]): Markup => {
  const shown = ways.filter((way): way is Markup => way !== false);
  return html`<li><div class="what">${what}</div>${shown.length > 0 && html`<div class="does">${shown}</div>`}</li>`;
};

/** A list of entries, or a sentence that there are none. */
export const entries = (list: readonly Markup[], none: string): Markup =>
  list.length === 0 ? html`<p class="quiet">${none}</p>` : html`<ul class="entries">${list}</ul>`;

/** A part of a page under a heading. */
export const section = (title: string, ...content: (Markup | false)[]): Markup =>
  html`<section><h2>${title}</h2>${content}</section>`;

/** Whether a browser can be sent there without running what the address says. */
export const isWebAddress = (address: string): boolean =>
  URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
