import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Ids, makeHostileRealm } from './fixture.js';

// Settings by which somebody would come into the account of an administrator, or to what tokens of administrators may do.
const realm = 'settings';
let server: TestServer;
let admin: Caller;
let ofRealm: Caller;
let ids: Ids;

beforeAll(async () => {
  server = await startServer();
  ({ admin, ids } = await makeHostileRealm(server, realm));
  ofRealm = await userOf(server, realm, 'manage-realm', 'pw');
});

describe('who writes texts', () => {
  const put = (caller: Caller, key: string) =>
    fetch(`${server.url}/auth/${realm}/localization/en/${key}`, {
      method: 'PUT',
      body: '<img src="https://elsewhere.example/?{0}">',
      headers: { authorization: `Bearer ${caller.token}`, 'content-type': 'text/plain' },
    });
  const mails = ['passwordReset', 'executeActions', 'emailVerification'].flatMap((name) =>
    ['Subject', 'Body', 'BodyHtml'].map((part) => name + part),
  );

  it.each(mails)('does not write %s, which brings administrators a link', async (key) => {
    expect((await put(ofRealm, key)).status).toBe(403);
    const form = new FormData();
    form.set(
      'file',
      new Blob([JSON.stringify({ loginTitle: 'Hello', [key]: '{0}' })], { type: 'application/json' }),
      'x',
    );
    const headers = { authorization: `Bearer ${ofRealm.token}` };
    const many = await fetch(`${server.url}/auth/${realm}/localization/en`, { method: 'POST', body: form, headers });
    expect(many.status).toBe(403);
    const { data } = await ofRealm.graphql<{ localizationTextsSet: { userErrors: { code: string }[] } }>(
      `mutation ($input: LocalizationTextsSetInput!) { localizationTextsSet(input: $input) { userErrors { code } } }`,
      { input: { realm: await realmId(), locale: 'en', texts: { list: [{ key, value: '{0}' }] } } },
    );
    expect(data.localizationTextsSet.userErrors).toMatchObject([{ code: 'FORBIDDEN' }]);
    expect((await put(admin, key)).status).toBe(204);
    expect((await ofRealm.send('DELETE', `/${realm}/localization/en/${key}`)).status).toBe(204);
  });

  it('writes the others', async () => {
    expect((await put(ofRealm, 'loginTitle')).status).toBe(204);
  });

  const realmId = async () =>
    (await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`)).data.realm.id;
});

describe('the mail server of a realm', () => {
  const safe = { host: 'mail.example', port: '587', from: 'a@mail.example', starttls: 'true' };
  const { starttls: _tls, ...open } = safe;
  const { host: _host, ...nowhere } = safe;
  const smtpOf = async () => (await admin.send('GET', `/${realm}`)).body.smtpServer;
  beforeAll(async () => {
    expect((await admin.send('PUT', `/${realm}`, { smtpServer: safe })).status).toBe(204);
  });

  it.each([
    ['without TLS', 'PUT', { smtpServer: open }],
    ['nowhere', 'PUT', { smtpServer: nowhere }],
    ['with nothing', 'PUT', { smtpServer: {} }],
    ['without TLS by a patch', 'PATCH', { smtpServer: { starttls: null } }],
    ['with nothing by a patch', 'PATCH', { smtpServer: null }],
  ])('is not reached %s by the word of who manages the realm alone', async (_how, method, body) => {
    const headers = { authorization: `Bearer ${ofRealm.token}`, 'content-type': 'application/json' };
    const type = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
    const { status } = await fetch(`${server.url}/auth/admin/realms/${realm}`, {
      method,
      headers: { ...headers, ...type },
      body: JSON.stringify(body),
    });
    expect(status).toBe(403);
    expect(await smtpOf()).toEqual(safe);
  });

  it('stays as it is where it is sent as it is, or not at all', async () => {
    for (const body of [{ smtpServer: safe }, { displayName: 'Other' }])
      expect((await ofRealm.send('PUT', `/${realm}`, body)).status).toBe(204);
    expect(await smtpOf()).toEqual(safe);
  });
});

describe('who may only configure a client', () => {
  let configurer: Caller;
  let app: string;
  let before: Record<string, unknown>;

  beforeAll(async () => {
    app = `/${realm}/clients/${ids.clients.app}`;
    const { scopePermissions } = (await admin.send('PUT', `${app}/management/permissions`, { enabled: true })).body;
    const management = `/${realm}/clients/${ids.clients['realm-management']}/authz/resource-server`;
    const policy = { name: 'victim only', users: [ids.users.victim] };
    const { id } = (await admin.send('POST', `${management}/policy/user`, policy)).body;
    for (const scope of ['configure', 'view']) {
      const path = `${management}/permission/scope/${scopePermissions[scope]}`;
      const permission = (await admin.send('GET', path)).body;
      expect((await admin.send('PUT', path, { ...permission, policies: [id] })).status).toBe(201);
    }
    configurer = await userOf(server, realm, 'victim', 'pw');
    const { access: _access, ...readable } = (await configurer.send('GET', app)).body;
    before = readable;
  });

  const mapper = (protocolMapper: string, config: object) => ({
    protocolMappers: [{ name: 'more', protocol: 'openid-connect', protocolMapper, config }],
  });
  it.each([
    ['a claim', () => mapper('oidc-hardcoded-claim-mapper', { 'claim.name': 'roles', 'claim.value': '[]' })],
    ['a role', () => mapper('oidc-hardcoded-role-mapper', { role: 'realm-management.realm-admin' })],
    ['no mappers', () => ({ protocolMappers: [] })],
    ['the whole scope', () => ({ fullScopeAllowed: before.fullScopeAllowed !== true })],
    ['another flow', async () => ({ authenticationFlowBindingOverrides: { browser: await flow() } })],
  ])('does not give it %s', async (_, change) => {
    const sent = { ...before, ...(await change()) };
    expect((await configurer.send('PUT', app, sent)).status).toBe(403);
    expect((await admin.send('GET', app)).body).toMatchObject(before);
  });

  it('writes back what was read, changed otherwise', async () => {
    expect((await configurer.send('PUT', app, { ...before, description: 'configured' })).status).toBe(204);
    expect((await admin.send('GET', app)).body).toMatchObject({ ...before, description: 'configured' });
  });

  const flow = async () =>
    (await admin.send('GET', `/${realm}/authentication/flows`)).body.find(
      ({ alias }: { alias: string }) => alias === 'browser',
    ).id;
});

describe('who manages the realm', () => {
  it('decides nothing of an administrator who comes from a directory', async () => {
    const type = 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper';
    const userStorage = 'org.keycloak.storage.UserStorageProvider';
    const mapper = {
      name: 'address',
      parentId: ids.storage,
      providerId: 'user-attribute-ldap-mapper',
      providerType: type,
      config: { 'user.model.attribute': ['email'], 'ldap.attribute': ['description'] },
    };
    const components = `/${realm}/components`;
    const made = await ofRealm.send('POST', components, mapper);
    expect(made.status).toBe(201);
    const own = `${components}/${made.headers.get('location')?.split('/').at(-1)}`;
    const boss = { federationLink: ids.storage };
    expect((await admin.send('PUT', `/${realm}/users/${ids.users.boss}`, boss)).status).toBe(204);
    expect((await ofRealm.send('POST', components, { ...mapper, name: 'other' })).status).toBe(403);
    expect((await ofRealm.send('PUT', own, { ...mapper, name: 'changed' })).status).toBe(403);
    expect((await ofRealm.send('DELETE', own)).status).toBe(403);
    expect((await (await administrator(server)).send('DELETE', own)).status).toBe(204);
    // nor by a mapper that moves in from a directory in which nobody is
    const storage = { providerId: 'ldap', providerType: userStorage, name: 'mine', config: { enabled: ['false'] } };
    const mine = (await ofRealm.send('POST', components, storage)).headers.get('location')?.split('/').at(-1);
    const inside = await ofRealm.send('POST', components, { ...mapper, parentId: mine });
    const moving = `${components}/${inside.headers.get('location')?.split('/').at(-1)}`;
    expect((await ofRealm.send('PUT', moving, { ...mapper, parentId: mine, name: 'stays' })).status).toBe(204);
    expect((await ofRealm.send('PUT', moving, mapper)).status).toBe(403);
    const patch = { 'content-type': 'application/merge-patch+json' };
    expect((await ofRealm.send('PATCH', moving, { parentId: ids.storage }, patch)).status).toBe(403);
  });

  it('binds no part of a flow to a client', async () => {
    const flows = (await admin.send('GET', `/${realm}/authentication/flows/browser/executions`)).body;
    const inner = flows.find(({ flowId }: { flowId?: string }) => flowId !== undefined).flowId;
    const overrides = { authenticationFlowBindingOverrides: { browser: inner } };
    expect((await admin.send('PUT', `/${realm}/clients/${ids.clients.app}`, overrides)).status).toBe(400);
  });
});
