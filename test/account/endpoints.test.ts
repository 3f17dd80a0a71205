// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { accountRoutes } from '../../src/rest/account.js';
import { accountRolesFor } from '../../src/services/account/operation.js';
import { type Caller, callerWith } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { albumOfAlice, idOf, phone, shopRealm, tokenOf, userOfShop, withShop } from './world.js';

// Every address of the account API: with every role, without a role, with tokens of others, and about what others have.
const roles = [
  'manage-account',
  'manage-account-links',
  'view-profile',
  'view-applications',
  'manage-consent',
  'view-consent',
  'delete-account',
];
let server: TestServer;
let admin: Caller;
let alice: Caller;
let bob: Caller;
/** without the audience `account`, and of a realm of the same names */
let narrow: Caller;
let elsewhere: Caller;
let ids: Record<string, string>;

const holder = (role: string) => ({
  username: `only-${role}`,
  enabled: true,
  email: `only-${role}@example.com`,
  firstName: 'Only',
  lastName: role,
  credentials: [{ type: 'password', value: `pw-only-${role}` }, phone].slice(0, 1),
  federatedIdentities: [{ identityProvider: 'partner', userId: role, userName: role }],
  clientRoles: { account: [role] },
});

beforeAll(async () => {
  server = await startServer();
  admin = await withShop(server, { users: [...shopRealm.users, ...roles.map(holder)] });
  const other = { ...shopRealm, realm: 'other', users: [shopRealm.users[0]] };
  expect((await admin.send('POST', '/admin/realms', other)).status).toBe(201);
  alice = await userOfShop(server, 'alice');
  bob = await userOfShop(server, 'bob');
  narrow = await userOfShop(server, 'alice', { client: 'narrow' });
  elsewhere = await userOfShop(server, 'alice', { realm: 'other' });
  const resource = await albumOfAlice(server);
  const aliceId = await idOf(admin, 'alice');
  expect((await admin.send('PUT', `/admin/realms/shop/users/${aliceId}`, { credentials: [phone] })).status).toBe(204);
  const [, otp] = (await alice.send('GET', '/realms/shop/account/credentials')).body;
  const [session] = (await alice.send('GET', '/realms/shop/account/sessions')).body;
  ids = {
    credentials: otp.userCredentials[0].id,
    'linked-accounts': 'partner',
    applications: 'asking',
    resources: resource,
    sessions: session.id,
  };
});

type Row = (typeof accountRoutes)[number];
const table = accountRoutes.map((route) => [`${route.method} ${route.path}`, route] as const);
const address = ({ path }: Row, realm = 'shop', id?: string) =>
  path.replace('{realm}', realm).replace(/([\w-]+)\/\{id\}/, (_, kind: string) => `${kind}/${id ?? ids[kind]}`);

/** A body that is as good as none: what it asks for is there already, or is nothing. */
const body = ({ path, method, takes }: Row): unknown => {
  if (takes !== 'json' && method !== 'POST') return undefined;
  if (path.endsWith('/label')) return 'Phone';
  if (path.endsWith('/permissions')) return [];
  return path.endsWith('/consent') ? { grantedScopes: [] } : {};
};

const ask = (caller: Caller, route: Row, at = address(route), sent: unknown = body(route)) =>
  caller.send(route.method, at, sent, { accept: 'application/json', 'content-type': 'application/json' });

/** What of a user can be changed here. */
const state = async (username: string) => {
  const { read } = server.database;
  return read.user.findFirst({
    where: { username, realm: { name: 'shop' } },
    select: {
      email: true,
      firstName: true,
      credentials: { select: { id: true, userLabel: true }, orderBy: { id: 'asc' } },
      federatedIdentities: { select: { identityProvider: true } },
      consents: { select: { grantedScopes: true } },
      sessions: { select: { sid: true }, orderBy: { sid: 'asc' } },
    },
  });
};

describe('every address of the account API', () => {
  it.each(table)('%s is refused without a token, and with one that is not for it', async (_title, route) => {
    const before = await state('alice');
    for (const caller of [callerWith(server, undefined), callerWith(server, 'no.such.token'), admin, narrow, elsewhere])
      expect(await ask(caller, route)).toMatchObject({ status: 401, body: { error: 'HTTP 401 Unauthorized' } });
    const after = await state('alice');
    expect({ ...after, sessions: [] }).toEqual({ ...before, sessions: [] });
  });

  it.each(table)('%s takes one of the roles that it states, and no other', async (_title, route) => {
    const needed: readonly string[] = accountRolesFor(route.operation.name) ?? [];
    expect(needed.length).toBeGreaterThan(0);
    for (const role of roles) {
      const caller = await userOfShop(server, `only-${role}`);
      const { status } = await ask(caller, route);
      expect([role, status === 403], `${role}: ${status}`).toEqual([role, !needed.includes(role)]);
    }
  });

  const about = accountRoutes.filter(({ path }) => /\/(credentials|resources)\/\{id\}/.test(path));
  it.each(about.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s does not reach what somebody else has',
    async (_title, route) => {
      const before = await state('alice');
      const answer = await ask(bob, route);
      expect([400, 404]).toContain(answer.status);
      expect(JSON.stringify(answer.body)).not.toMatch(/alice|Album|Phone/);
      expect(await state('alice')).toEqual(before);
      expect([400, 404]).toContain((await ask(alice, route, address(route, 'shop', 'no-such-id'))).status);
    },
  );

  it.each(table.filter(([, { takes }]) => takes === 'json'))('%s with a bad body: 4xx', async (_title, route) => {
    for (const bad of ['{"a":', '7', '{"noSuchField":1}', '[{"noSuchField":1}]', '{"username":{}}', '[[]]']) {
      const { status } = await ask(alice, route, address(route), bad);
      expect([bad, Math.floor(status / 100)]).toEqual([bad, route.path.endsWith('/label') && bad === '7' ? 2 : 4]);
    }
  });

  it.each(table)('%s in an unknown realm: 404', async (_title, route) => {
    expect((await ask(alice, route, address(route, 'no-such-realm'))).status).toBe(404);
  });
});

/** Takes the password of a user away, as an administrator can. */
async function withoutPassword(username: string): Promise<void> {
  const at = `/admin/realms/shop/users/${await idOf(admin, username)}/credentials`;
  const found: { id: string; type: string }[] = (await admin.send('GET', at)).body;
  for (const { id } of found.filter(({ type }) => type === 'password')) await admin.send('DELETE', `${at}/${id}`);
}

describe('the account API', () => {
  it('ends no session of somebody else', async () => {
    const before = await state('bob');
    const [{ sid = '' } = {}] = before?.sessions ?? [];
    expect((await alice.send('DELETE', `/realms/shop/account/sessions/${sid}`)).status).toBe(204);
    expect(await state('bob')).toEqual(before);
  });

  it('ends with the session of its token, and with the user', async () => {
    const caller = await userOfShop(server, 'only-manage-account');
    expect((await caller.send('DELETE', '/realms/shop/account/sessions?current=true')).status).toBe(204);
    expect((await caller.send('GET', '/realms/shop/account')).status).toBe(401);
    const disabled = await userOfShop(server, 'only-view-profile');
    const id = await idOf(admin, 'only-view-profile');
    await admin.send('PUT', `/admin/realms/shop/users/${id}`, { enabled: false });
    expect((await disabled.send('GET', '/realms/shop/account')).status).toBe(401);
    await admin.send('PUT', `/admin/realms/shop/users/${id}`, { enabled: true });
  });

  it('does not go by roles that a mapper writes into a token', async () => {
    const clients = (await admin.send('GET', '/admin/realms/shop/clients?clientId=hidden')).body;
    await admin.send('PUT', `/admin/realms/shop/clients/${clients[0].id}`, { directAccessGrantsEnabled: true });
    const mapper = {
      name: 'forged',
      protocol: 'openid-connect',
      protocolMapper: 'oidc-hardcoded-claim-mapper',
      config: {
        'claim.name': 'resource_access.account.roles',
        'claim.value': '["manage-account"]',
        'jsonType.label': 'JSON',
        'access.token.claim': 'true',
      },
    };
    const at = `/admin/realms/shop/clients/${clients[0].id}/protocol-mappers/models`;
    expect((await admin.send('POST', at, mapper)).status).toBe(201);
    const dave = await userOfShop(server, 'dave', { client: 'hidden' });
    expect((await dave.send('DELETE', '/realms/shop/account/sessions')).status).toBe(403);
  });

  it('changes no attribute by which others know a user', async () => {
    const user = { username: 'bob', email: 'bob@example.com', firstName: 'Bob', lastName: 'Baker' };
    const at = '/realms/shop/account';
    for (const name of ['saml.persistent.name.id.for.https://sp.example', 'userCertificate', 'LDAP_ID', 'ENABLED']) {
      const answer = await bob.send('POST', at, { ...user, attributes: { [name]: ['alice'] } });
      expect(answer).toMatchObject({
        status: 400,
        body: { errorMessage: 'updateReadOnlyAttributesRejectedMessage' },
      });
    }
    const id = await idOf(admin, 'bob');
    const kept = { userCertificate: ['of bob'], color: ['red'] };
    await admin.send('PUT', `/admin/realms/shop/users/${id}`, { attributes: kept });
    expect((await bob.send('POST', at, { ...user, attributes: { color: ['blue'] } })).status).toBe(204);
    const { attributes } = (await admin.send('GET', `/admin/realms/shop/users/${id}`)).body;
    expect(attributes).toEqual({ userCertificate: ['of bob'], color: ['blue'] });
  });

  it('leaves attributes alone by which a flow decides about one-time codes, or finds the user of a certificate', async () => {
    const flows = '/admin/realms/shop/authentication/flows';
    await admin.send('POST', flows, { alias: 'own', providerId: 'basic-flow', topLevel: true });
    for (const [provider, config] of [
      ['auth-conditional-otp-form', { otpControlAttribute: 'otp', defaultOtpOutcome: 'force' }],
      ['auth-x509-client-username-form', { 'x509-cert-auth.mapper-selection.user-attribute-name': 'serial##issuer' }],
    ] as const) {
      const made = await admin.send('POST', `${flows}/own/executions/execution`, { provider });
      const execution = made.headers.get('location')?.split('/').at(-1);
      const at = `/admin/realms/shop/authentication/executions/${execution}/config`;
      expect((await admin.send('POST', at, { alias: provider, config })).status).toBe(201);
    }
    const path = `/admin/realms/shop/users/${await idOf(admin, 'bob')}`;
    await admin.send('PUT', path, { attributes: { otp: ['force'], color: ['red'] } });
    const change = async (attributes: object) => {
      const { body } = await bob.send('GET', '/realms/shop/account/');
      return (await bob.send('POST', '/realms/shop/account/', { ...body, attributes })).status;
    };
    expect(await change({ otp: ['skip'], color: ['red'] })).toBe(400);
    expect(await change({ otp: ['force'], issuer: ['CN=Authority'] })).toBe(400);
    expect(await change({ color: ['blue'] })).toBe(204);
    expect((await admin.send('GET', path)).body.attributes).toEqual({ otp: ['force'], color: ['blue'] });
  });

  it('keeps the last way to log in', async () => {
    const linked = await userOfShop(server, 'only-manage-account-links');
    await withoutPassword('only-manage-account-links');
    const at = `/admin/realms/shop/users/${await idOf(admin, 'only-manage-account-links')}/federated-identity/partner`;
    expect((await admin.send('POST', at, { userId: 'linked', userName: 'linked' })).status).toBe(204);
    const refused = await linked.send('DELETE', '/realms/shop/account/linked-accounts/partner');
    expect(refused).toMatchObject({
      status: 400,
      body: { errorMessage: 'federatedIdentityRemovingLastProviderMessage' },
    });
    const keys = [1, 2].map(() => ({ type: 'webauthn-passwordless', credentialData: '{}', secretData: '{}' }));
    const user = { ...holder('manage-account'), username: 'keys', email: 'keys@example.com', federatedIdentities: [] };
    const password = { type: 'password', value: 'pw-keys' };
    await admin.send('POST', '/admin/realms/shop/partialImport', {
      users: [{ ...user, credentials: [password, ...keys] }],
    });
    const caller = await userOfShop(server, 'keys');
    await withoutPassword('keys');
    const [, container] = (await caller.send('GET', '/realms/shop/account/credentials')).body.filter(
      ({ type }: { type: string }) => type !== 'otp',
    );
    const own: { id: string }[] = container.userCredentials;
    expect(own.length).toBe(2);
    // of two at once one stays
    const answers = await Promise.all(
      own.map(({ id }) => caller.send('DELETE', `/realms/shop/account/credentials/${id}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
  });

  it('keeps an audit record and login events of what users change', async () => {
    const user = { username: 'bob', email: 'bob@example.org', firstName: 'Bob', lastName: 'Baker' };
    expect((await bob.send('POST', '/realms/shop/account', user)).status).toBe(204);
    const id = await idOf(admin, 'bob');
    const events = (await admin.send('GET', `/admin/realms/shop/events?user=${id}`)).body;
    expect(events.find(({ type }: { type: string }) => type === 'UPDATE_EMAIL')).toMatchObject({
      clientId: 'app',
      userId: id,
      details: { previous_email: 'bob@example.com', updated_email: 'bob@example.org' },
    });
    const record = await server.database.read.adminEvent.findFirst({
      where: { operation: 'account.updateProfile', resourceId: id },
      orderBy: { time: 'desc' },
    });
    expect(record).toMatchObject({ authUserId: id, authClientId: 'app', resourcePath: `users/${id}` });
  });

  it('reads the token of a request, and not the session of the browser', async () => {
    const cookie = `KEYCLOAK_IDENTITY=${await tokenOf(server, 'bob')}`;
    const answer = await fetch(`${server.url}/auth/realms/shop/account`, {
      headers: { accept: 'application/json', cookie },
    });
    expect(answer.status).toBe(401);
  });
});
