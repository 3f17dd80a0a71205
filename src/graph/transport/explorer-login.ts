import { consoleClient } from '../../services/login/redirect-uri.js';

/**
 * What the page does by itself: logs in by the code flow with PKCE (RFC 7636) as the console of the master realm, keeps the
 * tokens in memory only, sends the access token with each request that has none, and renews it before it expires. After a
 * reload it asks for a new one without a page, as long as the browser has its session.
 */
const script = `
(function () {
  var realm = '/auth/realms/master/protocol/openid-connect';
  var client = '${consoleClient}';
  var here = location.origin + location.pathname;
  var stored = 'realmgate-login';
  var tokens;
  var renewing;
  var send = window.fetch.bind(window);
  function text(bytes) {
    return btoa(String.fromCharCode.apply(null, new Uint8Array(bytes))).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '');
  }
  function random() { return text(crypto.getRandomValues(new Uint8Array(32))); }
  function remembered() { try { return JSON.parse(sessionStorage.getItem(stored)) || {}; } catch (e) { return {}; } }
  function remember(value) { sessionStorage.setItem(stored, JSON.stringify(value)); }
  function begin(silently) {
    var verifier = random();
    var state = random();
    return crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)).then(function (digest) {
      remember({ verifier: verifier, state: state, search: location.search, hash: location.hash });
      var query = new URLSearchParams({
        response_type: 'code', client_id: client, redirect_uri: here, scope: 'openid', state: state,
        code_challenge: text(digest), code_challenge_method: 'S256'
      });
      if (silently) query.set('prompt', 'none');
      location.assign(realm + '/auth?' + query);
    });
  }
  function ask(form) {
    form.client_id = client;
    return send(realm + '/token', { method: 'POST', body: new URLSearchParams(form) }).then(function (response) {
      if (!response.ok) throw new Error('no token');
      return response.json();
    }).then(function (answer) {
      tokens = { access: answer.access_token, refresh: answer.refresh_token, until: Date.now() + answer.expires_in * 1000 };
      remember({ loggedIn: true });
      show();
    });
  }
  function forget() { tokens = undefined; remember({}); show(); }
  function ready() {
    if (!tokens || tokens.until - Date.now() > 10000) return Promise.resolve();
    renewing = renewing || ask({ grant_type: 'refresh_token', refresh_token: tokens.refresh }).catch(forget).then(function () { renewing = undefined; });
    return renewing;
  }
  window.fetch = function (input, init) {
    var request = new Request(input, init);
    var address = new URL(request.url);
    if (address.origin !== location.origin || address.pathname !== location.pathname || request.headers.has('authorization')) return send(input, init);
    return starting.then(ready).then(function () {
      if (tokens) request.headers.set('authorization', 'Bearer ' + tokens.access);
      return send(request);
    });
  };
  function leave() {
    var form = new URLSearchParams({ client_id: client, refresh_token: tokens.refresh });
    send(realm + '/logout', { method: 'POST', body: form }).then(forget, forget);
  }
  function show() {
    var bar = document.getElementById('realmgate-login');
    if (!bar) return;
    var button = bar.querySelector('button');
    button.textContent = tokens ? 'Log out' : 'Log in';
    button.onclick = tokens ? leave : function () { begin(false); };
    var name = '';
    try { name = tokens ? JSON.parse(decodeURIComponent(escape(atob(tokens.access.split('.')[1].replace(/-/g, '+').replace(/_/g, '/'))))).preferred_username || '' : ''; } catch (e) { name = ''; }
    bar.querySelector('span').textContent = name;
    bar.hidden = false;
  }
  function start() {
    var query = new URLSearchParams(location.search);
    var before = remembered();
    if (query.has('state') && (query.has('code') || query.has('error'))) {
      var mine = before.state === query.get('state');
      history.replaceState(null, '', here + (mine ? before.search + before.hash : ''));
      remember({});
      if (mine && query.has('code')) {
        return ask({ grant_type: 'authorization_code', code: query.get('code'), redirect_uri: here, code_verifier: before.verifier }).catch(forget);
      }
    } else if (before.loggedIn) {
      // goes to another page: nothing of this one is to be sent any more
      return begin(true).then(function () { return new Promise(function () {}); });
    }
    return Promise.resolve();
  }
  // the explorer opens an empty tab whenever it finds tabs of before; given to it as its own they stay in front
  try {
    var before = JSON.parse(localStorage.getItem('graphiql:tabState'));
    var active = before.tabs[before.activeTabIndex];
    var tabs = [active].concat(before.tabs.filter(function (tab) { return tab !== active; })).filter(function (tab) { return tab.query; });
    if (tabs.length > 0) {
      window.explorerTabs = { defaultTabs: tabs.map(function (tab) { return { query: tab.query, variables: tab.variables }; }) };
      localStorage.removeItem('graphiql:tabState');
    }
  } catch (e) {}
  var starting = window.crypto && crypto.subtle ? start() : Promise.resolve();
  starting.then(show);
})();
`;

const style = `
#realmgate-login { position: fixed; right: 16px; bottom: 12px; z-index: 10; display: flex; gap: 10px; align-items: center; font: 14px system-ui, sans-serif; color: inherit }
#realmgate-login[hidden] { display: none }
#realmgate-login button { font: inherit; font-weight: 600; padding: 6px 14px; border: 0; border-radius: 6px; background: #0b5cad; color: #fff; cursor: pointer }
#realmgate-login button:focus-visible { outline: 3px solid #8ec2ff }
`;

const bar = `<div id="realmgate-login" role="region" aria-label="Login" hidden><span></span><button type="button">Log in</button></div>`;

/** The page of the explorer with a login button, which works ahead of the explorer's own scripts. */
export function withLogin(page: string): string {
  const options = page.lastIndexOf('{"title":');
  const tabs = options < 0 ? page : `${page.slice(0, options)}{...window.explorerTabs,${page.slice(options + 1)}`;
  return tabs.replace(/<body[^>]*>/, (body) => `${body}<style>${style}</style>${bar}<script>${script}</script>`);
}
