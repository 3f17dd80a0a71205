import { createHash } from 'node:crypto';
import { colorStyle, logo } from '../../../brand/brand.js';
import type { LoginAppearance } from '../appearance.js';
import { languageName, type Texts } from '../texts.js';
import { appearanceStyle } from './appearance-style.js';
import { html, Markup } from './html.js';
import { keyScript } from './key-script.js';

/** What all pages of a realm show alike. */
export interface PageFrame {
  texts: Texts;
  realmTitle: string;
  appearance: LoginAppearance;
  /** address of this page in another language */
  inLanguage?: (locale: string) => string;
}

const style = `
${colorStyle}
:root { --back: var(--page); --link: var(--accent); --on-back: var(--text); --back-link: var(--link) }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: var(--back); color: var(--text); min-height: 100vh; padding: 1rem }
.realm { color: var(--on-back); text-align: center; font-size: 1.4rem; font-weight: 600; margin: 6vh auto 1.25rem; overflow-wrap: anywhere }
.realm :is(img, svg) { display: block; max-width: min(100%, 20rem); max-height: 6rem; margin: 0 auto }
.realm svg { width: 3rem; margin-bottom: .5rem }
main { max-width: 27rem; margin: 0 auto; background: var(--card); border-radius: .6rem; padding: 1.5rem 1.75rem 1.75rem; box-shadow: 0 1px 6px rgba(0,0,0,.18) }
h1 { font-size: 1.25rem; margin: 0 0 1rem; overflow-wrap: anywhere }
p { margin: 0 0 1rem; overflow-wrap: anywhere }
label { display: block; font-weight: 600; margin: 0 0 .25rem }
input:not([type=checkbox]) { width: 100%; font: inherit; color: inherit; background: transparent; border: 1px solid var(--edge); border-radius: .35rem; padding: .55rem .65rem; margin: 0 0 1rem }
input[aria-invalid=true] { border-color: var(--bad) }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid var(--link); outline-offset: 1px }
.check { display: flex; gap: .5rem; align-items: center; font-weight: 400; margin-bottom: 1rem }
.check input { width: 1.1rem; height: 1.1rem }
.buttons { display: flex; gap: .75rem; flex-wrap: wrap }
button, .button { flex: 1 1 auto; font: inherit; font-weight: 600; text-align: center; padding: .6rem 1rem; border-radius: .35rem; border: 1px solid var(--link); background: var(--accent); color: var(--on-accent); cursor: pointer; text-decoration: none }
button.plain, .button.plain { background: transparent; color: var(--link) }
.notice { border-left: 4px solid var(--bad); padding: .4rem .75rem; margin: 0 0 1rem; background: color-mix(in srgb, var(--bad) 10%, transparent) }
.notice.hint { border-color: var(--link); background: color-mix(in srgb, var(--link) 10%, transparent) }
.qr { background: #fff; padding: .5rem; border-radius: .35rem; max-width: 14rem; margin: 0 auto 1rem }
.qr svg { display: block; width: 100%; height: auto }
.key, .codes { font: 1.05rem/1.6 ui-monospace, monospace; overflow-wrap: anywhere }
.codes { columns: 2; padding-left: 2rem }
dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem 1rem; margin: 0 0 1rem; color: var(--quiet); font-size: .9rem }
dd { margin: 0 }
.ways { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; justify-content: space-between; margin: 1.25rem 0 0; font-size: .95rem }
ul { margin: 0 0 1rem; padding-left: 1.25rem }
.providers { border-top: 1px solid color-mix(in srgb, var(--quiet) 30%, transparent); margin-top: 1.5rem }
.providers h2 { font-size: 1rem; margin: 1rem 0 .75rem }
.providers ul { list-style: none; padding: 0; margin: 0; display: grid; gap: .5rem }
.providers .button { display: block }
a { color: var(--link) }
nav { color: var(--on-back); text-align: center; margin: 1rem 0; font-size: .9rem }
nav a { color: var(--back-link) }
nav a, nav span { margin: 0 .4rem; display: inline-block }
.wide { max-width: 62rem }
.account { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 1.5rem 2.25rem }
.menu nav { text-align: left; margin: 0 0 1.25rem; color: inherit; font-size: inherit }
.menu ul { list-style: none; margin: 0; padding: 0 }
.menu a { display: block; margin: 0; padding: .45rem .6rem; border-radius: .35rem; color: var(--text); text-decoration: none }
.menu a:hover { text-decoration: underline }
.menu a[aria-current] { background: color-mix(in srgb, var(--link) 14%, transparent); font-weight: 600 }
.menu button { width: 100% }
.part form { margin: 0 }
.part h2 { font-size: 1.05rem; margin: 1.5rem 0 .35rem }
.quiet { color: var(--quiet); font-size: .93rem }
.entries { list-style: none; padding: 0 }
.entries > li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; border-top: 1px solid color-mix(in srgb, var(--quiet) 30%, transparent); padding: .7rem 0 }
.entries > .whole { display: block }
.what { flex: 1 1 14rem; min-width: 0; overflow-wrap: anywhere }
.what .quiet { display: block }
.does, .does form { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center }
.does input:not([type=checkbox]) { width: 10rem; margin: 0; padding: .35rem .5rem }
.entries button, .part p .button { flex: none; padding: .35rem .8rem; font-weight: 400 }
.badge { display: inline-block; border: 1px solid currentcolor; border-radius: 1rem; padding: 0 .55rem; font-size: .82rem; margin-inline-start: .5rem; color: var(--quiet) }
.quiet .badge { margin-inline-start: 0 }
.client { display: block; max-width: min(100%, 12rem); max-height: 5rem; margin: 0 auto }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.wideTable { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .93rem }
th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid color-mix(in srgb, var(--quiet) 30%, transparent) }
fieldset { border: 0; padding: 0; margin: 0 0 .5rem }
legend { font-weight: 600; padding: 0 }
summary { cursor: pointer; color: var(--link); margin: .25rem 0 }
details form { padding: .5rem 0 }
@media (max-width: 46rem) { .account { grid-template-columns: minmax(0, 1fr) } }
`;

/** The source of a policy that allows one style or script. */
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const styleHash = hashOf(style);
const logoAddress = `data:image/svg+xml,${encodeURIComponent(logo)}`;
const submitScript = 'document.forms[0].submit()';
// goes on once all frames are loaded, and in any case after some seconds
const nextScript = `
const go = () => location.replace(document.getElementById('next').href);
addEventListener('load', go);
setTimeout(go, 5000);
`;
const scripts = { submit: submitScript, key: keyScript, next: nextScript } as const;

/** The source of a policy that allows the picture at an address. Queries are no part of a source. */
function sourceOf(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C');
}

export interface DocumentOptions {
  /** what the page does by itself: sends its form, asks the browser for a security key, or follows its link */
  script?: keyof typeof scripts;
  /** whether the page is only looked at: it takes no input and carries its policy itself */
  isInert?: boolean;
  /** origins of the pages that it has in frames */
  frames?: readonly string[];
  /** addresses of the pictures from elsewhere that it shows */
  images?: readonly string[];
  /** whether the page has a menu beside its content */
  isWide?: boolean;
}

/** A page of a realm as a text, and the policy that it needs: its own styles, script, and logo, and nothing from elsewhere but the pictures that it names. */
export function pageDocument(
  { texts, realmTitle, appearance, inLanguage }: PageFrame,
  title: string,
  body: Markup,
  { script, isInert = false, isWide = false, frames = [], images = [] }: DocumentOptions = {},
): { text: string; policy: string } {
  const own = appearanceStyle(appearance);
  const styles = own === '' ? styleHash : `${styleHash} ${hashOf(own)}`;
  // Where forms lead is left open, because browsers hold that against the redirect to the client and against those that it answers with.
  const policy = `default-src 'none'; style-src ${styles}; script-src ${script ? hashOf(scripts[script]) : "'none'"}; img-src ${["'self'", 'data:', ...images.map(sourceOf)].join(' ')}; base-uri 'none'${frames.length > 0 ? `; frame-src ${frames.join(' ')}` : ''}`;
  // the logo of the server stands for no other appearance than its own
  const isPlain = !Object.values(appearance).some(Boolean);
  const others = inLanguage ? texts.locales.filter((locale) => locale !== texts.locale) : [];
  const languages =
    others.length > 0 &&
    html`<nav aria-label="${texts.say('languageLabel')}"><span aria-current="true">${languageName(texts.locale)}</span>${others.map(
      (locale) =>
        html`<a href="${inLanguage?.(locale)}" lang="${locale}" hreflang="${locale}">${languageName(locale)}</a>`,
    )}</nav>`;
  const { text } = html`<!doctype html>
<html lang="${texts.locale}">
<head>
<meta charset="utf-8">${isInert && html`<meta http-equiv="Content-Security-Policy" content="${policy}">`}
<title>${title} - ${realmTitle}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
${isPlain && html`<link rel="icon" href="${logoAddress}">`}
<style>${new Markup(style)}</style>${own !== '' && html`<style>${new Markup(own)}</style>`}
</head>
<body${isInert && new Markup(' inert')}>
<header class="realm">${isPlain && html`<span aria-hidden="true">${new Markup(logo)}</span>`}${appearance.logo ? html`<img src="${appearance.logo}" alt="${realmTitle}">` : realmTitle}</header>
<main${isWide && new Markup(' class="wide"')}>
<h1>${title}</h1>
${body}
</main>
${languages}
${script && new Markup(`<script>${scripts[script]}</script>`)}
</body>
</html>
`;
  return { text, policy };
}
