import { colorStyle, logo } from '../../brand/brand.js';
import type { Answer } from '../answer.js';
import { contentPolicy } from '../content-policy.js';

const style = `
${colorStyle}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.55 system-ui, sans-serif }
header, main, footer { max-width: 82rem; margin: 0 auto; padding: 0 1.25rem }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: center; padding-block: 1.25rem }
header b { display: flex; margin-right: auto; font-size: 1.1rem }
header b a { display: flex; gap: .6rem; align-items: center; color: inherit }
header img { border-radius: 0 }
main { padding-block: 1rem 3rem; overflow-wrap: break-word }
main li { overflow-wrap: anywhere }
footer { padding-block: 1.25rem; color: var(--quiet); font-size: .875rem }
a { color: var(--accent); text-decoration: none }
a:hover, main a { text-decoration: underline; text-underline-offset: .15em }
main :is(nav, .cards) a:not(:hover) { text-decoration: none }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 3px }
h1 { margin: 1.5rem 0 .5rem; font-size: clamp(1.75rem, 5vw, 2.5rem); line-height: 1.2 }
h2 { margin: 2rem 0 .5rem; line-height: 1.3 }
.lead { max-width: 40rem; margin: 0 0 2rem; color: var(--quiet); font-size: 1.125rem }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: 1rem; padding: 0; list-style: none }
.cards a { display: block; height: 100%; padding: 1.1rem 1.25rem; border: 1px solid var(--line); border-radius: 12px; background: var(--card); color: inherit }
.cards a:hover { border-color: var(--accent); text-decoration: none }
.cards strong { display: block; color: var(--accent) }
.cards span { color: var(--quiet); font-size: .9375rem }
code { font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere }
pre { padding: 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--card); line-height: 1.45 }
pre code { overflow-wrap: normal }
table { display: block; overflow-x: auto; border-collapse: collapse; font-size: .9375rem }
th, td { padding: .4rem .7rem; border: 1px solid var(--line); text-align: left; vertical-align: top }
img { max-width: 100%; border-radius: 10px }
body:has(.docs) :is(header, main) { max-width: 110rem }
body:has(.columns) :is(header, main) { max-width: 140rem }
.docs article > :is(p, ul, ol) { max-width: 52rem }
.docs article > :is(.cards, .operations) { max-width: none }
.docs { display: grid; gap: 2.5rem; grid-template-columns: minmax(0, 1fr) }
.docs article h1:first-child { margin-top: 0 }
.docs nav { font-size: .9375rem }
.docs nav p { margin: 1.25rem 0 .25rem; color: var(--quiet); font-weight: 600 }
.docs nav ul { margin: 0; padding: 0; list-style: none }
.docs nav li a { display: block; padding: .25rem .5rem; margin-inline: -.5rem; border-radius: 6px; color: inherit }
.docs nav li a:hover { background: var(--card) }
.docs nav [aria-current] { background: var(--card); color: var(--accent); font-weight: 600 }
form { display: flex; gap: .5rem }
input, textarea, button { min-width: 0; padding: .45rem .7rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); color: inherit; font: inherit }
input { flex: 1 }
input::placeholder { color: var(--quiet); opacity: 1 }
button { cursor: pointer }
.try button { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600 }
:is(input, textarea, button):focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
.results { padding: 0; list-style: none }
.results li { margin: 0 0 1rem }
.results span { color: var(--quiet); font-size: .9375rem; overflow-wrap: anywhere }

.operations { padding: 0; list-style: none }
.operations li { margin: 0 0 .5rem }
.operations span:not(.method) { color: var(--quiet); font-size: .9375rem }
/* as the error page of logins */
.problem { max-width: 27rem; margin: 6vh auto; padding: 1.5rem 1.75rem; border: 1px solid var(--line); border-radius: .6rem; background: var(--card) }
.problem h1 { margin: 0 0 1rem; font-size: 1.25rem }
.problem p { overflow-wrap: anywhere }
.notice { padding: .4rem .75rem; border-left: 4px solid var(--bad); background: color-mix(in srgb, var(--bad) 10%, transparent) }
.button { display: block; padding: .6rem 1rem; border-radius: .35rem; background: var(--accent); color: var(--on-accent); font-weight: 600; text-align: center; text-decoration: none }
.quiet { color: var(--quiet); font-size: .9375rem }
.operation { padding-block: .5rem; border-top: 1px solid var(--line) }
.operation h2 { font-size: 1.125rem; overflow-wrap: anywhere }
.operation h2 a { color: inherit; text-decoration: none }
.operation h3 { margin: 1.25rem 0 .5rem; font-size: 1rem }
.fields code { overflow-wrap: normal }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); column-gap: 2.5rem }
.method { color: var(--accent); font: 700 .9em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
summary { padding-block: .25rem; cursor: pointer }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
details pre { max-height: 24rem; overflow: auto }
.copied { position: relative }
.copied button { position: absolute; inset: .5rem .5rem auto auto; padding: .2rem .6rem; font-size: .875rem }
.columns h3:first-child { margin-top: 0 }
.try form { display: grid; gap: .75rem; justify-items: start; margin-block: .5rem 1rem }
.try :is(label, textarea, pre):not([hidden]) { display: grid; width: 100% }
@media (max-width: 90rem) {
  .docs .here { display: none }
}
@media (min-width: 90rem) {
  .columns { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) }
}
@media (min-width: 60rem) {
  td:first-child code { overflow-wrap: normal }
  .docs { grid-template-columns: 17rem minmax(0, 1fr); align-items: start }
  .docs nav { position: sticky; top: 0; grid-area: 1 / 1; max-height: 100vh; padding: 1rem .5rem; margin: -1rem -.5rem; overflow-y: auto }
  .docs article { grid-area: 1 / 2 }
}
@media (min-width: 90rem) {
  .docs:has(.here) { grid-template-columns: 17rem minmax(0, 1fr) 15rem }
  .docs .here { grid-area: 1 / 3 }
}
`;

/** What pages without scripts may do: show text, their own styles, and pictures of this server. */
const sources = {
  'style-src': "'unsafe-inline'",
  'img-src': "'self'",
};

/** Picture of all pages in the tabs of browsers. */
export const icon: Answer = {
  status: 200,
  body: `${logo}
`,
  type: 'image/svg+xml',
  public: true,
};

/** Replaces the characters that are markup in HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * A page with the header and the styles that all pages of the server share. `main` is HTML. `more`: sources that the policy of the page
 * allows besides.
 */
export function htmlPage(
  title: string,
  main: string,
  status = 200,
  more: Readonly<Record<string, string>> = {},
): Answer {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/assets/icon.svg">
<style>${style}</style>
</head>
<body>
<header><b><a href="/"><img src="/assets/icon.svg" alt="" width="28" height="28">Realmgate</a></b>${links.map(([href, name]) => `<a href="${href}">${name}</a>`).join('\n')}</header>
<main>
${main}
</main>
</body>
</html>
`;
  const headers = { 'content-security-policy': contentPolicy({ ...sources, ...more }) };
  return { status, body, headers, type: 'text/html;charset=UTF-8', public: status === 200 };
}

const links = [
  ['/reference', 'Reference'],
  ['/docs/', 'Docs'],
] as const;
