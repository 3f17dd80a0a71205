import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shopUser } from '../brokering/world.js';
import { type Agent, agentOf, authorizationUrl, linkOf, type Page } from '../login/agent.js';
import { callback, importShop, shop } from '../login/realm.js';
import { formOf, type KeyPair, keyPair } from '../saml/world.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { hasSimpleSaml, type SimpleSaml, startSimpleSaml } from './php.js';

// SimpleSAMLphp as both sides. Each reads the metadata of the other with its own tools.

describe.skipIf(!hasSimpleSaml)('SimpleSAMLphp', () => {
  let server: TestServer;
  let admin: Caller;
  let php: SimpleSaml;
  let keys: KeyPair;

  beforeAll(async () => {
    server = await startServer({ fetchPrivateAddresses: true });
    admin = await administrator(server);
    keys = await keyPair('ssp');
    php = await startSimpleSaml(keys, { provider: `'assertion.encryption' => true, 'sign.logout' => true,` });
    await importShop(admin, { clients: shop.clients });
    const realm = `${server.url}/auth/realms/shop`;
    const text = async (url: string, init?: RequestInit) => (await fetch(url, init)).text();
    // the identity provider, by its metadata
    const fromUrl = `${php.url}/saml2/idp/metadata.php`;
    const { body: config } = await admin.send('POST', '/admin/realms/shop/identity-provider/import-config', {
      providerId: 'saml',
      fromUrl,
    });
    const provider = {
      alias: 'ssp',
      providerId: 'saml',
      trustEmail: true,
      config: {
        ...config,
        postBindingResponse: 'true',
        wantAuthnRequestsSigned: 'true',
        wantAssertionsSigned: 'true',
        wantAssertionsEncrypted: 'true',
        nameIDPolicyFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      },
    };
    expect((await admin.send('POST', '/admin/realms/shop/identity-provider/instances', provider)).status).toBe(201);
    // the service provider, by its metadata
    const metadata = await text(`${php.url}/module.php/saml/sp/metadata.php/default-sp`);
    const described = await text(`${server.url}/auth/admin/realms/shop/client-description-converter`, {
      method: 'POST',
      body: metadata,
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/xml' },
    });
    const client = JSON.parse(described);
    expect((await admin.send('POST', '/admin/realms/shop/clients', client)).status).toBe(201);
    php.trust({
      provider: await text(`${realm}/protocol/saml/descriptor`),
      service: await text(`${realm}/broker/ssp/endpoint/descriptor`),
    });
  });
  afterAll(() => server?.close());

  /** Follows redirects and forms that pages send by themselves, between the two sides. */
  const follow = async (browser: { realm: Agent; php: Agent }, page: Page): Promise<Page> => {
    const isForm = /name="SAML(Request|Response)"/.test(page.text);
    const to = page.location ?? (isForm ? formIn(page).action : undefined);
    if (to === undefined || to.startsWith(callback)) return page;
    const address = new URL(to, page.url.startsWith('http') ? page.url : server.url).href;
    const agent = address.startsWith(php.url) ? browser.php : browser.realm;
    return follow(browser, page.location ? await agent.get(address) : await agent.post(address, formIn(page).fields));
  };
  const newBrowser = () => ({ realm: agentOf(server), php: agentOf(server) });

  it('as the identity provider logs users in and out', async () => {
    const browser = newBrowser();
    const start = await browser.realm.get(authorizationUrl('shop', { client_id: 'app', redirect_uri: callback }));
    const form = await follow(browser, await browser.realm.get(linkOf(start, '/broker/ssp/login')));
    expect(form.text).toContain('name="username"');
    const state = /name="AuthState" value="([^"]+)"/.exec(form.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const sent = await browser.php.post(form.url.split('?')[0] ?? '', {
      username: 'ann',
      password: 'pw-ann',
      AuthState: state,
    });
    const done = await follow(browser, sent);
    expect(done.location ?? done.text).toContain(`${callback}?`);
    expect(await shopUser({ server, admin }, 'ann-of-ssp')).toMatchObject({
      email: 'anna@ssp.example',
      emailVerified: true,
      firstName: 'Anna',
      lastName: 'Simple',
    });
    const confirm = await browser.realm.get('/auth/realms/shop/protocol/openid-connect/logout');
    const out = await follow(browser, await browser.realm.submit(confirm, formOf(confirm).fields));
    expect(out.text).toContain('You are logged out');
    // the session there has ended, too
    const again = await browser.realm.get(authorizationUrl('shop', { client_id: 'app', redirect_uri: callback }));
    const asked = await follow(browser, await browser.realm.get(linkOf(again, '/broker/ssp/login')));
    expect(asked.text).toContain('name="username"');
  });

  it('as a service provider has users of the realm log in and out', async () => {
    const browser = newBrowser();
    const entity = `${server.url}/auth/realms/shop`;
    const query = new URLSearchParams({
      AuthId: 'default-sp',
      'saml:idp': entity,
      ReturnTo: `${php.url}/module.php/core/authenticate.php?as=default-sp`,
    });
    const begun = await browser.php.get(`${php.url}/module.php/core/as_login.php?${query}`);
    const login = await follow(browser, begun);
    expect(login.text).toContain('name="password"');
    const shown = await follow(browser, await browser.realm.submit(login, { username: 'ann', password: 'pw-ann' }));
    // a role of the realm
    expect(shown.text).toContain('offline_access');
    const out = await browser.php.get(`${php.url}/module.php/core/authenticate.php?as=default-sp&logout=true`);
    await follow(browser, out);
    const asked = await follow(browser, await browser.php.get(`${php.url}/module.php/core/as_login.php?${query}`));
    expect(asked.text).toContain('name="password"');
  });
});

/** Address and fields of a form that a page sends by itself. */
function formIn({ text }: Page): { action: string; fields: Record<string, string> } {
  const plain = (value = '') =>
    value.replaceAll('&#x2F;', '/').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
  const action = plain(/<form[^>]*\saction="([^"]+)"/.exec(text)?.[1]);
  const inputs = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return { action, fields: Object.fromEntries(inputs.map(([, name = '', value]) => [name, plain(value)])) };
}
