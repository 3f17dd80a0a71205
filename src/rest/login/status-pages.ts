import { createHash } from 'node:crypto';
import type { Answer } from '../../http/answer.js';

/**
 * A page for frames of other origins, with one script and nothing else. Others may show it, since it answers only to pages
 * whose origin is checked, or tells no more than whether cookies arrive.
 */
function scriptPage(script: string): Answer {
  const hash = createHash('sha256').update(script).digest('base64');
  return {
    status: 200,
    headers: {
      'content-security-policy': `default-src 'none'; script-src 'sha256-${hash}'; connect-src 'self'; base-uri 'none'`,
      'referrer-policy': 'no-referrer',
    },
    body: `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Status</title></head><body><script>${script}</script></body></html>\n`,
    type: 'text/html;charset=utf-8',
  };
}

/**
 * The page that clients ask whether the session has changed (OpenID Connect Session Management 1.0 section 3.2). A message
 * is the clientId and the session state with a space between; the server says once which origins a client may have.
 */
export const statusFrame = scriptPage(`
var known = {};
function present() {
  var match = /(?:^|; *)KEYCLOAK_SESSION=([^;]*)/.exec(document.cookie);
  return match ? decodeURIComponent(match[1]).split('/')[2] : undefined;
}
function answer(event, text) { event.source.postMessage(text, event.origin); }
function compare(event, state) { answer(event, (present() || '') === state ? 'unchanged' : 'changed'); }
window.addEventListener('message', function (event) {
  if (typeof event.data !== 'string') return;
  var parts = event.data.split(' ');
  if (parts.length !== 2) return answer(event, 'error');
  var key = event.origin + ' ' + parts[0];
  if (known[key] === true) return compare(event, parts[1]);
  if (known[key] === false) return answer(event, 'error');
  var address = location.href.split('?')[0] + '/init?client_id=' + encodeURIComponent(parts[0]) + '&origin=' + encodeURIComponent(event.origin);
  fetch(address).then(function (response) {
    known[key] = response.status === 204;
    if (known[key]) compare(event, parts[1]); else answer(event, 'error');
  }, function () { answer(event, 'error'); });
});
`);

/** Sets a cookie from within a frame, and goes on to the page that looks whether it has arrived. */
export const cookieProbe = scriptPage(`
document.cookie = 'KEYCLOAK_3P_COOKIE=supported; path=/' + (location.protocol === 'https:' ? '; SameSite=None; Secure' : '');
document.cookie = 'KEYCLOAK_3P_COOKIE_SAMESITE=supported; path=/; SameSite=None; Secure';
location.replace('step2.html');
`);

/** Tells the page around it whether cookies get through in frames. */
export const cookieVerdict = scriptPage(`
var works = /KEYCLOAK_3P_COOKIE(_SAMESITE)?=supported/.test(document.cookie);
document.cookie = 'KEYCLOAK_3P_COOKIE=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT';
document.cookie = 'KEYCLOAK_3P_COOKIE_SAMESITE=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; SameSite=None; Secure';
parent.postMessage(works ? 'supported' : 'unsupported', '*');
`);
