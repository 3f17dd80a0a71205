import { unzipSync } from 'fflate';
import { IdentityProvider, ServiceProvider, setSchemaValidator } from 'samlify';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseXml } from '../../src/services/core/xml.js';
import { installationProviders } from '../../src/services/installation/providers.js';
import { type Caller, startWithRealm, userOf } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

const realm = 'install';
const strange = 'a"><b & $(c) \\ \u0001';
let server: TestServer;
let admin: Caller;
let viewer: Caller;

beforeAll(async () => {
  setSchemaValidator({ validate: async () => 'not validated against the schema' });
  ({ server, admin } = await startWithRealm({
    realm,
    enabled: true,
    users: [
      {
        username: 'viewer',
        enabled: true,
        credentials: [{ type: 'password', value: 'pw' }],
        clientRoles: { 'realm-management': ['view-clients'] },
      },
    ],
  }));
  const attributes = {
    'saml.encrypt': 'true',
    'saml.assertion.signature': 'true',
    saml_assertion_consumer_url_post: 'https://sp.example/acs?a=1&b=2',
    saml_single_logout_service_url_post: 'https://sp.example/slo',
    saml_name_id_format: 'email',
  };
  for (const client of [
    { id: 'sp', clientId: 'https://sp.example/metadata', protocol: 'saml', attributes },
    { id: 'strange', clientId: strange, secret: strange },
    { id: 'app', clientId: 'app', secret: 'app-secret', clientAuthenticatorType: 'client-secret-jwt' },
  ]) {
    expect((await admin.send('POST', `/${realm}/clients`, client)).status).toBe(201);
  }
  await admin.send('POST', `/${realm}/clients/sp/certificates/saml.encryption/generate`);
  viewer = await userOf(server, realm, 'viewer', 'pw');
});

async function fetched(client: string, provider: string, caller = admin) {
  const response = await fetch(`${server.url}/auth/${realm}/clients/${client}/installation/providers/${provider}`, {
    headers: { authorization: `Bearer ${caller.token}` },
  });
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}
const text = async (client: string, provider: string, caller = admin) =>
  new TextDecoder().decode(await fetched(client, provider, caller));

const certificate = async (use: string) =>
  (await admin.send('GET', `/${realm}/clients/sp/certificates/saml.${use}`)).body.certificate as string;

describe('SAML metadata', () => {
  it('of a client is read by another library', async () => {
    const { entityMeta } = ServiceProvider({ metadata: await text('sp', 'saml-sp-descriptor') });
    expect(entityMeta.getEntityID()).toBe('https://sp.example/metadata');
    expect(entityMeta.isAuthnRequestSigned()).toBe(true);
    expect(entityMeta.isWantAssertionsSigned()).toBe(true);
    expect(entityMeta.getAssertionConsumerService('post')).toBe('https://sp.example/acs?a=1&b=2');
    expect(entityMeta.getSingleLogoutService('post')).toBe('https://sp.example/slo');
    expect([entityMeta.getNameIDFormat()].flat()).toEqual(['urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress']);
    expect(entityMeta.getX509Certificate('signing')).toBe(await certificate('signing'));
    expect(entityMeta.getX509Certificate('encryption')).toBe(await certificate('encryption'));
  });

  it('of the realm is in the archive for mod_auth_mellon, with the keys of the client', async () => {
    const files = unzipSync(await fetched('sp', 'mod-auth-mellon'));
    expect(Object.keys(files).toSorted()).toEqual([
      'client-cert.pem',
      'client-private-key.pem',
      'idp-metadata.xml',
      'sp-metadata.xml',
    ]);
    const { entityMeta } = IdentityProvider({ metadata: new TextDecoder().decode(files['idp-metadata.xml']) });
    const issuer = `${server.url}/auth/realms/${realm}`;
    expect(entityMeta.getEntityID()).toBe(issuer);
    expect(entityMeta.getSingleSignOnService('post')).toBe(`${issuer}/protocol/saml`);
    expect(new TextDecoder().decode(files['client-private-key.pem'])).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
  });
});

describe('the formats', () => {
  it.each(installationProviders.map(({ id }) => id))('%s is there for any client', async (provider) => {
    for (const client of ['sp', 'strange', 'app']) {
      expect((await fetched(client, provider)).length).toBeGreaterThan(10);
    }
  });

  it.each(['keycloak-oidc-jboss-subsystem', 'keycloak-saml', 'keycloak-saml-subsystem', 'saml-sp-descriptor'])(
    '%s is well-formed XML, whatever the client is called',
    async (provider) => {
      for (const client of ['sp', 'strange']) {
        const xml = await text(client, provider);
        expect(Object.keys(await parseXml(xml, 'xml'))).toHaveLength(1);
        expect(xml).not.toContain('\u0001');
      }
    },
  );

  it('keep a name within its quotes', async () => {
    const cli = await text('strange', 'keycloak-oidc-jboss-subsystem-cli');
    expect(cli).toContain(String.raw`resource="a\"><b & \$(c) \\ `);
    expect(JSON.parse(await text('strange', 'keycloak-oidc-keycloak-json'))).toMatchObject({ resource: strange });
  });

  it('say how the client proves who it is', async () => {
    const json = JSON.parse(await text('app', 'keycloak-oidc-keycloak-json'));
    expect(json.credentials).toEqual({ 'secret-jwt': { secret: 'app-secret' } });
  });

  it('have private keys only for who may change clients', async () => {
    expect(await text('sp', 'keycloak-saml')).toContain('-----BEGIN PRIVATE KEY-----');
    expect(await text('sp', 'keycloak-saml', viewer)).not.toContain('-----BEGIN PRIVATE KEY-----');
    const files = unzipSync(await fetched('sp', 'mod-auth-mellon', viewer));
    expect(files).not.toHaveProperty('client-private-key.pem');
  });

  it('are there in GraphQL', async () => {
    const query = `{ realm(name: "${realm}") { client(clientId: "app") {
      installation(format: KEYCLOAK_OIDC_KEYCLOAK_JSON) { filename mediaType text base64 } } } }`;
    type Data = { realm: { client: { installation: { text: string; base64: string } } } };
    const { data } = await admin.graphql<Data>(query);
    const { installation } = data.realm.client;
    expect(installation).toMatchObject({ filename: 'keycloak.json', mediaType: 'application/json' });
    expect(Buffer.from(installation.base64, 'base64').toString()).toBe(installation.text);
    expect((await viewer.graphql(query)).errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });
});
