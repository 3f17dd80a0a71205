import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { mask } from '../../src/services/core/mask.js';
import { placeOfSecrets } from '../../src/services/core/sealed-columns.js';
import { atEndOfFile } from '../support/database.js';
import { administrator, type Caller, startWithRealm } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';

const realm = 'broker';
let server: TestServer;
let admin: Caller;
let realmId: string;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm({ realm, enabled: true }, { fetchPrivateAddresses: true }, slowClock));
  const { data } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
  realmId = data.realm.id;
});

interface Payload {
  userErrors: { code: string; path: string[] | null; message: string }[];
  identityProvider?: { id: string; alias: string; settings: { name: string; value: string }[] } | null;
  identityProviderMapper?: { id: string; type: string } | null;
}

async function mutate(name: string, input: object): Promise<Payload> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const wanted = /Delete$/.test(name)
    ? ''
    : /Mapper/.test(name)
      ? 'identityProviderMapper { id type }'
      : 'identityProvider { id alias settings { name value } }';
  const { data, errors } = await admin.graphql<Record<string, Payload>>(
    `mutation ($input: ${type}!) { ${name}(input: $input) { userErrors { code path message } ${wanted} } }`,
    { input },
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return data[name] as Payload;
}

const create = (alias: string, settings: Record<string, string> = {}, type = 'OIDC') =>
  mutate('identityProviderCreate', {
    realm: realmId,
    alias,
    type,
    settings: Object.entries(settings).map(([name, value]) => ({ name, value })),
  });

describe('identity providers in GraphQL', () => {
  it('are created, changed and deleted, and keep a secret that comes back as its mask', async () => {
    const made = await create('one', { clientId: 'us', clientSecret: 'top-secret-1' });
    expect(made.userErrors).toEqual([]);
    expect(made.identityProvider?.settings).toContainEqual({ name: 'clientSecret', value: mask });
    const id = made.identityProvider?.id;
    const changed = await mutate('identityProviderUpdate', {
      id,
      alias: 'renamed',
      settings: [{ name: 'clientSecret', value: mask }],
    });
    expect(changed.identityProvider).toMatchObject({ alias: 'renamed' });
    const row = await server.database.read.identityProvider.findFirstOrThrow({ where: { alias: 'renamed' } });
    expect(server.services.sealer.open(row.secrets ?? '', placeOfSecrets('IdentityProvider', row))).toContain(
      'top-secret-1',
    );
    expect((await mutate('identityProviderDelete', { id })).userErrors).toEqual([]);
    expect((await mutate('identityProviderDelete', { id })).userErrors).toMatchObject([
      { code: 'NOT_FOUND', path: ['id'] },
    ]);
  });

  it('name the field at fault', async () => {
    expect((await create('a/b')).userErrors).toMatchObject([{ code: 'NAME_INVALID', path: ['alias'] }]);
    expect((await create('bad', { authorizationUrl: 'nowhere' })).userErrors).toMatchObject([
      { path: ['settings', '0'] },
    ]);
    await create('twice');
    expect((await create('twice')).userErrors).toMatchObject([{ code: 'NAME_TAKEN' }]);
  });

  it('have mappers, all of them read in one statement', async () => {
    // what is remembered is forgotten a moment after a write, so that the least of some counts is that of the query
    const statements = async () => {
      const tries = [await look(), await look(), await look()];
      return { ...(tries[0] as Awaited<ReturnType<typeof look>>), count: Math.min(...tries.map(({ count }) => count)) };
    };
    const look = async () => {
      const query = `{ realm(name: "${realm}") { identityProviders(first: 100) { edges { node { alias mappers { name type } } } } } }`;
      const { extensions, data } = await admin.graphql<{
        realm: { identityProviders: { edges: { node: { alias: string; mappers: { name: string }[] } }[] } };
      }>(query);
      return {
        count: extensions?.cost?.statements ?? 0,
        nodes: data.realm.identityProviders.edges.map(({ node }) => node),
      };
    };
    const add = async (alias: string) => {
      const { identityProvider } = await create(alias);
      const input = { identityProvider: identityProvider?.id, name: 'colour', type: 'hardcoded-attribute-idp-mapper' };
      return mutate('identityProviderMapperCreate', input);
    };
    const { identityProviderMapper: mapper } = await add('mapped-1');
    const before = await statements();
    for (let n = 2; n < 8; n++) await add(`mapped-${n}`);
    const after = await statements();
    expect(after.count).toBe(before.count);
    expect(after.nodes.filter(({ mappers }) => mappers.length === 1)).toHaveLength(7);
    const type = 'oidc-user-attribute-idp-mapper';
    expect(
      (await mutate('identityProviderMapperUpdate', { id: mapper?.id, type })).identityProviderMapper,
    ).toMatchObject({ type });
    expect((await mutate('identityProviderMapperDelete', { id: mapper?.id })).userErrors).toEqual([]);
  });
});

describe('settings out of a document', () => {
  const from = (argument: string) =>
    admin.graphql<{ realm: { identityProviderSettings: { name: string; value: string }[] | null } }>(
      `query ($value: String!, $type: IdentityProviderType!) { realm(name: "${realm}") {
        identityProviderSettings(type: $type, document: { ${argument}: $value }) { name value } } }`,
      { value: documentOf, type: 'OIDC' },
    );
  let documentOf = '';

  it('are fetched from the address of a discovery document', async () => {
    const site = createServer((_request, response) => {
      response
        .setHeader('content-type', 'application/json')
        .end('{"issuer":"https://op.example","jwks_uri":"https://op.example/keys"}');
    }).listen(0, '127.0.0.1');
    atEndOfFile(() => new Promise<void>((done) => site.close(() => done())));
    await new Promise((done) => site.once('listening', done));
    documentOf = `http://127.0.0.1:${(site.address() as AddressInfo).port}/.well-known/openid-configuration`;
    const { data } = await from('url');
    expect(data.realm.identityProviderSettings).toContainEqual({ name: 'jwksUrl', value: 'https://op.example/keys' });
  });

  const entity = (more: string, inside = '') =>
    `<?xml version="1.0"?>${more}<EntityDescriptor entityID="x"><IDPSSODescriptor>${inside}</IDPSSODescriptor></EntityDescriptor>`;
  const importing = async (document: string) => {
    const form = new FormData();
    form.set('providerId', 'saml');
    form.set('file', new Blob([document], { type: 'text/xml' }), 'metadata.xml');
    const answer = await fetch(`${server.url}/auth/${realm}/identity-provider/import-config`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${admin.token}` },
    });
    return { status: answer.status, text: await answer.text() };
  };

  it('name the entity that metadata describes, and whether it still counts', async () => {
    const one = (id: string, role = 'IDPSSODescriptor', more = '') =>
      `<EntityDescriptor entityID="${id}"${more}><${role}/></EntityDescriptor>`;
    const group = (...entities: string[]) => `<EntitiesDescriptor>${entities.join('')}</EntitiesDescriptor>`;
    const { status, text } = await importing(group(one('sp', 'SPSSODescriptor'), group(one('idp'))));
    expect([status, JSON.parse(text)]).toMatchObject([200, { idpEntityId: 'idp', enabledFromMetadata: 'true' }]);
    const old = await importing(one('idp', 'IDPSSODescriptor', ' validUntil="2001-01-01T00:00:00Z"'));
    expect(JSON.parse(old.text)).toMatchObject({ idpEntityId: 'idp', enabledFromMetadata: 'false' });
    const several = await importing(group(one('idp'), one('another')));
    expect([several.status, several.text]).toEqual([400, expect.stringContaining('2 identity providers')]);
  });

  it.each([
    ['an external entity', entity('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>', '&e;')],
    ['entities in entities', entity('<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>', '&b;')],
    ['an external document type', entity('<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd">')],
    ['unbalanced tags', '<EntityDescriptor><IDPSSODescriptor></EntityDescriptor>'],
    ['nothing', ''],
  ])('are refused with %s', async (_what, document) => {
    const answer = await importing(document);
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('root:');
  });

  it('are not fetched from private addresses unless the operator allows it', async () => {
    const careful = await startServer();
    const boss = await administrator(careful);
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '10.0.0.1', '[::ffff:127.0.0.1]']) {
      const { status } = await boss.send('POST', '/master/identity-provider/import-config', {
        providerId: 'oidc',
        fromUrl: `http://${host}:${careful.port}/auth/realms/master/.well-known/openid-configuration`,
      });
      expect(status).toBe(400);
    }
    const { status } = await boss.send('POST', '/master/identity-provider/import-config', {
      providerId: 'oidc',
      fromUrl: 'file:///etc/passwd',
    });
    expect(status).toBe(400);
  });
});
