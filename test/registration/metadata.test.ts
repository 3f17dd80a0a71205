import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { atEndOfFile } from '../support/database.js';
import { type Caller, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';
import { initialToken, registrations } from './support.js';

const realm = 'described';
const redirect_uris = ['https://app.example/back', 'https://other.example/back'];
let server: TestServer;
let admin: Caller;
let send: ReturnType<ReturnType<typeof registrations>>;
let site: string;
let asked = 0;
let listed: unknown = redirect_uris;

async function start(fetchPrivateAddresses: boolean) {
  const { server: started, admin: boss } = await startWithRealm({ realm, enabled: true }, { fetchPrivateAddresses });
  return { started, boss, send: registrations(started, realm)(await initialToken(boss, realm)) };
}

beforeAll(async () => {
  const listener = createServer((_request, response) => {
    asked++;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(listed));
  }).listen(0, '127.0.0.1');
  atEndOfFile(() => new Promise<void>((done) => listener.close(() => done())));
  await new Promise((done) => listener.once('listening', done));
  site = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/sector`;
  const made = await start(true);
  server = made.started;
  admin = made.boss;
  send = made.send;
});

const create = (metadata: object) => send('POST', 'openid-connect', metadata);

describe('metadata of OpenID Connect', () => {
  const metadata = {
    client_name: 'Whole',
    client_uri: 'https://app.example',
    redirect_uris: ['https://app.example/back'],
    grant_types: ['authorization_code', 'implicit', 'client_credentials', 'urn:openid:params:grant-type:ciba'],
    response_types: ['code', 'code id_token token'],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'ES256',
    jwks: { keys: [{ kty: 'EC', kid: 'one' }] },
    id_token_signed_response_alg: 'PS256',
    userinfo_signed_response_alg: 'ES256',
    request_object_signing_alg: 'ES384',
    request_uris: ['https://app.example/request', 'https://app.example/other'],
    require_pushed_authorization_requests: true,
    tls_client_certificate_bound_access_tokens: true,
    backchannel_logout_uri: 'https://app.example/out',
    backchannel_logout_session_required: true,
  };

  it('come back as they were sent', async () => {
    const { status, body } = await create(metadata);
    expect(status).toBe(201);
    const { response_types: _types, grant_types, ...sent } = metadata;
    expect(body).toMatchObject(sent);
    expect(body.grant_types.sort()).toEqual([...grant_types].sort());
    expect(body.response_types).toContain('code id_token token');
    expect(body.client_secret).toBeUndefined();
  });

  it('are found again at the address that every answer names', async () => {
    const { body } = await create({ redirect_uris: ['https://app.example/back'], scope: 'openid profile address' });
    expect(body.scope).toBe('address');
    const at = (address: string, token: string, init: RequestInit = {}) =>
      fetch(address, { ...init, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } });
    const seen = (await (await at(body.registration_client_uri, body.registration_access_token)).json()) as typeof body;
    expect(seen.client_id).toBe(body.client_id);
    const changed = await at(seen.registration_client_uri, seen.registration_access_token, {
      method: 'PUT',
      body: JSON.stringify({ client_id: body.client_id, client_name: 'New', redirect_uris }),
    });
    const after = (await changed.json()) as typeof body;
    expect(after).toMatchObject({ client_name: 'New', redirect_uris });
    expect((await at(after.registration_client_uri, after.registration_access_token)).status).toBe(200);
    const { body: client } = await admin.send('GET', `/${realm}/clients?clientId=${body.client_id}`);
    expect(client[0].defaultClientScopes).toEqual(['email', 'profile', 'roles', 'web-origins']);
  });

  it('make a public client of one that proves nothing', async () => {
    const { body } = await create({ redirect_uris, token_endpoint_auth_method: 'none' });
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none' });
    expect(body.client_secret).toBeUndefined();
    const { body: client } = await admin.send('GET', `/${realm}/clients?clientId=${body.client_id}`);
    expect(client).toMatchObject([{ publicClient: true }]);
  });

  it.each<[string, object]>([
    ['a key set and its address', { jwks: { keys: [] }, jwks_uri: 'https://app.example/keys' }],
    ['a file as a key set', { jwks_uri: 'file:///etc/passwd' }],
    ['a key set that is none', { jwks: [1] }],
    ['signatures without a key', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['an unknown kind of subjects', { subject_type: 'secret' }],
    ['an unknown response type', { response_types: ['code magic'] }],
    ['a script as a redirect', { redirect_uris: ['javascript:alert(1)'] }],
    ['a number as a list', { redirect_uris: 7 }],
    ['an unknown client scope', { scope: 'no-such-scope' }],
  ])('are refused: %s', async (_title, wrong) => {
    const { body: before } = await admin.send('GET', `/${realm}/clients`);
    const { status, body } = await create({ redirect_uris, ...wrong });
    expect([400, 403]).toContain(status);
    expect(Object.keys(body).sort()).toEqual(['error', 'error_description']);
    expect((await admin.send('GET', `/${realm}/clients`)).body).toHaveLength(before.length);
  });

  it('do not reach a client of SAML', async () => {
    const { body } = await send('POST', 'default', { clientId: 'saml-client', protocol: 'saml' });
    const { status } = await registrations(server, realm)(body.registrationAccessToken)(
      'GET',
      'openid-connect/saml-client',
    );
    expect(status).toBe(400);
  });
});

describe('pairwise subjects', () => {
  it('of a sector take its word for the redirect URIs', async () => {
    const pairwise = { redirect_uris, subject_type: 'pairwise', sector_identifier_uri: site };
    listed = redirect_uris;
    expect(await create(pairwise)).toMatchObject({
      status: 201,
      body: { subject_type: 'pairwise', sector_identifier_uri: site },
    });
    listed = [redirect_uris[0]];
    expect(await create(pairwise)).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
    listed = { not: 'a list' };
    expect((await create(pairwise)).status).toBe(400);
  });

  it('come and go with an update, and no other mapper does', async () => {
    const { body } = await create({ redirect_uris: ['https://app.example/back'] });
    const { body: found } = await admin.send('GET', `/${realm}/clients?clientId=${body.client_id}`);
    const own = { name: 'own', protocol: 'openid-connect', protocolMapper: 'oidc-full-name-mapper', config: {} };
    await admin.send('POST', `/${realm}/clients/${found[0].id}/protocol-mappers/models`, own);
    const names = async () =>
      (await admin.send('GET', `/${realm}/clients/${found[0].id}`)).body.protocolMappers
        .map(({ name }: { name: string }) => name)
        .sort();
    const update = (token: string, more: object) =>
      registrations(server, realm)(token)('PUT', `openid-connect/${body.client_id}`, {
        client_id: body.client_id,
        redirect_uris: ['https://app.example/back'],
        ...more,
      });
    const { body: on } = await update(body.registration_access_token, { subject_type: 'pairwise' });
    expect(on.subject_type).toBe('pairwise');
    expect(await names()).toEqual(['own', 'pairwise subject identifier']);
    const { body: off } = await update(on.registration_access_token, {});
    expect(off.subject_type).toBe('public');
    expect(await names()).toEqual(['own']);
  });
});

describe('addresses in metadata', () => {
  it('are not followed into the network of the operator', async () => {
    const careful = await start(false);
    const before = asked;
    const { port } = new URL(site);
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254']) {
      const address = `http://${host}:${port}/sector`;
      const pairwise = { redirect_uris, subject_type: 'pairwise', sector_identifier_uri: address };
      expect((await careful.send('POST', 'openid-connect', pairwise)).status).toBe(400);
      const kept = { redirect_uris, jwks_uri: address, initiate_login_uri: address, logo_uri: address };
      expect((await careful.send('POST', 'openid-connect', kept)).status).toBe(201);
    }
    expect(asked).toBe(before);
  });
});
