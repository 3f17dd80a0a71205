// @both-databases
import { verify, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { SamlConfig } from '@node-saml/node-saml';
import { beforeAll, describe, expect, it } from 'vitest';
import encryption from 'xml-encryption';
import { agentOf, answerOf, authorizationUrl, type Page } from '../login/agent.js';
import { callback } from '../login/realm.js';
import {
  consumer,
  endpoint,
  eventsOf,
  formOf,
  logIn,
  openWorld,
  providerOf,
  responseOn,
  samlClient,
  type World,
} from './world.js';

let world: World;

const mapper = (protocolMapper: string, config: Record<string, string>) => ({
  name: `${protocolMapper} ${JSON.stringify(config)}`.slice(0, 200),
  protocol: 'saml',
  protocolMapper,
  config,
});

const canonicalizations = {
  exclusive: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  inclusive: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  'inclusive with comments': 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments',
};

beforeAll(async () => {
  world = await openWorld(
    (keys) => {
      const sealed = (clientId: string, attributes: Record<string, string> = {}) =>
        samlClient(keys, {
          clientId,
          attributes: {
            'saml.encrypt': 'true',
            'saml.encryption.certificate': keys.certificate,
            ...Object.fromEntries(
              Object.entries(attributes).map(([name, value]) => [`saml.encryption.${name}`, value]),
            ),
          },
        });
      return [
        samlClient(keys, { clientId: 'sp' }),
        samlClient(keys, { clientId: 'other', attributes: { 'saml.server.signature.keyinfo.ext': 'true' } }),
        sealed('sealed'),
        sealed('sealed cbc', { algorithm: 'http://www.w3.org/2001/04/xmlenc#aes128-cbc' }),
        sealed('sealed new', {
          keyAlgorithm: 'http://www.w3.org/2009/xmlenc11#rsa-oaep',
          digestMethod: 'http://www.w3.org/2001/04/xmlenc#sha256',
          maskGenerationFunction: 'http://www.w3.org/2009/xmlenc11#mgf1sha1',
        }),
        sealed('sealed wrongly', { certificate: 'nonsense' }),
        samlClient(keys, {
          clientId: 'by redirect',
          attributes: {
            'saml.client.signature': 'false',
            'saml.force.post.binding': 'false',
            'saml.server.signature.keyinfo.ext': 'true',
          },
        }),
        ...Object.entries(canonicalizations).map(([name, method]) =>
          samlClient(keys, { clientId: name, attributes: { saml_signature_canonicalization_method: method } }),
        ),
        ...['RSA_SHA1', 'RSA_SHA512', 'RSA_SHA256_MGF1', 'RSA_SHA512_MGF1'].map((algorithm) =>
          samlClient(keys, { clientId: algorithm, attributes: { 'saml.signature.algorithm': algorithm } }),
        ),
        ...['NONE', 'KEY_ID', 'CERT_SUBJECT'].map((name) =>
          samlClient(keys, {
            clientId: `key ${name}`,
            attributes: { 'saml.server.signature.keyinfo.xmlSigKeyInfoKeyNameTransformer': name },
          }),
        ),
        samlClient(keys, {
          clientId: 'plain',
          redirectUris: [],
          adminUrl: 'http://sp.example/all',
          attributes: {
            'saml.client.signature': 'false',
            'saml.server.signature': 'false',
            'saml.assertion.signature': 'false',
            'saml.authnstatement': 'false',
            'saml.onetimeuse.condition': 'true',
            'saml.assertion.lifespan': '77',
            'saml.multivalued.roles': 'true',
          },
        }),
        samlClient(keys, {
          clientId: 'mapped',
          protocolMappers: [
            mapper('saml-user-property-mapper', {
              'user.attribute': 'email',
              'attribute.name': 'mail',
              'attribute.nameformat': 'URI Reference',
              'friendly.name': 'Mail',
            }),
            mapper('saml-user-attribute-mapper', { 'user.attribute': 'colour', 'attribute.name': 'colour' }),
            mapper('saml-hardcode-attribute-mapper', {
              'attribute.value': '<fixed> & "kept"',
              'attribute.name': 'fixed',
            }),
            mapper('saml-hardcode-role-mapper', { role: 'everybody' }),
            mapper('saml-role-name-mapper', { role: 'offline_access', 'new.role.name': 'renamed' }),
            mapper('saml-group-membership-mapper', { 'attribute.name': 'member', single: 'true', 'full.path': 'true' }),
            mapper('saml-audience-mapper', { 'included.custom.audience': 'https://another.example' }),
            mapper('saml-audience-resolve-mapper', {}),
            mapper('saml-user-session-note-mapper', { note: 'AUTH_TIME', 'attribute.name': 'since' }),
            mapper('saml-user-attribute-nameid-mapper', {
              'mapper.nameid.format': 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
              'user.attribute': 'colour',
            }),
            mapper('saml-javascript-mapper', { Script: 'exports = "x"', 'attribute.name': 'script' }),
          ],
        }),
        samlClient(keys, {
          clientId: 'forced',
          attributes: { saml_name_id_format: 'email', saml_force_name_id_format: 'true' },
        }),
        samlClient(keys, { clientId: 'asked', consentRequired: true }),
        samlClient(keys, {
          clientId: 'initiated',
          attributes: {
            saml_idp_initiated_sso_url_name: 'start here',
            saml_idp_initiated_sso_relay_state: 'deep link',
            saml_assertion_consumer_url_post: 'http://sp.example/initiated',
          },
        }),
        samlClient(keys, { clientId: 'switched off', enabled: false }),
        samlClient(keys, { clientId: 'no browsers', standardFlowEnabled: false }),
        samlClient(keys, { clientId: 'level 1', attributes: { 'minimum.acr.value': '1' } }),
        samlClient(keys, { clientId: 'level 2', attributes: { 'minimum.acr.value': '2' } }),
        samlClient(keys, { clientId: 'artifacts', attributes: { 'saml.artifact.binding': 'true' } }),
        samlClient(keys, {
          clientId: 'scripted',
          redirectUris: ['*'],
          attributes: { saml_assertion_consumer_url_post: 'javascript:alert(1)' },
        }),
      ];
    },
    {
      groups: [{ name: 'staff', subGroups: [{ name: 'sales' }] }],
      bruteForceProtected: true,
      failureFactor: 2,
      users: ['ann', 'bob', 'carl'].map((username) => ({
        username,
        enabled: true,
        email: `${username}@example.org`,
        firstName: username,
        lastName: 'Tester',
        attributes: { colour: ['red', 'blue'] },
        credentials: [{ type: 'password', value: `pw-${username}` }],
        realmRoles: ['offline_access'],
        clientRoles: { account: ['view-profile'] },
        groups: ['/staff/sales'],
        requiredActions: username === 'bob' ? ['UPDATE_PASSWORD'] : [],
      })),
    },
  );
});

interface Wanted {
  options?: Partial<SamlConfig>;
  agent?: ReturnType<typeof agentOf>;
  relayState?: string;
}

/** Sends a login request of a client by a query, logs in if asked, and returns the last page with the provider. */
async function logInAt(clientId: string, { options, agent = agentOf(world.server), relayState = '' }: Wanted = {}) {
  const provider = providerOf(world, clientId, options);
  const begun = await agent.get(await provider.getAuthorizeUrlAsync(relayState, undefined, {}));
  const page = begun.text.includes('name="password"') ? await logIn(agent, begun) : begun;
  return { provider, agent, page };
}

const profileOn = async ({ provider, page }: { provider: ReturnType<typeof providerOf>; page: Page }) =>
  (await provider.validatePostResponseAsync(formOf(page).fields)).profile;

/** The assertion of a response, decrypted with the key of the clients. */
const decrypted = (text: string): Promise<string> =>
  promisify(encryption.decrypt)(/<xenc:EncryptedData[\s\S]*EncryptedData>/.exec(text)?.[0] ?? '', {
    key: world.keys.pem,
  });

describe('a login at a SAML client', () => {
  it('begins with a signed query, and ends with a signed response in a form', async () => {
    const login = await logInAt('sp', { relayState: 'state&"more"<b>' });
    const { action, fields } = formOf(login.page);
    expect(action).toBe(consumer);
    expect(fields.RelayState).toBe('state&"more"<b>');
    expect(login.page.text).not.toContain('"more"<b>');
    expect(login.page.headers.get('content-security-policy')).toContain("script-src 'sha256-");
    const profile = await profileOn(login);
    expect(profile).toMatchObject({ nameID: 'ann', issuer: `${world.server.url}/auth/realms/shop` });
    expect(profile?.Role).toContain('offline_access');
    const [event] = await eventsOf(world, 'LOGIN');
    expect(event).toMatchObject({ clientId: 'sp', details: { auth_method: 'saml', redirect_uri: consumer } });
  });

  it('begins with a signed document in a form', async () => {
    const provider = providerOf(world, 'sp', { authnRequestBinding: 'HTTP-POST', skipRequestCompression: true });
    const agent = agentOf(world.server);
    const { SAMLRequest } = await provider.getAuthorizeMessageAsync('', undefined, {});
    const page = await agent.post(endpoint(world), { SAMLRequest: String(SAMLRequest), RelayState: 'r' });
    expect(await profileOn({ provider, page: await logIn(agent, page) })).toMatchObject({ nameID: 'ann' });
  });

  it.each(['sealed', 'sealed cbc', 'sealed new'])('encrypts the assertion: %s', async (clientId) => {
    const login = await logInAt(clientId, { options: { decryptionPvk: world.keys.pem } });
    const text = responseOn(login.page);
    expect(text).toContain('EncryptedAssertion');
    expect(text).not.toContain('>ann<');
    // node-saml does not know the newer way to encrypt keys
    if (clientId === 'sealed new') expect(await decrypted(text)).toContain('>ann</saml:NameID>');
    else expect(await profileOn(login)).toMatchObject({ nameID: 'ann' });
  });

  it('is refused if the assertion cannot be encrypted', async () => {
    const { page } = await logInAt('sealed wrongly');
    expect(responseOn(page)).toContain('status:RequestUnsupported');
    expect(responseOn(page)).not.toContain('Assertion ');
  });

  it('is answered by a signed query, as it was asked for, if the client does not force the other binding', async () => {
    const xml = `<p:AuthnRequest xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" ID="a1" Version="2.0" IssueInstant="${new Date().toISOString()}"><Issuer xmlns="urn:oasis:names:tc:SAML:2.0:assertion">by redirect</Issuer></p:AuthnRequest>`;
    const sent = new URLSearchParams({ SAMLRequest: deflateRawSync(xml).toString('base64'), RelayState: 'a b&c' });
    const agent = agentOf(world.server);
    // the client has no address for this binding
    expect((await agent.get(`${endpoint(world)}?${sent}`)).status).toBe(400);
    const named = xml.replace('ID=', `AssertionConsumerServiceURL="${consumer}" ID=`);
    sent.set('SAMLRequest', deflateRawSync(named).toString('base64'));
    const { location } = await logIn(agent, await agent.get(`${endpoint(world)}?${sent}`));
    const { search, searchParams } = new URL(location ?? '');
    expect(searchParams.get('RelayState')).toBe('a b&c');
    const [signed = ''] = search.slice(1).split('&Signature=');
    const { publicKey } = new X509Certificate(Buffer.from(world.certificate, 'base64'));
    const signature = Buffer.from(searchParams.get('Signature') ?? '', 'base64');
    expect(verify('sha256', Buffer.from(signed), publicKey, signature)).toBe(true);
    const text = inflateRawSync(Buffer.from(searchParams.get('SAMLResponse') ?? '', 'base64')).toString();
    expect(text).toContain('<kckey:KeyInfo xmlns:kckey="urn:keycloak:ext:key:1.0" MessageSigningKeyId="');
    // that of the assertion
    expect(text.match(/<ds:Signature /g)).toHaveLength(1);
  });

  it.each(Object.keys(canonicalizations))('is signed with the canonicalization %s', async (clientId) => {
    const login = await logInAt(clientId);
    expect(responseOn(login.page)).toContain(
      `CanonicalizationMethod Algorithm="${canonicalizations[clientId as never]}"`,
    );
    expect(await profileOn(login)).toMatchObject({ nameID: 'ann' });
  });

  it.each([
    ['RSA_SHA1', 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'],
    ['RSA_SHA512', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512'],
    ['RSA_SHA256_MGF1', 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1'],
    ['RSA_SHA512_MGF1', 'http://www.w3.org/2007/05/xmldsig-more#sha512-rsa-MGF1'],
  ])('is signed with the algorithm %s', async (clientId, uri) => {
    const login = await logInAt(clientId);
    expect(responseOn(login.page)).toContain(`SignatureMethod Algorithm="${uri}"`);
    // node-saml does not know this one
    if (clientId !== 'RSA_SHA512_MGF1') expect(await profileOn(login)).toMatchObject({ nameID: 'ann' });
  });

  it('names the key as the client wants it', async () => {
    const nameIn = async (clientId: string) =>
      /<ds:KeyName>([^<]*)</.exec(responseOn((await logInAt(clientId)).page))?.[1];
    expect(await nameIn('key NONE')).toBeUndefined();
    expect(await nameIn('key KEY_ID')).toMatch(/^[\w-]{43}$/);
    const { subject } = new X509Certificate(Buffer.from(world.certificate, 'base64'));
    expect(await nameIn('key CERT_SUBJECT')).toBe(subject);
  });

  it('has what the settings of the client say', async () => {
    const { page } = await logInAt('plain', {
      options: { privateKey: undefined as never, callbackUrl: 'http://sp.example/all', disableRequestAcsUrl: true },
    });
    expect(formOf(page).action).toBe('http://sp.example/all');
    const text = responseOn(page);
    expect(text).not.toMatch(/Signature|AuthnStatement/);
    expect(text).toContain('<saml:OneTimeUse/>');
    expect(text.match(/Name="Role"/g)).toHaveLength(1);
    const [issued, , until] = [...text.matchAll(/(?:IssueInstant|NotOnOrAfter)="([^"]+)"/g)].map(([, at]) =>
      Date.parse(at ?? ''),
    );
    expect((until ?? 0) - (issued ?? 0)).toBe(77_000);
  });

  it('has what the mappers of the client write', async () => {
    const login = await logInAt('mapped', {
      options: { identifierFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' },
    });
    const profile = await profileOn(login);
    expect(profile).toMatchObject({
      nameID: 'red',
      mail: 'ann@example.org',
      colour: ['red', 'blue'],
      fixed: '<fixed> & "kept"',
      member: '/staff/sales',
    });
    expect(profile?.since).toMatch(/^\d{10}$/);
    expect(profile).not.toHaveProperty('script');
    const text = responseOn(login.page);
    const roles = [...text.matchAll(/Name="Role"[^>]*>(?:<[^>]*>)([^<]*)</g)].map(([, name]) => name);
    expect(roles).toEqual(expect.arrayContaining(['renamed', 'everybody', 'view-profile']));
    expect(roles).not.toContain('offline_access');
    expect(text).toContain(
      'FriendlyName="Mail" Name="mail" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri"',
    );
    const audiences = [...text.matchAll(/<saml:Audience>([^<]*)</g)].map(([, name]) => name);
    expect(audiences).toEqual(['mapped', 'https://another.example', 'account']);
  });

  it('names the user in the format of the request, or the one that the client forces', async () => {
    const format = (name: string, version = '1.1') => `urn:oasis:names:tc:SAML:${version}:nameid-format:${name}`;
    const nameIdOf = async (clientId: string, identifierFormat: string | null) =>
      profileOn(await logInAt(clientId, { options: { identifierFormat } }));
    expect(await nameIdOf('sp', format('emailAddress'))).toMatchObject({ nameID: 'ann@example.org' });
    expect(await nameIdOf('sp', format('transient', '2.0'))).toMatchObject({ nameID: expect.stringMatching(/^G-/) });
    const [one, again, other] = [
      await nameIdOf('sp', format('persistent', '2.0')),
      await nameIdOf('sp', format('persistent', '2.0')),
      await nameIdOf('other', format('persistent', '2.0')),
    ];
    expect(one?.nameID).toMatch(/^G-/);
    expect(again?.nameID).toBe(one?.nameID);
    expect(other?.nameID).not.toBe(one?.nameID);
    expect(await nameIdOf('forced', format('kerberos', '2.0'))).toMatchObject({ nameID: 'ann@example.org' });
    expect((await logInAt('sp', { options: { identifierFormat: format('kerberos', '2.0') } })).page.status).toBe(400);
  });

  it('uses the session of the browser, also that of a client of another protocol', async () => {
    const { agent } = await logInAt('sp');
    const open = await agent.get(
      authorizationUrl('shop', { client_id: 'app', redirect_uri: callback, prompt: 'none' }),
    );
    expect(answerOf(open)).toHaveProperty('code');
    const back = agentOf(world.server);
    await logIn(back, await back.get(authorizationUrl('shop', { client_id: 'app', redirect_uri: callback })));
    const provider = providerOf(world, 'other', { passive: true });
    const page = await back.get(await provider.getAuthorizeUrlAsync('', undefined, {}));
    expect(await profileOn({ provider, page })).toMatchObject({ nameID: 'ann' });
  });

  it('asks nobody if it is passive, and everybody if it is forced', async () => {
    const silent = providerOf(world, 'sp', { passive: true });
    const refused = await agentOf(world.server).get(await silent.getAuthorizeUrlAsync('', undefined, {}));
    expect(responseOn(refused)).toContain('urn:oasis:names:tc:SAML:2.0:status:NoPassive');
    await expect(silent.validatePostResponseAsync(formOf(refused).fields)).resolves.toMatchObject({ profile: null });
    const { agent } = await logInAt('sp');
    const forced = providerOf(world, 'sp', { forceAuthn: true });
    const page = await agent.get(await forced.getAuthorizeUrlAsync('', undefined, {}));
    expect(page.text).toContain('name="password"');
    expect(await profileOn({ provider: forced, page: await logIn(agent, page) })).toMatchObject({
      nameID: 'ann',
    });
  });

  it('is answered once, also if two browsers send the request', async () => {
    const url = await providerOf(world, 'sp').getAuthorizeUrlAsync('r', undefined, {});
    const [first, second] = [agentOf(world.server), agentOf(world.server)];
    const pages = [await first.get(url), await second.get(url)] as const;
    expect(formOf(await logIn(first, pages[0])).fields).toHaveProperty('SAMLResponse');
    const replayed = await logIn(second, pages[1]);
    expect([replayed.status, replayed.text.includes('SAMLResponse')]).toEqual([400, false]);
  });

  it('is refused to the client if it is below its minimum level', async () => {
    expect(await profileOn(await logInAt('level 1'))).toMatchObject({ nameID: 'ann' });
    const { agent } = await logInAt('sp');
    for (const { page } of [await logInAt('level 2'), await logInAt('level 2', { agent })])
      expect(responseOn(page)).toContain('urn:oasis:names:tc:SAML:2.0:status:NoAuthnContext');
  });

  it('asks for consent, and tells the client that it was not given', async () => {
    const { agent, page, provider } = await logInAt('asked');
    expect(page.text).toContain('My roles');
    const refused = await agent.submit(page, { cancel: '' });
    expect(responseOn(refused)).toContain('urn:oasis:names:tc:SAML:2.0:status:RequestDenied');
    const again = await agent.get(await provider.getAuthorizeUrlAsync('', undefined, {}));
    const asked = again.text.includes('name="password"') ? await logIn(agent, again) : again;
    expect(await profileOn({ provider, page: await agent.submit(asked, { accept: '' }) })).toMatchObject({
      nameID: 'ann',
    });
  });

  it('has the required actions of the user, and the limit of failed attempts', async () => {
    const provider = providerOf(world, 'sp');
    const agent = agentOf(world.server);
    const begin = async () => agent.get(await provider.getAuthorizeUrlAsync('', undefined, {}));
    const action = await logIn(agent, await begin(), 'bob');
    expect(action.text).toContain('Please choose a new password');
    const done = await agent.submit(action, { 'password-new': 'new-bob', 'password-confirm': 'new-bob' });
    expect(await profileOn({ provider, page: done })).toMatchObject({ nameID: 'bob' });
    const other = agentOf(world.server);
    let page = await other.get(await provider.getAuthorizeUrlAsync('', undefined, {}));
    for (let failures = 0; failures < 2; failures += 1) {
      page = await other.submit(page, { username: 'carl', password: 'wrong' });
    }
    expect((await logIn(other, page, 'carl')).text).not.toContain('SAMLResponse');
    const errors = (await eventsOf(world, 'LOGIN_ERROR')).map(({ error, details }) => [error, details]);
    expect(errors[0]).toEqual(['user_temporarily_disabled', expect.objectContaining({ auth_method: 'saml' })]);
  });

  it('begins at the server without a request', async () => {
    const agent = agentOf(world.server);
    const page = await logIn(agent, await agent.get(`${endpoint(world)}/clients/start%20here`));
    const { action, fields } = formOf(page);
    expect([action, fields.RelayState]).toEqual(['http://sp.example/initiated', 'deep link']);
    expect(responseOn(page)).not.toContain('InResponseTo');
    const provider = providerOf(world, 'initiated', { validateInResponseTo: 'never' as never });
    expect((await provider.validatePostResponseAsync(fields)).profile).toMatchObject({ nameID: 'ann' });
    const named = await agent.get(`${endpoint(world)}/clients/start%20here?RelayState=other`);
    expect(formOf(named).fields.RelayState).toBe('other');
    for (const name of ['none', 'start%20here%00', '%25', "'"]) {
      expect((await agent.get(`${endpoint(world)}/clients/${name}`)).status, name).toBe(
        name.includes('%00') ? 200 : 400,
      );
    }
  });

  it('is refused on a page if the client cannot be told', async () => {
    const refused = async (clientId: string, options: Partial<SamlConfig> = {}) => {
      const { page } = await logInAt(clientId, { options });
      expect(page.status, clientId).toBe(400);
      return (await eventsOf(world, 'LOGIN_ERROR'))[0]?.error;
    };
    expect(await refused('nobody')).toBe('client_not_found');
    expect(await refused('switched off')).toBe('client_disabled');
    expect(await refused('no browsers')).toBe('not_allowed');
    expect(await refused('app')).toBe('invalid_client');
    expect(await refused('sp', { callbackUrl: 'http://evil.example/acs' })).toBe('invalid_redirect_uri');
    expect(await refused('sp', { callbackUrl: `${consumer}/../evil` })).toBe('invalid_redirect_uri');
    expect(await refused('scripted', { callbackUrl: 'javascript:alert(1)' })).toBe('invalid_redirect_uri');
    expect(await refused('scripted', { disableRequestAcsUrl: true })).toBe('invalid_redirect_uri');
    expect(await refused('scripted', { callbackUrl: 'http://sp.example/acs?SAMLResponse=x' })).toBe(
      'invalid_redirect_uri',
    );
    const oidc = await agentOf(world.server).get(authorizationUrl('shop', { client_id: 'sp', redirect_uri: consumer }));
    expect(oidc.status).toBe(400);
  });

  it('is refused to the client if it wants an artifact', async () => {
    const { page } = await logInAt('artifacts');
    expect(responseOn(page)).toContain('urn:oasis:names:tc:SAML:2.0:status:UnsupportedBinding');
    const agent = agentOf(world.server);
    expect((await agent.get(`${endpoint(world)}?SAMLart=AAQ`)).status).toBe(400);
    expect((await agent.get(endpoint(world))).status).toBe(400);
  });
});
