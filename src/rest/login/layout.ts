import { createHash } from 'node:crypto';
import type { Answer } from '../../http/answer.js';
import { members } from '../../services/core/json.js';
import { languageName, type Texts } from '../../services/login/texts.js';
import { html, Markup } from './html.js';

/** What all pages of a realm have in common. */
export interface Frame {
  texts: Texts;
  realmTitle: string;
  /** the realm's settings for headers of pages */
  securityHeaders: unknown;
  isSecure: boolean;
  /** address of this page in another language */
  inLanguage?: (locale: string) => string;
}

const style = `
:root { color-scheme: light dark; --accent: #0b5cad; --bad: #b3261e; --line: #8a8d91; --card: #fff; --back: #eef1f4; --text: #1a1c1e; --soft: #4d5156 }
@media (prefers-color-scheme: dark) { :root { --accent: #8ec2ff; --bad: #ff9c94; --line: #7b8087; --card: #1f2327; --back: #14171a; --text: #eceef0; --soft: #b4b9bf } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: var(--back); color: var(--text); min-height: 100vh; padding: 1rem }
.realm { text-align: center; font-size: 1.4rem; font-weight: 600; margin: 6vh auto 1.25rem; overflow-wrap: anywhere }
main { max-width: 27rem; margin: 0 auto; background: var(--card); border-radius: .6rem; padding: 1.5rem 1.75rem 1.75rem; box-shadow: 0 1px 6px rgba(0,0,0,.18) }
h1 { font-size: 1.25rem; margin: 0 0 1rem; overflow-wrap: anywhere }
p { margin: 0 0 1rem; overflow-wrap: anywhere }
label { display: block; font-weight: 600; margin: 0 0 .25rem }
input:not([type=checkbox]) { width: 100%; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .35rem; padding: .55rem .65rem; margin: 0 0 1rem }
input[aria-invalid=true] { border-color: var(--bad) }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px }
.check { display: flex; gap: .5rem; align-items: center; font-weight: 400; margin-bottom: 1rem }
.check input { width: 1.1rem; height: 1.1rem }
.buttons { display: flex; gap: .75rem; flex-wrap: wrap }
button, .button { flex: 1 1 auto; font: inherit; font-weight: 600; text-align: center; padding: .6rem 1rem; border-radius: .35rem; border: 1px solid var(--accent); background: var(--accent); color: var(--card); cursor: pointer; text-decoration: none }
button.plain { background: transparent; color: var(--accent) }
.notice { border-left: 4px solid var(--bad); padding: .4rem .75rem; margin: 0 0 1rem; background: color-mix(in srgb, var(--bad) 10%, transparent) }
.notice.hint { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 10%, transparent) }
.qr { background: #fff; padding: .5rem; border-radius: .35rem; max-width: 14rem; margin: 0 auto 1rem }
.qr svg { display: block; width: 100%; height: auto }
.key { font: 1.05rem/1.6 ui-monospace, monospace; overflow-wrap: anywhere }
dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem 1rem; margin: 0 0 1rem; color: var(--soft); font-size: .9rem }
dd { margin: 0 }
.ways { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; justify-content: space-between; margin: 1.25rem 0 0; font-size: .95rem }
ul { margin: 0 0 1rem; padding-left: 1.25rem }
a { color: var(--accent) }
nav { text-align: center; margin: 1rem 0; font-size: .9rem }
nav a, nav span { margin: 0 .4rem; display: inline-block }
`;
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const submitScript = 'document.forms[0].submit()';

/**
 * What pages may do: show themselves, and nothing from elsewhere. Where forms lead is left open, because browsers hold that
 * against the redirect to the client and against those that the client answers with.
 */
const policy = (scripts: string) =>
  `default-src 'none'; style-src ${hashOf(style)}; script-src ${scripts}; img-src 'self' data:; base-uri 'none'`;

const headerNames: Record<string, string> = {
  contentSecurityPolicyReportOnly: 'content-security-policy-report-only',
  xContentTypeOptions: 'x-content-type-options',
  xRobotsTag: 'x-robots-tag',
  xFrameOptions: 'x-frame-options',
  xXSSProtection: 'x-xss-protection',
  strictTransportSecurity: 'strict-transport-security',
};

const isHeaderText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && /^[\x20-\x7e]+$/.test(value);

/** The headers of a page: ours, with those that the realm has set. Of two policies a browser keeps both. */
function headersOf({ securityHeaders, isSecure }: Frame, scripts = "'none'"): Record<string, string> {
  const set = members(securityHeaders);
  const headers: Record<string, string> = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'no-referrer',
  };
  for (const [name, header] of Object.entries(headerNames)) {
    const value = set[name];
    if (isHeaderText(value) && (isSecure || name !== 'strictTransportSecurity')) headers[header] = value;
  }
  const own = policy(scripts);
  const ofRealm = set.contentSecurityPolicy;
  const framing = isHeaderText(ofRealm) ? ofRealm.replaceAll(',', ' ') : "frame-ancestors 'self'";
  headers['content-security-policy'] = `${own}, ${framing}`;
  return headers;
}

/** A page of a realm. */
export function page(frame: Frame, title: string, body: Markup, status = 200, submits = false): Answer {
  const { texts, realmTitle, inLanguage } = frame;
  const others = inLanguage ? texts.locales.filter((locale) => locale !== texts.locale) : [];
  const languages =
    others.length > 0 &&
    html`<nav aria-label="${texts.say('languageLabel')}"><span aria-current="true">${languageName(texts.locale)}</span>${others.map(
      (locale) =>
        html`<a href="${inLanguage?.(locale)}" lang="${locale}" hreflang="${locale}">${languageName(locale)}</a>`,
    )}</nav>`;
  const document = html`<!doctype html>
<html lang="${texts.locale}">
<head>
<meta charset="utf-8">
<title>${title} - ${realmTitle}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<style>${new Markup(style)}</style>
</head>
<body>
<header class="realm">${realmTitle}</header>
<main>
<h1>${title}</h1>
${body}
</main>
${languages}
${submits && html`<script>${new Markup(submitScript)}</script>`}
</body>
</html>
`;
  return {
    status,
    headers: headersOf(frame, submits ? hashOf(submitScript) : undefined),
    body: document.text,
    type: 'text/html;charset=utf-8',
  };
}
