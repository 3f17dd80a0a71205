import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Agent, agentOf, answerOf, authorizationUrl } from './agent.js';
import { callback, importShop, shop } from './realm.js';

// Whoever impersonates a user acts as that user for a while, and keeps nothing.
let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  const lasting = { publicClient: true, redirectUris: [callback], defaultClientScopes: ['offline_access'] };
  await importShop(admin, { clients: [...shop.clients, { clientId: 'lasting', ...lasting }] });
});

const app = { client_id: 'app', redirect_uri: callback };
const asksForPassword = /<input[^>]*type="password"[^>]*name="password"|<input[^>]*name="password"[^>]*type="password"/;

async function impersonated(username: string): Promise<Agent> {
  const agent = agentOf(server, { authorization: `Bearer ${admin.token}` });
  const [{ id }] = (await admin.send('GET', `/admin/realms/shop/users?username=${username}&exact=true`)).body;
  const answer = await agent.post(`/auth/admin/realms/shop/users/${id}/impersonation`, {});
  expect(answer.status).toBe(200);
  return agent;
}

describe('an impersonated session', () => {
  it('logs in to clients', async () => {
    const agent = await impersonated('ann');
    expect(answerOf(await agent.get(authorizationUrl('shop', app)))).toHaveProperty('code');
  });

  it.each([
    ['ann', { kc_action: 'UPDATE_PASSWORD' }],
    ['ann', { kc_action: 'UPDATE_PROFILE' }],
    ['ann', { kc_action: 'CONFIGURE_TOTP' }],
    ['ann', { scope: 'openid offline_access' }],
    ['ann', { client_id: 'lasting' }],
    ['ann', { client_id: 'asking' }],
    ['todo', {}],
  ])('of %s takes the password for %j', async (username, more) => {
    const agent = await impersonated(username);
    const page = await agent.get(authorizationUrl('shop', { ...app, ...more }));
    expect(page.status).toBe(200);
    expect(page.text).toMatch(asksForPassword);
    expect(page.text).not.toContain('password-new');
    const silent = await agent.get(authorizationUrl('shop', { ...app, ...more, prompt: 'none' }));
    expect(answerOf(silent)).toMatchObject({ error: 'login_required' });
  });
});
