// @both-databases
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { person, shopUser } from '../brokering/world.js';
import { noticeOf, type Page } from '../login/agent.js';
import { callback } from '../login/realm.js';
import { formOf } from '../saml/world.js';
import { begin, endpointOf, follow, logInWith, newBrowser, openWorld, type World } from './world.js';

const email = 'urn:oid:1.2.840.113549.1.9.1';
const property = (name: string, attribute: string, more: Record<string, string> = {}) => ({
  name,
  protocol: 'saml',
  protocolMapper: 'saml-user-property-mapper',
  config: { 'user.attribute': name, 'attribute.name': attribute, ...more },
});
const mapper = (alias: string, type: string, config: Record<string, string>) => ({
  name: type,
  identityProviderAlias: alias,
  identityProviderMapper: type,
  config: { syncMode: 'FORCE', ...config },
});

let world: World;
let later = 0;

beforeAll(async () => {
  world = await openWorld({
    now: () => Date.now() + later,
    people: [
      ...['rita', 'emil', 'otto', 'mona', 'kurt'].map((name) => person(name)),
      person('gus', { attributes: { unit: Array.from({ length: 400 }, (_, at) => `CN=unit ${at},DC=corp`) } }),
    ],
    providers: {
      post: {},
      redirect: { postBindingResponse: 'false', postBindingAuthnRequest: 'false', postBindingLogout: 'false' },
      secret: { wantAssertionsEncrypted: 'true', wantAssertionsSigned: 'true' },
      byAttribute: { principalType: 'ATTRIBUTE', principalAttribute: email },
      byFriendlyName: { principalType: 'FRIENDLY_ATTRIBUTE', principalAttribute: 'mail' },
      lone: { signatureAlgorithm: 'RSA_SHA512', idpEntityId: 'https://somebody.else' },
      transient: { nameIDPolicyFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
    },
    clients: {
      secret: { 'saml.encrypt': 'true' },
    },
    fields: { secret: { storeToken: true, addReadTokenRoleOnCreate: true } },
    protocolMappers: [
      property('email', email, { 'friendly.name': 'mail' }),
      property('firstName', 'urn:oid:2.5.4.42'),
      property('lastName', 'urn:oid:2.5.4.4'),
      {
        ...property('unit', 'unit', { 'aggregate.attrs': 'true' }),
        protocolMapper: 'saml-user-attribute-mapper',
      },
    ],
    mappers: [
      mapper('post', 'saml-user-attribute-idp-mapper', { 'attribute.name': email, 'user.attribute': 'address' }),
      mapper('post', 'saml-role-idp-mapper', {
        'attribute.friendly.name': 'mail',
        'attribute.value': 'pia@corp.example',
        role: 'vip',
      }),
      mapper('post', 'saml-advanced-role-idp-mapper', {
        attributes: `[{"key":"${email}","value":"pia@.*"}]`,
        'are.attribute.values.regex': 'true',
        role: 'staff',
      }),
      mapper('redirect', 'saml-username-idp-mapper', { template: '$' + '{ALIAS}.$' + '{NAMEID | uppercase}' }),
    ],
    shop: { roles: { realm: [{ name: 'vip' }, { name: 'staff' }] } },
  });
});
afterAll(() => world?.server.close());

const arrived = ({ page }: { page: Page }) => page.location ?? noticeOf(page) ?? page.text;
/** The message that a browser takes to the provider. */
const sentBy = (page: Page) => {
  const fields = page.location ? Object.fromEntries(new URL(page.location).searchParams) : formOf(page).fields;
  const bytes = Buffer.from(fields.SAMLRequest ?? '', 'base64');
  return { fields, text: (page.location ? inflateRawSync(bytes) : bytes).toString() };
};

describe('a SAML identity provider', () => {
  it('logs users in by POST, with its mappers, and finds their links', async () => {
    expect(arrived(await logInWith(world, 'post'))).toContain(`${callback}?`);
    const user = await shopUser(world, 'pia');
    expect(user).toMatchObject({
      email: 'pia@corp.example',
      emailVerified: true,
      firstName: 'pia',
      lastName: 'Corporate',
      attributes: { address: ['pia@corp.example'] },
    });
    const { body } = await world.admin.send('GET', `/admin/realms/shop/users/${user.id}/role-mappings/realm`);
    expect(body.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['vip', 'staff']));
    const { body: links } = await world.admin.send('GET', `/admin/realms/shop/users/${user.id}/federated-identity`);
    expect(links).toEqual([{ identityProvider: 'post', userId: 'pia', userName: 'pia' }]);
    // the second time the link is found
    expect(arrived(await logInWith(world, 'post'))).toContain(`${callback}?`);
  });

  it('logs users in by redirects, with a signed query', async () => {
    const { page } = await begin(world, 'redirect');
    const { fields, text } = sentBy(page);
    expect(fields).toMatchObject({ SigAlg: expect.stringContaining('rsa-sha256'), Signature: expect.any(String) });
    expect(text).toContain(`AssertionConsumerServiceURL="${endpointOf(world.server, 'redirect')}"`);
    expect(text).toContain('ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"');
    expect(arrived(await logInWith(world, 'redirect', { username: 'rita' }))).toContain(`${callback}?`);
    expect(await shopUser(world, 'redirect.rita')).toMatchObject({ email: 'rita@corp.example' });
  });

  it('encrypts what it says, and the response is kept for those who may read it', async () => {
    const { browser, page } = await logInWith(world, 'secret', { username: 'emil' });
    expect(page.location).toContain(`${callback}?`);
    expect(browser).toBeDefined();
    const user = await shopUser(world, 'emil');
    const { body } = await world.admin.send('GET', `/admin/realms/shop/users/${user.id}/role-mappings`);
    expect(body.clientMappings.broker.mappings).toMatchObject([{ name: 'read-token' }]);
  });

  it('can say much of a user, also encrypted', async () => {
    expect(arrived(await logInWith(world, 'secret', { username: 'gus' }))).toContain(`${callback}?`);
  });

  it('names its accounts by an attribute if the settings say so', async () => {
    for (const [alias, username] of [
      ['byAttribute', 'otto'],
      ['byFriendlyName', 'mona'],
    ] as const) {
      expect(arrived(await logInWith(world, alias, { username }))).toContain(`${callback}?`);
      const [user] = (await world.admin.send('GET', `/admin/realms/shop/users?email=${username}@corp.example`)).body;
      const { body } = await world.admin.send('GET', `/admin/realms/shop/users/${user.id}/federated-identity`);
      expect(body).toMatchObject([{ identityProvider: alias, userId: `${username}@corp.example` }]);
    }
  });

  it('has to be the one that the settings name, and to name accounts for longer than one login', async () => {
    for (const [alias, reason] of [
      ['lone', 'issuer'],
      ['transient', 'transient_name_id'],
    ] as const) {
      expect(arrived(await logInWith(world, alias, { username: 'kurt' }))).toMatch(/could not be signed in/);
      const [event] = (await world.admin.send('GET', '/admin/realms/shop/events?type=LOGIN_ERROR&max=1')).body;
      expect(event.details.reason).toBe(`the response is not accepted: ${reason}`);
    }
  });

  it('is asked as the settings and the client say', async () => {
    const path = '/admin/realms/shop/identity-provider/instances/post';
    const { body: before } = await world.admin.send('GET', path);
    const config = {
      ...before.config,
      forceAuthn: 'true',
      loginHint: 'true',
      allowCreate: 'false',
      attributeConsumingServiceIndex: '3',
      authnContextComparisonType: 'minimum',
      authnContextClassRefs: '["urn:a","urn:b"]',
      acceptsPromptNoneForwardFromClient: 'true',
      xmlSigKeyInfoKeyNameTransformer: 'CERT_SUBJECT',
    };
    await world.admin.send('PUT', path, { ...before, config });
    const { text } = sentBy((await begin(world, 'post', { parameters: { login_hint: 'pia' } })).page);
    for (const part of [
      'ForceAuthn="true"',
      'AttributeConsumingServiceIndex="3"',
      '<saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified">pia</saml:NameID>',
      'AllowCreate="false"',
      '<samlp:RequestedAuthnContext Comparison="minimum"><saml:AuthnContextClassRef>urn:a</saml:AuthnContextClassRef><saml:AuthnContextClassRef>urn:b<',
      'SignatureValue>',
      '<ds:KeyName>CN=shop',
    ])
      expect(text).toContain(part);
    const silent = await newBrowser(world).shop.get(
      `/auth/realms/shop/protocol/openid-connect/auth?${new URLSearchParams({ client_id: 'app', redirect_uri: callback, response_type: 'code', scope: 'openid', prompt: 'none', kc_idp_hint: 'post' })}`,
    );
    expect(sentBy(silent).text).toContain('IsPassive="true"');
    const browser = newBrowser(world);
    // nobody is logged in there
    expect((await follow(browser, silent)).status).toBe(400);
    await world.admin.send('PUT', path, { ...before, config: { ...before.config, wantAuthnRequestsSigned: 'false' } });
    expect(sentBy((await begin(world, 'post')).page).text).not.toContain('Signature');
    await world.admin.send('PUT', path, before);
  });

  it('may publish its certificates, which are fetched again after they were replaced', async () => {
    const path = '/admin/realms/shop/identity-provider/instances/post';
    const { body: before } = await world.admin.send('GET', path);
    const { signingCertificate: _, ...rest } = before.config;
    const metadataDescriptorUrl = `${world.server.url}/auth/realms/corp/protocol/saml/descriptor`;
    const config = { ...rest, useMetadataDescriptorUrl: 'true', metadataDescriptorUrl };
    await world.admin.send('PUT', path, { ...before, config });
    expect(arrived(await logInWith(world, 'post'))).toContain(`${callback}?`);
    await world.admin.send('PUT', path, {
      ...before,
      config: { ...config, metadataDescriptorUrl: `${metadataDescriptorUrl}-none` },
    });
    expect(arrived(await logInWith(world, 'post'))).toMatch(/could not be signed in/);
    await world.admin.send('PUT', path, { ...before, config });
    const provider = 'org.keycloak.keys.KeyProvider';
    const key = { name: 'new', providerId: 'rsa-generated', providerType: provider, config: { priority: ['500'] } };
    await world.admin.send('POST', '/admin/realms/corp/components', key);
    // the metadata was fetched just now
    expect(arrived(await logInWith(world, 'post'))).toMatch(/could not be signed in/);
    later += 11_000;
    expect(arrived(await logInWith(world, 'post'))).toContain(`${callback}?`);
    await world.admin.send('PUT', path, before);
  });
});
