import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

const realm = 'described';
let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  const viewer = {
    username: 'viewer',
    enabled: true,
    credentials: [{ type: 'password', value: 'pw' }],
    clientRoles: { 'realm-management': ['view-clients'] },
  };
  const asker = { ...viewer, username: 'asker', clientRoles: { 'realm-management': ['query-users'] } };
  await admin.send('POST', '/', { realm, enabled: true, users: [viewer, asker] });
});

const convert = (document: string, by: Caller = admin) =>
  by.send('POST', `/${realm}/client-description-converter`, document, { 'content-type': 'text/plain' });
const metadata = (inside: string, attributes = 'entityID="http://sp.example"') =>
  `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" ${attributes}>${inside}</md:EntityDescriptor>`;

describe('a description of a client', () => {
  it('is converted in GraphQL as in REST', async () => {
    const document = JSON.stringify({
      redirect_uris: ['https://app.example/*'],
      grant_types: ['implicit', 'password'],
      response_types: ['id_token token'],
      token_endpoint_auth_method: 'none',
      jwks: { keys: [] },
    });
    const { body } = await convert(document);
    expect(body).toMatchObject({
      publicClient: true,
      standardFlowEnabled: false,
      implicitFlowEnabled: true,
      directAccessGrantsEnabled: true,
      attributes: { 'use.jwks.string': 'true', 'jwks.string': '{"keys":[]}', 'use.refresh.tokens': 'false' },
    });
    const query = `query ($document: String!) { realm(name: "${realm}") { clientDescriptionConvert(document: { text: $document }) } }`;
    const { data } = await admin.graphql<{ realm: { clientDescriptionConvert: object } }>(query, { document });
    expect(data.realm.clientDescriptionConvert).toEqual(body);
    const viewer = await userOf(server, realm, 'viewer', 'pw');
    expect((await convert(document, viewer)).status).toBe(403);
    const { errors } = await viewer.graphql(query, { document });
    expect(errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });

  it('of SAML makes a client that can be created', async () => {
    const { body: source } = await admin.send(
      'POST',
      `/${realm}/client-description-converter`,
      metadata('<md:SPSSODescriptor/>'),
      {
        'content-type': 'application/xml',
      },
    );
    expect(source.attributes['saml.server.signature']).toBe('true');
    const { body } = await convert(
      metadata(`<md:SPSSODescriptor>
        <md:KeyDescriptor use="signing"><KeyInfo><X509Data><X509Certificate> TUlJ
          Qg== </X509Certificate></X509Data></KeyInfo></md:KeyDescriptor>
        <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://sp.example/slo"/>
        <md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</md:NameIDFormat>
        <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://sp.example/acs"/>
        <md:AttributeConsumingService><md:RequestedAttribute Name="urn:oid:2.5.4.42" FriendlyName="givenName"/></md:AttributeConsumingService>
      </md:SPSSODescriptor>`),
    );
    expect(body).toMatchObject({
      clientId: 'http://sp.example',
      protocol: 'saml',
      redirectUris: ['https://sp.example/acs'],
      attributes: {
        'saml.client.signature': 'true',
        'saml.signing.certificate': 'TUlJQg==',
        saml_name_id_format: 'persistent',
        saml_assertion_consumer_url_post: 'https://sp.example/acs',
        saml_single_logout_service_url_redirect: 'https://sp.example/slo',
      },
      protocolMappers: [{ name: 'givenName', protocolMapper: 'saml-user-attribute-mapper' }],
    });
    expect((await admin.send('POST', `/${realm}/clients`, body)).status).toBe(201);
  });

  it.each<[string, string]>([
    ['nothing', ''],
    ['a list', '[]'],
    ['other JSON', '{"colour":"blue"}'],
    ['half of JSON', '{"clientId":'],
    ['a representation with an unknown field', '{"clientId":"x","colour":"blue"}'],
    ['metadata of an unknown kind', '{"redirect_uris":[],"token_endpoint_auth_method":"magic"}'],
    ['XML that is not well-formed', '<EntityDescriptor>'],
    ['XML without a service provider', metadata('<md:IDPSSODescriptor/>')],
    ['metadata without an id', metadata('<md:SPSSODescriptor/>', '')],
    ['an entity from a file', `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${metadata('&e;')}`],
    ['entities that grow', `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${metadata('&b;')}`],
  ])('is refused: %s', async (_title, document) => {
    expect((await convert(document)).status).toBe(400);
  });
});

describe('the kinds of registration policies', () => {
  it('offer the client scopes to those who may list them', async () => {
    const query = `{ realm(name: "${realm}") { clientRegistrationPolicyTypes { providerId properties { name options } } } }`;
    type Types = { providerId: string; properties: { name: string; options: string[] }[] }[];
    const scopes = async (by: Caller) => {
      const { data } = await by.graphql<{ realm: { clientRegistrationPolicyTypes: Types } }>(query);
      const types = data.realm.clientRegistrationPolicyTypes;
      const { body } = await by.send('GET', `/${realm}/client-registration-policy/providers`);
      expect(body.map(({ id }: { id: string }) => id)).toEqual(types.map(({ providerId }) => providerId));
      return types.flatMap(({ properties }) => properties).find(({ name }) => name === 'allowed-client-scopes')
        ?.options;
    };
    expect(await scopes(admin)).toContain('email');
    expect(await scopes(await userOf(server, realm, 'asker', 'pw'))).toEqual([]);
  });
});
