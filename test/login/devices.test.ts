import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { agentOf, answerOf, authorizationUrl, noticeOf, token } from './agent.js';
import { codeOf, device, flow, into, step } from './own-flows.js';
import { callback, importShop, shop } from './realm.js';

let server: TestServer;
let admin: Caller;

const app = { client_id: 'app', redirect_uri: callback };
// by a clock that runs sixty times slower, no period ends in the middle of a test
const now = () => Math.floor(slowClock() / 30_000);

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const users = shop.users.map((user) => {
    const devices = { ann: [device('totp')], bob: [device('hotp')] }[user.username] ?? [];
    const realmRoles = user.username === 'carl' ? ['vip'] : [];
    return { ...user, realmRoles, credentials: [...user.credentials, ...devices] };
  });
  await importShop(admin, {
    users,
    roles: { realm: [{ name: 'vip' }] },
    clients: [...shop.clients, { ...shop.clients[0], clientId: 'direct', directAccessGrantsEnabled: true }].filter(
      ({ clientId, ...more }) => clientId !== 'direct' || 'directAccessGrantsEnabled' in more,
    ),
  });
  await importShop(admin, {
    realm: 'roles',
    id: 'roles',
    users,
    roles: { realm: [{ name: 'vip' }] },
    browserFlow: 'own',
    directGrantFlow: 'own direct',
    clients: [{ ...shop.clients[0], directAccessGrantsEnabled: true }],
    authenticatorConfig: [{ alias: 'vips', config: { condUserRole: 'vip' } }],
    authenticationFlows: [
      flow('own', true, step('auth-username-password-form', 'REQUIRED', 10), into('for vips', 20)),
      flow(
        'for vips',
        false,
        step('conditional-user-role', 'REQUIRED', 10, 'vips'),
        step('auth-otp-form', 'REQUIRED', 20),
      ),
      flow(
        'own direct',
        true,
        step('direct-grant-validate-username', 'REQUIRED', 10),
        step('direct-grant-validate-password', 'REQUIRED', 20),
        into('not for vips', 30),
      ),
      flow(
        'not for vips',
        false,
        step('conditional-user-role', 'REQUIRED', 10, 'vips'),
        step('deny-access-authenticator', 'REQUIRED', 20),
      ),
    ],
  });
});

async function codePage(username: string, realm = 'shop') {
  const agent = agentOf(server);
  const page = await agent.get(authorizationUrl(realm, app));
  return { agent, page: await agent.submit(page, { username, password: `pw-${username}` }) };
}
const grant = (username: string, otp?: string, realm = 'shop', client_id = 'direct') =>
  token(server, realm, {
    grant_type: 'password',
    client_id,
    username,
    password: `pw-${username}`,
    ...(otp !== undefined && { otp }),
  });

describe('the flow of a new realm of Keycloak 26.4', () => {
  const alternative = (authenticator: string, priority: number) => step(authenticator, 'ALTERNATIVE', priority);

  it('asks those for a code who have a device, and skips organizations', async () => {
    await importShop(admin, {
      ...{ realm: 'newer', id: 'newer', browserFlow: 'own', clients: [shop.clients[0]] },
      users: shop.users.map((user) =>
        user.username === 'ann'
          ? { ...user, realmRoles: [], credentials: [...user.credentials, device('totp')] }
          : user,
      ),
      authenticatorConfig: [{ alias: 'credential', config: { credentials: 'webauthn-passwordless' } }],
      authenticationFlows: [
        flow(
          'own',
          true,
          alternative('auth-cookie', 10),
          { flowAlias: 'organizations', requirement: 'ALTERNATIVE', priority: 26 },
          { flowAlias: 'forms of it', requirement: 'ALTERNATIVE', priority: 30 },
        ),
        flow('organizations', false, into('conditional organization', 10)),
        flow(
          'conditional organization',
          false,
          step('conditional-user-configured', 'REQUIRED', 10),
          alternative('organization', 20),
        ),
        flow('forms of it', false, step('auth-username-password-form', 'REQUIRED', 10), into('conditional 2FA', 20)),
        flow(
          'conditional 2FA',
          false,
          step('conditional-user-configured', 'REQUIRED', 10),
          step('conditional-credential', 'REQUIRED', 20, 'credential'),
          alternative('auth-otp-form', 30),
          step('webauthn-authenticator', 'DISABLED', 40),
        ),
      ],
    });
    const { agent, page } = await codePage('ann', 'newer');
    expect(answerOf(await agent.submit(page, { otp: codeOf(now()) }))).toHaveProperty('code');
    expect(answerOf((await codePage('bob', 'newer')).page)).toHaveProperty('code');
  });
});

describe('a one-time code', () => {
  it('of the time counts once, on the page and in direct grants', async () => {
    const code = codeOf(now());
    const first = await codePage('ann');
    const second = await codePage('ann');
    expect(answerOf(await first.agent.submit(first.page, { otp: code }))).toHaveProperty('code');
    const again = await second.agent.submit(second.page, { otp: code });
    expect(noticeOf(again)).toBe('Invalid one-time code.');
    expect((await grant('ann', code)).status).toBe(401);
    expect((await grant('ann', codeOf(now() + 1))).status).toBe(200);
    const earlier = codeOf(now() - 1);
    const both = await Promise.all(Array.from({ length: 4 }, () => grant('ann', earlier)));
    expect(both.filter(({ status }) => status === 200).length).toBe(1);
  });

  it('of the time counts again in a realm that allows it, as long as it is valid', async () => {
    const set = (value: string) =>
      admin.send('PUT', '/admin/realms/shop', { attributes: { realmReusableOtpCode: value } });
    expect((await set('true')).status).toBe(204);
    const code = codeOf(now());
    for (const _ of [1, 2]) expect((await grant('ann', code)).status).toBe(200);
    expect((await grant('ann', codeOf(now() - 5))).status).toBe(401);
    expect((await set('false')).status).toBe(204);
    expect((await grant('ann', codeOf(now()))).status).toBe(401);
  });

  it('of a counter moves it on', async () => {
    const { agent, page } = await codePage('bob');
    const skipped = await agent.submit(page, { otp: codeOf(2) });
    expect(noticeOf(skipped)).toBe('Invalid one-time code.');
    expect(answerOf(await agent.submit(skipped, { otp: codeOf(1) }))).toHaveProperty('code');
    expect((await grant('bob', codeOf(1))).status).toBe(401);
    expect((await grant('bob', codeOf(0))).status).toBe(401);
    expect((await grant('bob', codeOf(2))).status).toBe(200);
    expect((await grant('bob')).status).toBe(401);
  });
});

describe('a condition of a role', () => {
  it('asks those who have it for more', async () => {
    expect(answerOf((await codePage('dora', 'roles')).page)).toHaveProperty('code');
    expect((await codePage('carl', 'roles')).page.text).toContain('totp-key');
  });

  it('counts in the flow for direct grants', async () => {
    expect((await grant('dora', undefined, 'roles', 'app')).status).toBe(200);
    const { status, body } = await grant('carl', undefined, 'roles', 'app');
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
    const [event] = (await admin.send('GET', '/admin/realms/roles/events?type=LOGIN_ERROR')).body;
    expect(event).toMatchObject({ error: 'access_denied' });
  });

  it('does not let a flow leave out what the server does not have', async () => {
    await importShop(admin, {
      realm: 'strange',
      id: 'strange',
      directGrantFlow: 'own',
      clients: [{ ...shop.clients[0], directAccessGrantsEnabled: true }],
      authenticationFlows: [
        flow('own', true, step('direct-grant-validate-username', 'REQUIRED', 10), step('auth-spnego', 'REQUIRED', 20)),
      ],
    });
    const { status, body } = await grant('ann', undefined, 'strange', 'app');
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
    const [event] = (await admin.send('GET', '/admin/realms/strange/events?type=LOGIN_ERROR')).body;
    expect(event).toMatchObject({
      error: 'invalid_authentication_flow',
      details: { reason: 'auth-spnego' },
    });
  });
});
