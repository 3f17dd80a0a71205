import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Agent, agentOf, type Page, token } from '../login/agent.js';
import type { Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { shopRealm, withShop } from './world.js';

// Requests of clients to log users in (OpenID Connect CIBA), which they answer on the pages of their accounts.
let server: TestServer;
let admin: Caller;
/** milliseconds that the clock of the server is ahead */
let ahead = 0;

const path = '/auth/realms/shop/account';
const page = `${path}/applications`;
const resource = 'https://api.example';
const client = { client_id: 'kiosk', client_secret: 'kiosk-secret' };

beforeAll(async () => {
  server = await startServer({}, () => Date.now() + ahead);
  admin = await withShop(server);
  const mapper = {
    name: 'audience',
    protocol: 'openid-connect',
    protocolMapper: 'oidc-audience-mapper',
    config: { 'included.custom.audience': resource, 'access.token.claim': 'true' },
  };
  const made = await admin.send('POST', '/admin/realms/shop/clients', {
    clientId: 'kiosk',
    name: 'Kiosk <in> hall 3',
    secret: 'kiosk-secret',
    attributes: { 'oidc.ciba.grant.enabled': 'true' },
    protocolMappers: [mapper],
  });
  expect(made.status).toBe(201);
});

/** A browser that is logged in at the account pages. */
async function open(username: string): Promise<Agent> {
  const agent = agentOf(server, { accept: 'text/html' });
  const start = await agent.get(`${path}/applications`);
  const to = /href="([^"]*protocol\/openid-connect\/auth[^"]*)"/.exec(start.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  let at = await agent.submit(await agent.get(to), { username, password: `pw-${username}` });
  while (at.location) at = await agent.get(at.location);
  return agent;
}

/** Has the client ask a user. Returns the code with which it polls. */
async function ask(login_hint: string, more: Record<string, string> = {}) {
  const form = { ...client, scope: 'openid', login_hint, ...more };
  const to = `${server.url}/auth/realms/shop/protocol/openid-connect/ext/ciba/auth`;
  const answer = await fetch(to, { method: 'POST', body: new URLSearchParams(form) });
  return { status: answer.status, ...((await answer.json()) as { auth_req_id?: string; error?: string }) };
}
const poll = async ({ auth_req_id = '' }: { auth_req_id?: string }, more: Record<string, string> = {}) =>
  (await token(server, 'shop', { ...client, grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id, ...more }))
    .body;

const fieldOf = ({ text }: Page, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? '';
const answer = (agent: Agent, shown: Page, decision: 'allow' | 'deny', request = fieldOf(shown, 'request')) =>
  agent.post(page, { form: 'answerLogin', checker: fieldOf(shown, 'checker'), request, answer: decision });
/** Lets so much time pass that no earlier request counts. */
const later = () => {
  ahead += 600_000;
};

describe('a request to log in', () => {
  it('is shown with its message, and allowed once, for the resource that it names', async () => {
    const agent = await open('alice');
    const asked = await ask('alice', { binding_message: 'W4SCT <b>', resource });
    const shown = await agent.get(page);
    for (const text of ['Requests to sign in', 'Kiosk &lt;in&gt; hall 3', 'Message: W4SCT &lt;b&gt;'])
      expect(shown.text).toContain(text);
    expect((await answer(agent, shown, 'allow')).status).toBe(303);
    expect((await agent.get(page)).text).not.toContain('Requests to sign in');
    // a second answer changes nothing
    expect((await answer(agent, shown, 'deny')).status).toBe(400);
    expect((await poll(asked, { resource: 'https://other.example' })).error).toBe('invalid_target');
    later();
    const narrow = await ask('alice', { resource });
    const fresh = await open('alice');
    await answer(fresh, await fresh.get(page), 'allow');
    const tokens = await poll(narrow);
    expect(decodeJwt(tokens.access_token ?? '')).toMatchObject({ aud: resource, preferred_username: 'alice' });
    later();
  });

  it('for a resource that is none is refused', async () => {
    expect(await ask('alice', { resource: 'no address' })).toMatchObject({ status: 400, error: 'invalid_target' });
  });

  it('can be denied', async () => {
    const agent = await open('alice');
    const asked = await ask('alice');
    expect((await answer(agent, await agent.get(page), 'deny')).status).toBe(303);
    expect((await poll(asked)).error).toBe('access_denied');
    later();
  });

  it('is neither shown to others nor answered by them', async () => {
    const [alice, bob] = [await open('alice'), await open('bob')];
    const asked = await ask('alice');
    expect((await bob.get(page)).text).not.toContain('Requests to sign in');
    const request = fieldOf(await alice.get(page), 'request');
    await ask('bob');
    expect((await answer(bob, await bob.get(page), 'allow', request)).status).toBe(400);
    expect((await poll(asked)).error).toBe('authorization_pending');
    later();
  });

  it('is not answered by the form of another page, or in a browser that was left open', async () => {
    const agent = await open('alice');
    const asked = await ask('alice', { requested_expiry: '100' });
    const shown = await agent.get(page);
    const form = { form: 'answerLogin', checker: 'guessed', request: fieldOf(shown, 'request'), answer: 'allow' };
    expect((await agent.post(page, form)).status).toBe(403);
    ahead += 301_000;
    const again = await ask('alice');
    const left = await agent.get(page);
    const { status, location } = await answer(agent, left, 'allow');
    expect([status, location]).toEqual([303, expect.stringContaining('/protocol/openid-connect/auth')]);
    expect((await poll(asked)).error).toBe('expired_token');
    expect((await poll(again)).error).toBe('authorization_pending');
    later();
  });

  it('cannot be repeated until a user allows it', async () => {
    const agent = await open('alice');
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await ask('alice')).status).toBe(200);
      await answer(agent, await agent.get(page), 'deny');
    }
    // an answer makes no room for the next request
    expect(await ask('alice')).toMatchObject({ status: 400, error: 'access_denied' });
    expect((await agent.get(page)).text).not.toContain('Requests to sign in');
    later();
  });

  it('is not answered by who may only look at the account', async () => {
    expect(shopRealm.users.map(({ username }: { username: string }) => username)).toContain('erin');
    const agent = await open('erin');
    const asked = await ask('erin');
    const shown = await agent.get(page);
    expect(shown.text).not.toContain('Requests to sign in');
    expect((await poll(asked)).error).toBe('authorization_pending');
  });
});
