import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';

let realm: string;
let admin: Caller;

const get = (path: string, accept?: string) => fetch(`${realm}${path}`, { headers: accept ? { accept } : {} });

beforeAll(async () => {
  const server = await startServer();
  realm = `${server.url}/auth/realms/shop`;
  admin = await administrator(server);
  const saml = { alias: 'a b', providerId: 'saml', config: { singleSignOnServiceUrl: 'https://idp.example.org/sso' } };
  const identityProviders = [saml, { alias: 'op', providerId: 'oidc', config: {} }];
  expect((await admin.send('POST', '/', { realm: 'shop', enabled: true, identityProviders })).status).toBe(201);
});

describe('the SAML metadata that anybody may read', () => {
  it('has the certificates of the realm as an identity provider', async () => {
    const answer = await get('/protocol/saml/descriptor');
    expect(answer.headers.get('content-type')).toMatch(/^application\/xml/);
    const { keys } = (await admin.send('GET', '/shop/keys')).body;
    const key = keys.find((one: { algorithm: string; use: string }) => one.algorithm === 'RS256' && one.use === 'SIG');
    const text = await answer.text();
    expect(text).toContain(`entityID="${realm}"`);
    expect(text).toContain(`<ds:X509Certificate>${key.certificate}</ds:X509Certificate>`);
  });

  it('is XML or nothing', async () => {
    for (const [accept, status] of [
      ['application/xml', 200],
      ['application/json', 406],
      ['text/html', 406],
    ] as const)
      expect((await get('/protocol/saml/descriptor', accept)).status).toBe(status);
    for (const path of ['/protocol/saml/descriptor', '/broker/a%20b/endpoint/descriptor']) {
      expect((await fetch(`${realm}${path}`, { method: 'HEAD' })).status).toBe(200);
      const posted = await fetch(`${realm}${path}`, { method: 'POST' });
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
    }
  });

  it('is that of a provider by its alias, as administrators export it', async () => {
    const answer = await get('/broker/a%20b/endpoint/descriptor', 'application/json');
    const exported = await admin.send('GET', '/shop/identity-provider/instances/a%20b/export');
    const withoutId = (text: string) => text.replace(/ ID="[^"]*"/, '');
    const text = withoutId(await answer.text());
    // the recorded form has parts without content, which schemas do not allow
    const empty = /<md:NameIDFormat\/>|<md:AttributeConsumingService isDefault="true" index="1"\/>/g;
    expect(text).toBe(withoutId(exported.body).replace(empty, ''));
    expect(text).not.toMatch(/AttributeConsumingService|NameIDFormat/);
  });

  it('names the attributes and bindings of the settings, and may be signed', async () => {
    const at = '/shop/identity-provider/instances/a%20b';
    const { body: before } = await admin.send('GET', at);
    const more = { postBindingResponse: 'true', signSpMetadata: 'true', attributeConsumingServiceName: 'Shop' };
    await admin.send('PUT', at, { ...before, config: { ...before.config, ...more } });
    const mapper = {
      name: 'mail',
      identityProviderAlias: 'a b',
      identityProviderMapper: 'saml-user-attribute-idp-mapper',
      config: { 'attribute.name': 'mail', 'user.attribute': 'email' },
    };
    expect((await admin.send('POST', `${at}/mappers`, mapper)).status).toBe(201);
    const text = await (await get('/broker/a%20b/endpoint/descriptor')).text();
    expect(text).toMatch(/<md:EntityDescriptor[^>]*><ds:Signature/);
    expect(text).toContain('<md:ServiceName xml:lang="en">Shop</md:ServiceName><md:RequestedAttribute Name="mail"');
    expect(text).toMatch(/<md:AssertionConsumerService Binding="[^"]*HTTP-POST"/);
    expect(text).toMatch(/<md:SingleLogoutService Binding="[^"]*HTTP-Redirect"/);
  });

  it('is there for SAML providers only', async () => {
    for (const alias of ['op', 'none', '%00', '%']) {
      const status = (await get(`/broker/${alias}/endpoint/descriptor`)).status;
      expect([400, 404]).toContain(status);
    }
    expect((await fetch(`${realm}x/broker/a%20b/endpoint/descriptor`)).status).toBe(404);
  });
});
