import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { type Agent, agentOf, answerOf, authorizationUrl, noticeOf, type Page, token } from './agent.js';
import { codeOf, device, flow, into, step } from './own-flows.js';
import { callback, importShop, shop } from './realm.js';

let server: TestServer;
let admin: Caller;
let period = 0;

const app = { client_id: 'app', redirect_uri: callback };
// by a clock that runs sixty times slower, no period ends in the middle of a test, and each code is used once
const nextCode = () => codeOf(Math.floor(slowClock() / 30_000) + (period++ % 2));

const levels = { 'acr.loa.map': JSON.stringify({ silver: 1, gold: 2 }) };
const stepUp = (more: { maxAge?: string; codeMaxAge?: string } = {}) => ({
  browserFlow: 'step up',
  attributes: levels,
  users: shop.users.map((user) => ({
    ...user,
    realmRoles: [],
    credentials: [...user.credentials, ...(['ann', 'dora'].includes(user.username) ? [device('totp')] : [])],
  })),
  authenticatorConfig: [
    { alias: 'level 1', config: { 'loa-condition-level': '1', 'loa-max-age': more.maxAge ?? '36000' } },
    { alias: 'level 2', config: { 'loa-condition-level': '2', 'loa-max-age': more.codeMaxAge ?? '0' } },
  ],
  authenticationFlows: [
    flow('step up', true, step('auth-cookie', 'ALTERNATIVE', 10), into('levels', 20, 'ALTERNATIVE')),
    flow('levels', false, into('with password', 10), into('with code', 20)),
    flow(
      'with password',
      false,
      step('conditional-level-of-authentication', 'REQUIRED', 10, 'level 1'),
      step('auth-username-password-form', 'REQUIRED', 20),
    ),
    flow(
      'with code',
      false,
      step('conditional-level-of-authentication', 'REQUIRED', 10, 'level 2'),
      step('auth-otp-form', 'REQUIRED', 20),
    ),
  ],
});

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  await importShop(admin, stepUp());
  await importShop(admin, { realm: 'short', ...stepUp({ maxAge: '0' }) });
  await importShop(admin, { realm: 'long', ...stepUp({ codeMaxAge: '36000' }) });
  await importShop(admin, { realm: 'plain', attributes: levels });
});

const begin = (agent: Agent, more: Record<string, string> = {}, realm = 'shop') =>
  agent.get(authorizationUrl(realm, { ...app, ...more }));
const password = (agent: Agent, page: Page) => agent.submit(page, { username: 'ann', password: 'pw-ann' });
const essential = (...values: string[]) => ({
  claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }),
});

async function acrOf(page: Page, realm = 'shop'): Promise<unknown> {
  const { code = '' } = answerOf(page);
  const { body } = await token(server, realm, { grant_type: 'authorization_code', ...app, code });
  const again = await token(server, realm, {
    grant_type: 'refresh_token',
    client_id: 'app',
    refresh_token: body.refresh_token ?? '',
  });
  const { acr } = decodeJwt(body.id_token ?? '');
  expect(decodeJwt(again.body.id_token ?? '').acr).toBe(acr);
  expect(decodeJwt(body.access_token ?? '').acr).toBe(acr);
  return acr;
}

describe('levels of authentication', () => {
  it('are reached one after the other, as clients ask for them, and go on in the session', async () => {
    const agent = agentOf(server);
    expect(await acrOf(await password(agent, await begin(agent)))).toBe('silver');
    // the session is enough for what it has reached
    expect(await acrOf(await begin(agent, { acr_values: 'silver', prompt: 'none' }))).toBe('silver');
    expect(answerOf(await begin(agent, { acr_values: 'gold', prompt: 'none' })).error).toBe('login_required');
    const page = await begin(agent, { acr_values: 'gold' });
    expect(page.text).toContain('name="otp"');
    expect(page.text).not.toContain('name="password"');
    expect(await acrOf(await agent.submit(page, { otp: nextCode() }))).toBe('gold');
    // the second level counts for one login only
    expect(await acrOf(await begin(agent, { prompt: 'none' }))).toBe('silver');
    expect((await begin(agent, essential('gold'))).text).toContain('name="otp"');
  });

  it('are reached in one login, too, and a wrong code leads no further', async () => {
    const agent = agentOf(server);
    const code = await password(agent, await begin(agent, essential('gold')));
    const wrong = await agent.submit(code, { otp: '000000' });
    expect(noticeOf(wrong)).toBe('Invalid one-time code.');
    expect(await acrOf(await agent.submit(wrong, { otp: nextCode() }))).toBe('gold');
  });

  it('are asked for again when they are too old', async () => {
    const agent = agentOf(server);
    expect(await acrOf(await password(agent, await begin(agent, {}, 'short')), 'short')).toBe('silver');
    const page = await begin(agent, { acr_values: 'silver' }, 'short');
    expect(page.text).toContain('name="password"');
    // another user cannot take over the session
    const other = await agent.submit(page, { username: 'bob', password: 'pw-bob' });
    expect(other.status).toBe(400);
    expect(await acrOf(await password(agent, await begin(agent, { acr_values: '1' }, 'short')), 'short')).toBe('1');
  });

  it('are refused, where the flow does not lead to them', async () => {
    for (const value of ['3', 'platinum']) {
      expect(answerOf(await begin(agentOf(server), essential(value)))).toMatchObject({
        error: 'unmet_authentication_requirements',
      });
    }
    const agent = agentOf(server);
    expect(answerOf(await begin(agent, essential('gold'), 'plain')).error).toBe('unmet_authentication_requirements');
    // who asks for more than there is, and does without it, gets what there is
    expect(await acrOf(await password(agent, await begin(agent, { acr_values: 'gold' }, 'plain')), 'plain')).toBe(
      'silver',
    );
    expect(await acrOf(await begin(agent, { prompt: 'none' }, 'plain'), 'plain')).toBe('0');
  });

  it('are those that a client has as its default, and not less than its minimum', async () => {
    const [client] = (await admin.send('GET', '/admin/realms/short/clients?clientId=second')).body;
    const change = (attributes: Record<string, string>) =>
      admin.send('PUT', `/admin/realms/short/clients/${client.id}`, { ...client, attributes });
    const wants = async (attributes: Record<string, string>) => {
      await change(attributes);
      const agent = agentOf(server);
      const page = await begin(agent, { client_id: 'second' }, 'short');
      return (await password(agent, page)).text.includes('name="otp"');
    };
    expect(await wants({})).toBe(false);
    expect(await wants({ 'default.acr.values': 'gold' })).toBe(true);
    expect(await wants({ 'minimum.acr.value': '2' })).toBe(true);
    expect(await wants({ 'acr.loa.map': '{"high":2}', 'minimum.acr.value': 'high' })).toBe(true);
    await change({ 'minimum.acr.value': 'platinum' });
    expect(answerOf(await begin(agentOf(server), { client_id: 'second' }, 'short')).error).toBe(
      'unmet_authentication_requirements',
    );
  });

  it('end with the session, also for a login that has begun before', async () => {
    const agent = agentOf(server);
    const code = await password(agent, await begin(agent, { acr_values: 'gold' }, 'long'));
    expect(await acrOf(await agent.submit(code, { otp: nextCode() }), 'long')).toBe('gold');
    expect(await acrOf(await begin(agent, { acr_values: 'gold', prompt: 'none' }, 'long'), 'long')).toBe('gold');
    const page = await begin(agent, { prompt: 'login' }, 'long');
    const [ann] = (await admin.send('GET', '/admin/realms/long/users?username=ann')).body;
    expect((await admin.send('POST', `/admin/realms/long/users/${ann.id}/logout`)).status).toBe(204);
    expect(await acrOf(await password(agent, page), 'long')).toBe('silver');
    expect((await begin(agent, { acr_values: 'gold' }, 'long')).text).toContain('name="otp"');
  });

  it('are reached with the device that is there, before a client has the user add another', async () => {
    const adding = { kc_action: 'CONFIGURE_TOTP' };
    const dora = { username: 'dora', password: 'pw-dora' };
    const agent = agentOf(server);
    const anew = await agent.submit(await begin(agent, adding, 'long'), dora);
    await agent.submit(await begin(agent, {}, 'long'), dora);
    const page = await begin(agent, adding, 'long');
    for (const { text } of [anew, page]) {
      expect(text).toContain('name="otp"');
      expect(text).not.toContain('name="userLabel"');
    }
    expect((await agent.submit(page, { otp: nextCode() })).text).toContain('name="userLabel"');
    // the first device needs no other
    const other = agentOf(server);
    const first = await other.submit(await begin(other, adding, 'long'), { username: 'bob', password: 'pw-bob' });
    expect(first.text).toContain('name="userLabel"');
  });

  it('are named in the metadata of the realm', async () => {
    const metadata = async (realm: string) =>
      (await (await fetch(`${server.url}/auth/realms/${realm}/.well-known/openid-configuration`)).json()) as object;
    expect(await metadata('shop')).toMatchObject({ acr_values_supported: ['silver', 'gold'] });
    expect(await metadata('master')).not.toHaveProperty('acr_values_supported');
  });
});
