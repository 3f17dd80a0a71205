import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';
import { initialToken, registrations, setPolicy } from './support.js';

const realm = 'guarded';
let server: TestServer;
let admin: Caller;
let send: ReturnType<typeof registrations>;
let serial = 0;

const trusted = (config: Record<string, string[]>, subType: 'anonymous' | 'authenticated' = 'anonymous') =>
  setPolicy(admin, realm, { providerId: 'trusted-hosts', subType, config });
const thisHost = {
  'host-sending-registration-request-must-match': ['true'],
  'client-uris-must-match': ['true'],
  'trusted-hosts': ['127.0.0.1', '*.example.org'],
};

beforeAll(async () => {
  ({ server, admin } = await startWithRealm({ realm, enabled: true }));
  send = registrations(server, realm);
  await trusted(thisHost);
});

const create = (client: object = {}, token?: string) =>
  send(token)('POST', 'default', { clientId: `client-${serial++}`, ...client });
const refusal = (name: string, text: string) => ({
  status: 403,
  body: {
    error: 'insufficient_scope',
    error_description: `Policy '${name}' rejected request to client-registration service. Details: ${text}`,
  },
});
const untrusted = refusal('trusted-hosts', "URL doesn't match any trusted host or trusted domain");

describe('trusted hosts', () => {
  it.each([
    [{ redirectUris: ['http://127.0.0.1:9999/*'] }, true],
    [{ redirectUris: ['https://app.example.org/back'] }, true],
    [{ redirectUris: ['/back'] }, true],
    [{ rootUrl: 'https://app.example.org', redirectUris: ['/back'] }, true],
    [{ redirectUris: ['https://example.org/back'] }, false],
    [{ redirectUris: ['https://app.example.org.evil.test/'] }, false],
    [{ redirectUris: ['https://127.0.0.1@evil.test/'] }, false],
    [{ redirectUris: ['https://evil.test/#https://127.0.0.1/'.replace('#', '?')] }, false],
    [{ redirectUris: ['http://127.0.0.1*'] }, false],
    [{ redirectUris: ['http://127.0.0.1/', 'http://evil.test/'] }, false],
    [{ rootUrl: 'https://evil.test', redirectUris: ['/back'] }, false],
    [{ baseUrl: 'https://evil.test/' }, false],
    [{ baseUrl: '//evil.test/' }, false],
    [{ adminUrl: 'https://evil.test/' }, false],
  ])('%j', async (client, allowed) => {
    const answer = await create(client);
    expect(answer.status).toBe(allowed ? 201 : 403);
    if (!allowed) expect(answer.body.error).toBe('insufficient_scope');
  });

  it('hold for what the client does with its token as well', async () => {
    const { body } = await create();
    const path = `default/${body.clientId}`;
    const evil = { clientId: body.clientId, redirectUris: ['https://evil.test/'] };
    expect(await send(body.registrationAccessToken)('PUT', path, evil)).toMatchObject(untrusted);
    await trusted({ ...thisHost, 'trusted-hosts': ['192.0.2.1'] });
    const answers = [
      await send(body.registrationAccessToken)('GET', path),
      await send(body.registrationAccessToken)('DELETE', path),
      await create(),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    await trusted(thisHost);
    expect((await send(body.registrationAccessToken)('GET', path)).status).toBe(200);
  });
});

describe('what a client without a token gets', () => {
  it('is consent and no full scope, whatever it asks for, and it stays so', async () => {
    const { body } = await create({ consentRequired: false, fullScopeAllowed: true, directAccessGrantsEnabled: true });
    expect(body).toMatchObject({ consentRequired: true, fullScopeAllowed: false, directAccessGrantsEnabled: false });
    const update = (change: object) =>
      send(body.registrationAccessToken)('PUT', `default/${body.clientId}`, { clientId: body.clientId, ...change });
    expect((await update({ consentRequired: false })).status).toBe(403);
    expect((await update({ fullScopeAllowed: true })).status).toBe(403);
    const { body: now } = await admin.send('GET', `/${realm}/clients/${body.id}`);
    expect(now).toMatchObject({ consentRequired: true, fullScopeAllowed: false });
  });

  it('is disabled where the realm wants to look first', async () => {
    await setPolicy(admin, realm, { providerId: 'client-disabled', subType: 'authenticated', config: {} });
    const { body } = await create({ enabled: true }, await initialToken(admin, realm));
    expect(body.enabled).toBe(false);
    const change = { clientId: body.clientId, enabled: true };
    const answer = await send(body.registrationAccessToken)('PUT', `default/${body.clientId}`, change);
    expect(answer).toMatchObject(refusal('client-disabled', 'Not permitted to enable client'));
  });
});

describe('protocol mappers and client scopes', () => {
  const mapper = (protocolMapper: string) => ({
    protocolMappers: [
      { name: 'm', protocol: 'openid-connect', protocolMapper, config: { 'claim.name': 'a', 'claim.value': 'b' } },
    ],
  });

  it('are those that are allowed', async () => {
    const initial = await initialToken(admin, realm);
    expect((await create(mapper('oidc-hardcoded-claim-mapper'), initial)).status).toBe(403);
    expect((await create(mapper('oidc-full-name-mapper'), initial)).status).toBe(201);
    await admin.send('POST', `/${realm}/client-scopes`, { name: 'secret-scope', protocol: 'openid-connect' });
    const wanted = { defaultClientScopes: ['secret-scope'] };
    expect((await create(wanted, initial)).body.error_description).toContain(
      'Not permitted to use specified clientScope',
    );
    // what clients may ask for is not what they have from the start
    expect((await create({ defaultClientScopes: ['offline_access'] }, initial)).status).toBe(403);
    expect((await create({ optionalClientScopes: ['offline_access'] }, initial)).status).toBe(201);
    const config = { 'allow-default-scopes': ['true'], 'allowed-client-scopes': ['secret-scope'] };
    await setPolicy(admin, realm, { providerId: 'allowed-client-templates', subType: 'authenticated', config });
    expect((await create(wanted, initial)).status).toBe(201);
  });

  it('that an administrator has added may be sent back', async () => {
    const { body } = await create({}, await initialToken(admin, realm));
    const [given] = mapper('oidc-hardcoded-claim-mapper').protocolMappers;
    await admin.send('POST', `/${realm}/clients/${body.id}/protocol-mappers/models`, given);
    const token = body.registrationAccessToken;
    const { body: seen } = await send(token)('GET', `default/${body.clientId}`);
    expect(seen.protocolMappers).toHaveLength(1);
    const same = { clientId: body.clientId, protocolMappers: seen.protocolMappers };
    const { status, body: changed } = await send(token)('PUT', `default/${body.clientId}`, same);
    expect(status).toBe(200);
    seen.protocolMappers[0].config['claim.value'] = 'other';
    const other = await send(changed.registrationAccessToken)('PUT', `default/${body.clientId}`, same);
    expect(other.status).toBe(403);
  });
});

describe('the client policies of the realm', () => {
  it('know how a client came to be registered', async () => {
    const profile = { name: 'p', executors: [{ executor: 'confidential-client', configuration: {} }] };
    const policy = (source: string) => ({
      name: 'q',
      enabled: true,
      profiles: ['p'],
      conditions: [{ condition: 'client-updater-context', configuration: { 'update-client-source': [source] } }],
    });
    await admin.send('PUT', `/${realm}/client-policies/profiles`, { profiles: [profile] });
    const initial = await initialToken(admin, realm);
    const refused = async (source: string) => {
      await admin.send('PUT', `/${realm}/client-policies/policies`, { policies: [policy(source)] });
      const open = { publicClient: true };
      const { body } = await create({}, initial);
      const answers = [
        await create(open),
        await create(open, initial),
        await send(body.registrationAccessToken)('PUT', `default/${body.clientId}`, {
          clientId: body.clientId,
          ...open,
        }),
        await admin.send('POST', `/${realm}/clients`, open),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await refused('ByAnonymous')).toEqual([400, 201, 200, 201]);
    expect(await refused('ByInitialAccessToken')).toEqual([201, 400, 200, 201]);
    expect(await refused('ByRegistrationAccessToken')).toEqual([201, 201, 400, 201]);
    expect(await refused('ByAuthenticatedUser')).toEqual([201, 201, 200, 400]);
    await admin.send('PUT', `/${realm}/client-policies/policies`, { policies: [] });
  });
});

describe('the most clients that there may be', () => {
  it('are not exceeded by registrations at once', async () => {
    const { body: clients } = await admin.send('GET', `/${realm}/clients`);
    const config = { 'max-clients': [String(clients.length + 2)] };
    await setPolicy(admin, realm, { providerId: 'max-clients', subType: 'anonymous', config });
    const answers = await Promise.all(Array.from({ length: 6 }, () => create()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(4);
  });
});
