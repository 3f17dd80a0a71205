import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';
import { initialToken, registrations } from './support.js';

const realm = 'modest';
let server: TestServer;
let admin: Caller;
let send: ReturnType<typeof registrations>;
let flow: string;
let serial = 0;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm({ realm, enabled: true }));
  send = registrations(server, realm);
  flow = (await admin.send('GET', `/${realm}/authentication/flows`)).body[0].id;
});

const refused = (field: string) => ({
  status: 403,
  body: { error: 'insufficient_scope', error_description: `Not permitted to change ${field}` },
});

/** A client that registered itself and that an administrator has changed since. */
async function registered(change: object, first: object = {}) {
  const clientId = `client-${serial++}`;
  const { body } = await send(await initialToken(admin, realm))('POST', 'default', { clientId, ...first });
  if (Object.keys(change).length > 0) await admin.send('PUT', `/${realm}/clients/${body.id}`, { clientId, ...change });
  const { body: before } = await admin.send('GET', `/${realm}/clients/${body.id}`);
  const { body: seen } = await send(body.registrationAccessToken)('GET', `default/${clientId}`);
  const put = (more: object) => send(seen.registrationAccessToken)('PUT', `default/${clientId}`, { clientId, ...more });
  const now = async () => (await admin.send('GET', `/${realm}/clients/${body.id}`)).body;
  return { clientId, id: body.id as string, before, put, now };
}

describe('a registration access token', () => {
  it.each([
    ['enabled', { enabled: false }, { enabled: true }],
    ['serviceAccountsEnabled', {}, { serviceAccountsEnabled: true }],
    ['serviceAccountsEnabled', {}, { serviceAccountsEnabled: true, authorizationServicesEnabled: true }],
    ['authorizationServicesEnabled', { serviceAccountsEnabled: true }, { authorizationServicesEnabled: true }],
    ['fullScopeAllowed', { fullScopeAllowed: false }, { fullScopeAllowed: true }],
    ['consentRequired', { consentRequired: true }, { consentRequired: false }],
    ['notBefore', { notBefore: 1_700_000_000 }, { notBefore: 0 }],
    ['protocol', {}, { protocol: 'saml' }],
    ['attributes.access.token.lifespan', {}, { attributes: { 'access.token.lifespan': '86400' } }],
    [
      'attributes.access.token.lifespan',
      { attributes: { 'access.token.lifespan': '60' } },
      { attributes: { 'access.token.lifespan': '' } },
    ],
    ['attributes.client.session.idle.timeout', {}, { attributes: { 'client.session.idle.timeout': '86400' } }],
    [
      'attributes.pkce.code.challenge.method',
      { attributes: { 'pkce.code.challenge.method': 'S256' } },
      { attributes: { 'pkce.code.challenge.method': '' } },
    ],
  ])('does not change %s: %j, %j', async (field, change, wanted) => {
    const { put, now, before } = await registered(change);
    expect(await put(wanted)).toMatchObject(refused(field));
    expect(await now()).toEqual(before);
  });

  it('gives neither the password grant nor another flow', async () => {
    const { put, now, id } = await registered({});
    expect((await put({ directAccessGrantsEnabled: true })).body.directAccessGrantsEnabled).toBe(false);
    expect((await now()).directAccessGrantsEnabled).toBe(false);
    const other = await registered({});
    const overrides = { authenticationFlowBindingOverrides: { browser: flow } };
    expect(await other.put(overrides)).toMatchObject(refused('authenticationFlowBindingOverrides'));
    const initial = await initialToken(admin, realm);
    const made = await send(initial)('POST', 'default', { clientId: `client-${serial++}`, ...overrides });
    expect(made.status).toBe(403);
    expect(id).not.toBe(other.id);
  });

  it('gives nothing in the form of OpenID Connect either', async () => {
    const initial = await initialToken(admin, realm);
    const metadata = { redirect_uris: ['http://127.0.0.1/*'], grant_types: ['authorization_code'] };
    const { body } = await send(initial)('POST', 'openid-connect', metadata);
    const path = `openid-connect/${body.client_id}`;
    const wanted = { ...metadata, client_id: body.client_id };
    const put = (token: string, grant: string) =>
      send(token)('PUT', path, { ...wanted, grant_types: ['authorization_code', grant] });
    expect((await put(body.registration_access_token, 'client_credentials')).status).toBe(403);
    const uma = 'urn:ietf:params:oauth:grant-type:uma-ticket';
    expect((await put(body.registration_access_token, uma)).status).toBe(403);
    const { body: changed } = await put(body.registration_access_token, 'password');
    expect(changed.grant_types).not.toContain('password');
  });

  it('takes back what was read, and gives things up', async () => {
    const { put, before } = await registered({
      serviceAccountsEnabled: true,
      directAccessGrantsEnabled: true,
      enabled: false,
      notBefore: 1_700_000_000,
      attributes: { 'access.token.lifespan': '60' },
      authenticationFlowBindingOverrides: { browser: flow },
    });
    const { registrationAccessToken: token, ...same } = (await put(before)).body;
    const kept = { enabled: false, serviceAccountsEnabled: true, directAccessGrantsEnabled: true };
    expect(same).toMatchObject(kept);
    const less = { clientId: before.clientId, serviceAccountsEnabled: false, consentRequired: true };
    const answer = await send(token)('PUT', `default/${before.clientId}`, less);
    expect(answer).toMatchObject({ status: 200, body: { serviceAccountsEnabled: false, consentRequired: true } });
  });
});
