import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf, answerOf, authorizationUrl, token } from '../login/agent.js';
import { callback, importShop } from '../login/realm.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  await importShop(admin);
});

const send = (method: string, path: string, body?: unknown) => admin.send(method, `/shop${path}`, body);
const flows = '/authentication/flows';

async function signIn(username: string, client = 'app') {
  const agent = agentOf(server);
  const page = await agent.get(authorizationUrl('shop', { client_id: client, redirect_uri: callback }));
  return page.status === 200 ? agent.submit(page, { username, password: `pw-${username}` }) : page;
}

/** Copies a built-in flow and changes the requirement of one of its steps. */
async function copyWith(name: string, newName: string, step: string, requirement: string): Promise<string> {
  await send('POST', `${flows}/${encodeURIComponent(name)}/copy`, { newName });
  const path = `${flows}/${encodeURIComponent(newName)}/executions`;
  const { id } = (await send('GET', path)).body.find((line: { displayName: string }) => line.displayName === step);
  expect((await send('PUT', path, { id, requirement })).status).toBe(202);
  return (await send('GET', flows)).body.find((flow: { alias: string }) => flow.alias === newName).id;
}

describe('a login follows the flows as they are', () => {
  it('asks everybody for a one-time code once the bound copy requires it', async () => {
    expect(answerOf(await signIn('ann'))).toHaveProperty('code');
    await copyWith('browser', 'strict', 'strict Browser - Conditional OTP', 'REQUIRED');
    expect(answerOf(await signIn('ann'))).toHaveProperty('code');
    await send('PUT', '', { browserFlow: 'strict' });
    const page = await signIn('ann');
    expect(page.location ?? page.text).toMatch(/CONFIGURE_TOTP|totp/);
    await send('PUT', '', { browserFlow: 'browser' });
    expect(answerOf(await signIn('ann'))).toHaveProperty('code');
  });

  it('takes a step that is added, moved or taken out at once', async () => {
    await send('POST', `${flows}/browser/copy`, { newName: 'gated' });
    await send('PUT', '', { browserFlow: 'gated' });
    expect(answerOf(await signIn('bob'))).toHaveProperty('code');
    const added = await send('POST', `${flows}/gated%20forms/executions/execution`, {
      provider: 'deny-access-authenticator',
    });
    const id = added.headers.get('location')?.split('/').at(-1);
    await send('PUT', `${flows}/gated%20forms/executions`, { id, requirement: 'REQUIRED' });
    expect((await signIn('bob')).status).toBe(400);
    await send('DELETE', `/authentication/executions/${id}`);
    expect(answerOf(await signIn('bob'))).toHaveProperty('code');
    await send('PUT', '', { browserFlow: 'browser' });
  });

  it('goes by the flow of the client where that has one of its own', async () => {
    const denied = await send('POST', flows, { alias: 'closed', providerId: 'basic-flow', topLevel: true });
    const browser = denied.headers.get('location')?.split('/').at(-1);
    await send('POST', `${flows}/closed/executions/execution`, {
      provider: 'deny-access-authenticator',
      requirement: 'REQUIRED',
    });
    const direct = await copyWith('direct grant', 'code too', 'code too Direct Grant - Conditional OTP', 'REQUIRED');
    const [client] = (await send('GET', '/clients?clientId=second')).body;
    const overrides = { authenticationFlowBindingOverrides: { browser, direct_grant: direct } };
    await send('PUT', `/clients/${client.id}`, { ...client, directAccessGrantsEnabled: true, ...overrides });

    expect((await signIn('carl', 'second')).status).toBe(400);
    expect(answerOf(await signIn('carl'))).toHaveProperty('code');
    const grant = { grant_type: 'password', username: 'carl', password: 'pw-carl' };
    expect((await token(server, 'shop', { ...grant, client_id: 'second' })).status).toBe(400);
    const other = (await send('GET', '/clients?clientId=app')).body[0];
    await send('PUT', `/clients/${other.id}`, { ...other, directAccessGrantsEnabled: true });
    expect((await token(server, 'shop', { ...grant, client_id: 'app' })).status).toBe(200);
  });
});
