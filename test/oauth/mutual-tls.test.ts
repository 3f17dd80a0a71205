import { X509Certificate } from 'node:crypto';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf, authorizationUrl } from '../login/agent.js';
import { importShop, shop } from '../login/realm.js';
import { temporaryFolder } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { byCertificate, client, exact, header, name, newAuthority, type Pair } from './certificates.js';
import { callback, realm, secret } from './relying-party.js';

/** milliseconds */
const day = 86_400_000;
const bound = { 'tls.client.certificate.bound.access.tokens': 'true' };

let server: TestServer;
let admin: Caller;
let mine: Pair;
let stolen: Pair;
let nameless: Pair;

beforeAll(async () => {
  const signed = newAuthority(temporaryFolder());
  mine = signed('mine', '/C=DE/O=Acme, Inc/OU=Apps/CN=Billing é/emailAddress=ops@acme.example');
  stolen = signed('stolen', '/C=DE/O=Acme, Inc/OU=Apps/CN=Billing é.evil');
  nameless = signed('nameless', '/');
  server = await startServer({ trustProxy: 1, clientCertificateHeader: header });
  const [ann, ...others] = shop.users;
  const roles = { 'realm-management': ['realm-admin'], account: ['view-profile'], bound: ['uma_protection'] };
  admin = await administrator(server);
  await importShop(admin, {
    users: [{ ...ann, clientRoles: roles }, ...others],
    clients: [
      byCertificate('pattern', '.*CN=Billing é,.*'),
      byCertificate('whole', 'CN=Billing é'),
      byCertificate('exact', name, exact),
      byCertificate('spaced', 'e=OPS@acme.example,cn=billing  É,ou=apps,o=acme\\, inc,c=de', exact),
      byCertificate('turned', 'C=DE, O=Acme\\, Inc, OU=Apps, CN=Billing é, E=ops@acme.example', exact),
      byCertificate('unreadable', 'no name', exact),
      byCertificate('without-subject', ''),
      client('bound', bound, { authorizationServicesEnabled: true }),
      client('public', bound, { publicClient: true, serviceAccountsEnabled: false, implicitFlowEnabled: true }),
      client('free'),
    ],
  });
});

interface Sent {
  pair?: Pair | undefined;
  headers?: Record<string, string>;
  form?: Record<string, string>;
}

async function post(path: string, { pair, headers, form = {} }: Sent = {}, base = server.url) {
  const response = await fetch(`${base}/auth/realms/${realm}/protocol/openid-connect/${path}`, {
    method: 'POST',
    headers: { ...(pair && { [header]: pair.escaped }), ...headers },
    body: new URLSearchParams(form),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}

/** Asks for tokens of the client itself, or, with `grant_type`, as the form says. */
const tokens = (clientId: string, pair?: Pair, form: Record<string, string> = {}) =>
  post('token', {
    pair,
    form: { client_id: clientId, client_secret: secret, grant_type: 'client_credentials', ...form },
  });
const password = { grant_type: 'password', username: 'ann', password: 'pw-ann', scope: 'openid' };
const refused = (description: string) => ({ error: 'invalid_client', error_description: description });

describe('a client with a certificate', () => {
  it.each(['pattern', 'exact', 'spaced'])('is let in by the subject: %s', async (clientId) => {
    expect((await tokens(clientId, mine)).status).toBe(200);
  });

  it.each(['whole', 'turned', 'unreadable', 'without-subject'])('is not let in by another: %s', async (clientId) => {
    const { status, body } = await tokens(clientId, mine);
    expect([status, body]).toEqual([401, refused('Client certificate has another subject')]);
  });

  it.each(['exact', 'unreadable', 'without-subject'])('is not let in without a subject: %s', async (clientId) => {
    expect((await tokens(clientId, nameless)).body).toEqual(refused('Client certificate has another subject'));
  });

  it('is not let in with the secret, the certificate of somebody else, or one that has expired', async () => {
    expect((await tokens('exact')).body).toEqual(refused('Client certificate is missing'));
    expect((await tokens('exact', stolen)).body).toEqual(refused('Client certificate has another subject'));
    const later = await startServer({ trustProxy: 1, clientCertificateHeader: header }, () => Date.now() + 3 * day);
    await importShop(await administrator(later), { clients: [byCertificate('exact', name, exact)] });
    const form = { client_id: 'exact', grant_type: 'client_credentials' };
    const { body } = await post('token', { pair: mine, form }, later.url);
    expect(body).toEqual(refused('Client certificate is not valid at this time'));
  });

  it('is known in each form in which a proxy passes it on, once', async () => {
    const der = new X509Certificate(mine.cert).raw.toString('base64');
    for (const value of [mine.escaped, der, `:${der}:`]) {
      const form = { client_id: 'exact', grant_type: 'client_credentials' };
      expect((await post('token', { headers: { [header]: value }, form })).status).toBe(200);
    }
    for (const value of ['', '%', 'none', `${der}, ${der}`, mine.escaped.slice(0, 300)]) {
      const form = { client_id: 'exact', grant_type: 'client_credentials' };
      const { body } = await post('token', { headers: { [header]: value }, form });
      expect(body).toEqual(refused('Client certificate is missing'));
    }
  });

  it('is not known by a header of the sender, where no proxy is trusted or no header is named', async () => {
    for (const settings of [{ clientCertificateHeader: header }, { trustProxy: 1 }]) {
      const other = await startServer(settings);
      await importShop(await administrator(other), { clients: [byCertificate('exact', name, exact)] });
      const form = { client_id: 'exact', grant_type: 'client_credentials' };
      const { body } = await post('token', { pair: mine, form }, other.url);
      expect(body).toEqual(refused('Client certificate is missing'));
    }
  });

  it('asks at every endpoint for clients', async () => {
    const { access_token: token } = (await tokens('exact', mine)).body;
    const form = { client_id: 'exact', token };
    expect((await post('token/introspect', { form })).status).toBe(401);
    expect((await post('token/introspect', { pair: mine, form })).body).toMatchObject({ active: true });
    expect((await post('revoke', { form })).status).toBe(401);
    expect((await post('revoke', { pair: mine, form })).status).toBe(200);
    const pushed = { client_id: 'exact', response_type: 'code', redirect_uri: callback };
    expect((await post('ext/par/request', { form: pushed })).status).toBe(401);
    expect((await post('ext/par/request', { pair: mine, form: pushed })).status).toBe(201);
  });

  it('can register itself, with a name that is no pattern', async () => {
    const { body: initial } = await admin.send('POST', `/${realm}/clients-initial-access`, {
      count: 1,
      expiration: 60,
    });
    const response = await fetch(`${server.url}/auth/realms/${realm}/clients-registrations/openid-connect`, {
      method: 'POST',
      headers: { authorization: `Bearer ${initial.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        redirect_uris: [callback],
        grant_types: ['client_credentials'],
        token_endpoint_auth_method: 'tls_client_auth',
        tls_client_auth_subject_dn: 'E=ops@acme.example, CN=Billing .*, OU=Apps, O=Acme\\, Inc, C=DE',
      }),
    });
    expect(response.status).toBe(201);
    const { client_id: clientId } = (await response.json()) as { client_id: string };
    expect((await tokens(clientId, mine)).body).toEqual(refused('Client certificate has another subject'));
    const [found] = (await admin.send('GET', `/${realm}/clients?clientId=${clientId}`)).body;
    const attributes = { ...found.attributes, 'x509.subjectdn': name };
    expect((await admin.send('PUT', `/${realm}/clients/${found.id}`, { ...found, attributes })).status).toBe(204);
    expect((await tokens(clientId, mine)).status).toBe(200);
  });
});

describe('a token that is bound to a certificate', () => {
  it('names it, also when it is refreshed or looked up', async () => {
    const { body } = await tokens('bound', mine, password);
    const cnf = { 'x5t#S256': mine.thumbprint };
    expect(body.token_type).toBe('Bearer');
    expect(decodeJwt(body.access_token)).toMatchObject({ cnf });
    const again = await tokens('bound', mine, { grant_type: 'refresh_token', refresh_token: body.refresh_token });
    expect(decodeJwt(again.body.access_token)).toMatchObject({ cnf });
    const form = { client_id: 'bound', client_secret: secret, token: again.body.access_token };
    expect((await post('token/introspect', { form })).body).toMatchObject({ active: true, cnf });
  });

  it('is not issued without a certificate, nor by way of the browser, nor bound for others', async () => {
    for (const form of [{}, password]) {
      const { status, body } = await tokens('bound', undefined, form);
      const text = 'Client Certification missing for MTLS HoK Token Binding';
      expect([status, body]).toEqual([400, { error: 'invalid_request', error_description: text }]);
    }
    const asked = { client_id: 'public', redirect_uri: callback, response_type: 'token', nonce: 'n' };
    const address = authorizationUrl(realm, asked);
    const { location } = await agentOf(server).get(address);
    expect(new URLSearchParams(location?.split('#')[1]).get('error')).toBe('unauthorized_client');
    expect(decodeJwt((await tokens('free', mine)).body.access_token)).not.toHaveProperty('cnf');
  });

  it.each([
    ['bound', 'a client with a secret'],
    ['public', 'a public client'],
  ])('is refreshed only with the same certificate: %s, %s', async (clientId) => {
    const { refresh_token: token } = (await tokens(clientId, mine, password)).body;
    const form = { grant_type: 'refresh_token', refresh_token: token };
    expect((await tokens(clientId, stolen, form)).body.error).toBe('invalid_grant');
    expect((await tokens(clientId, undefined, form)).body.error).toBe('invalid_request');
    expect((await tokens(clientId, mine, form)).status).toBe(200);
  });

  it('is of use only over a connection with the certificate', async () => {
    const { access_token: token } = (await tokens('bound', mine, password)).body;
    const uses = [
      `/auth/realms/${realm}/protocol/openid-connect/userinfo`,
      `/auth/realms/${realm}/account`,
      `/auth/admin/realms/${realm}/users`,
      `/auth/realms/${realm}/authz/protection/resource_set`,
    ];
    const statuses = (pair: Pair | undefined) =>
      Promise.all(
        uses.map(async (path) => {
          const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
          const response = await fetch(`${server.url}${path}`, {
            headers: { ...headers, ...(pair && { [header]: pair.escaped }) },
          });
          await response.arrayBuffer();
          return response.status;
        }),
      );
    expect(await statuses(mine)).toEqual([200, 200, 200, 200]);
    expect(await statuses(stolen)).toEqual([401, 401, 401, 403]);
    expect(await statuses(undefined)).toEqual([401, 401, 401, 403]);
    const query = (pair?: Pair) =>
      fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(pair && { [header]: pair.escaped }),
        },
        body: JSON.stringify({ query: '{ viewer { username } }' }),
      }).then((response) => response.status);
    expect([await query(mine), await query(stolen), await query()]).toEqual([200, 401, 401]);
  });

  it('is not exchanged for one that is not bound', async () => {
    const { access_token: subject } = (await tokens('bound', mine, password)).body;
    const grant = 'urn:ietf:params:oauth:grant-type:token-exchange';
    const { body } = await tokens('free', mine, { grant_type: grant, subject_token: subject });
    expect(body.error).toBe('invalid_token');
  });
});

describe('the policy that enforces holders of keys', () => {
  it('lets only requests with a certificate pass, of clients whose tokens are bound', async () => {
    const send = async (path: string, body: object) =>
      expect((await admin.send('PUT', `/${realm}/client-policies/${path}`, body)).status).toBe(204);
    await send('profiles', {
      profiles: [{ name: 'held', executors: [{ executor: 'holder-of-key-enforcer', configuration: {} }] }],
    });
    const conditions = [{ condition: 'any-client', configuration: {} }];
    await send('policies', { policies: [{ name: 'all', enabled: true, conditions, profiles: ['held'] }] });
    const outcome = async (clientId: string, pair?: Pair) => (await tokens(clientId, pair)).status;
    expect([await outcome('bound', mine), await outcome('bound'), await outcome('free', mine)]).toEqual([
      200, 400, 400,
    ]);
    await send('policies', { policies: [] });
  });
});
