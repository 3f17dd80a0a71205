import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, startBrowser } from '../../tools/browser.mjs';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

/** The part of keycloak-js that the page uses; both versions have it. */
interface Adapter {
  authenticated: boolean;
  token?: string;
  tokenParsed?: { preferred_username?: string; iat: number };
  updateToken(minValidity: number): Promise<boolean>;
  login(): Promise<void>;
  logout(options: { redirectUri: string }): Promise<void>;
}

declare global {
  // what the page of the application leaves for the test
  var keycloak: Adapter;
  var happened: string[];
  var initialised: string | undefined;
}

const moduleFile = (name: string) => readFileSync(new URL(`../../node_modules/${name}`, import.meta.url), 'utf8');
const versions = [
  {
    version: '15.0.2',
    adapter: moduleFile('keycloak-js-15/dist/keycloak.js'),
    script: '<script src="/adapter.js"></script><script type="module">',
    confirmsLogout: true,
    // it leaves parameters that it does not know in the address
    attributes: { 'exclude.issuer.from.auth.response': 'true' },
  },
  {
    version: 'newest',
    adapter: moduleFile('keycloak-js/lib/keycloak.js'),
    script: '<script type="module">import Keycloak from "/adapter.js"; globalThis.Keycloak = Keycloak;',
    confirmsLogout: false,
    attributes: {},
  },
];

/** An application whose options for the adapter are in its path, as JSON. */
const pageOf = (script: string, config: object) => `<!doctype html><title>application</title>${script}
  globalThis.happened = [];
  globalThis.keycloak = new Keycloak(${JSON.stringify(config)});
  for (const name of ['onAuthSuccess', 'onAuthRefreshSuccess', 'onAuthLogout', 'onTokenExpired']) {
    keycloak[name] = () => happened.push(name);
  }
  const options = JSON.parse(decodeURIComponent(location.pathname.slice('/app/'.length)));
  keycloak.init(options).then(
    (authenticated) => { globalThis.initialised = authenticated ? 'authenticated' : 'anonymous'; },
    async (error) => {
      const { status, url } = error.response ?? {};
      const body = await error.response?.text();
      globalThis.initialised = 'failed: ' + JSON.stringify({ message: error.message, ...error, status, url, body });
    },
  );
</script>`;
const silentPage = '<script>parent.postMessage(location.href, location.origin)</script>';

describe.skipIf(!hasBrowser).each(versions)('keycloak-js $version in a browser', (variant) => {
  let server: TestServer;
  let admin: Caller;
  let browser: Browser;
  let application: string;
  const app = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://app').pathname;
    const config = { url: `${server.url}/auth`, realm: 'spa', clientId: 'spa' };
    if (path === '/adapter.js') response.setHeader('content-type', 'text/javascript').end(variant.adapter);
    else if (path.startsWith('/app/'))
      response.setHeader('content-type', 'text/html').end(pageOf(variant.script, config));
    else response.setHeader('content-type', 'text/html').end(silentPage);
  });

  beforeAll(async () => {
    server = await startServer();
    admin = await administrator(server);
    await new Promise<void>((done) => app.listen(0, '127.0.0.1', done));
    application = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
    const { status } = await admin.send('POST', '/admin/realms', {
      realm: 'spa',
      enabled: true,
      clients: [
        {
          clientId: 'spa',
          publicClient: true,
          redirectUris: [`${application}/*`],
          webOrigins: ['+'],
          attributes: variant.attributes,
        },
      ],
      users: [{ username: 'ann', enabled: true, credentials: [{ type: 'password', value: 'pw' }] }],
    });
    expect(status).toBe(201);
    browser = await startBrowser();
  });
  afterAll(async () => {
    app.close();
    await browser?.close();
  });

  const addressOf = (options: object, route = '') =>
    `${application}/app/${encodeURIComponent(JSON.stringify({ checkLoginIframeInterval: 1, ...options }))}${route}`;
  const open = async (context: BrowserContext, options: object, route?: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(addressOf(options, route));
    return page;
  };
  const signIn = async (page: Page) => {
    await page.getByLabel('Username or email').fill('ann');
    await page.getByLabel('Password').fill('pw');
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const initialised = async (page: Page) => {
    await page.waitForFunction(() => globalThis.initialised !== undefined);
    return page.evaluate(() => globalThis.initialised);
  };
  const username = (page: Page) => page.evaluate(() => keycloak.tokenParsed?.preferred_username);
  const sessions = async () => {
    const [{ id }] = (await admin.send('GET', '/spa/users?username=ann')).body;
    return (await admin.send('GET', `/spa/users/${id}/sessions`)).body.length as number;
  };
  const logOut = async (page: Page) => {
    await page.evaluate((redirectUri) => void keycloak.logout({ redirectUri }), `${application}/bye`);
    if (variant.confirmsLogout) {
      await page.waitForURL(/openid-connect\/logout/);
      await page.getByRole('button').first().click();
    }
    await page.waitForURL(`${application}/bye`);
  };

  it.each(['query', 'fragment'])('logs in where a login is required, answered in the %s', async (responseMode) => {
    const context = await browser.newContext();
    const page = await open(context, { onLoad: 'login-required', responseMode }, '#/orders/7');
    await signIn(page);
    await page.waitForURL(`${application}/**`);
    expect(await initialised(page)).toBe('authenticated');
    expect(await username(page)).toBe('ann');
    expect(await page.evaluate(() => happened)).toContain('onAuthSuccess');
    // the adapter has taken its parameters away; a fragment of the answer stands in the place of the route
    const { hash, search } = new URL(page.url());
    expect([search, hash]).toEqual(['', responseMode === 'query' ? '#/orders/7' : '']);
    await context.close();
  });

  it('refreshes its token', async () => {
    const context = await browser.newContext();
    const page = await open(context, { onLoad: 'login-required' });
    await signIn(page);
    await page.waitForURL(`${application}/**`);
    expect(await initialised(page)).toBe('authenticated');
    const before = await page.evaluate(() => keycloak.token);
    expect(await page.evaluate(() => keycloak.updateToken(5))).toBe(false);
    expect(await page.evaluate(() => keycloak.updateToken(-1))).toBe(true);
    expect(await page.evaluate(() => keycloak.token)).not.toBe(before);
    expect(await page.evaluate(() => happened)).toContain('onAuthRefreshSuccess');
    await context.close();
  });

  it.each(['a frame', 'a redirect'])('checks by %s whether there is a session, in every page', async (how) => {
    const silent = how === 'a frame' && { silentCheckSsoRedirectUri: `${application}/silent.html` };
    const context = await browser.newContext();
    const first = await open(context, { onLoad: 'check-sso', responseMode: 'query', ...silent }, '#/start');
    expect(await initialised(first)).toBe('anonymous');
    expect(new URL(first.url()).hash).toBe('#/start');
    await first.evaluate(() => void keycloak.login());
    await signIn(first);
    await first.waitForURL(`${application}/**`);
    expect(await initialised(first)).toBe('authenticated');
    const second = await open(context, { onLoad: 'check-sso', responseMode: 'query', ...silent }, '#/second');
    expect(await initialised(second)).toBe('authenticated');
    expect([await username(second), new URL(second.url()).hash]).toEqual(['ann', '#/second']);
    await context.close();
  });

  it('logs out, which the frames of other pages notice', async () => {
    const silent = { onLoad: 'check-sso', silentCheckSsoRedirectUri: `${application}/silent.html` };
    const context = await browser.newContext();
    const before = await sessions();
    const first = await open(context, { onLoad: 'login-required' });
    await signIn(first);
    await first.waitForURL(`${application}/**`);
    expect(await initialised(first)).toBe('authenticated');
    expect(await sessions()).toBe(before + 1);
    const second = await open(context, silent);
    expect(await initialised(second)).toBe('authenticated');
    await logOut(first);
    await second.waitForFunction(() => !keycloak.authenticated);
    expect(await second.evaluate(() => happened)).toContain('onAuthLogout');
    expect(await sessions()).toBe(before);
    const third = await open(context, silent);
    expect(await initialised(third)).toBe('anonymous');
    await context.close();
  });
});
