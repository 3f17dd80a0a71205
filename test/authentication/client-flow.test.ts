// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { flow, step } from '../login/own-flows.js';
import { type Caller, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

// The flow of a realm for clients decides how they can authenticate.
let server: TestServer;
let admin: Caller;

const clientFlow = (alias: string, ...steps: object[]) => ({
  ...flow(alias, true, ...steps),
  providerId: 'client-flow',
});

beforeAll(async () => {
  const client = (clientId: string, more: object = {}) => ({
    clientId,
    secret: 'secret',
    serviceAccountsEnabled: true,
    redirectUris: ['http://app.example'],
    ...more,
  });
  ({ server, admin } = await startWithRealm({
    realm: 'shop',
    enabled: true,
    clients: [client('robot'), client('page', { publicClient: true, directAccessGrantsEnabled: true })],
    users: [{ username: 'ann', enabled: true, credentials: [{ type: 'password', value: 'pw' }] }],
    authenticationFlows: [
      clientFlow('keys', step('client-jwt', 'ALTERNATIVE', 10), step('client-secret', 'DISABLED', 20)),
      clientFlow('first', step('client-jwt', 'REQUIRED', 10), step('client-secret', 'ALTERNATIVE', 20)),
      clientFlow('secrets', step('client-secret', 'REQUIRED', 10)),
      flow('logins', true, step('auth-username-password-form', 'REQUIRED', 10)),
    ],
  }));
});

const tokens = async (form: Record<string, string>) => {
  const url = `${server.url}/auth/realms/shop/protocol/openid-connect/token`;
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  return [response.status, ((await response.json()) as { error?: string }).error];
};
const robot = () => tokens({ grant_type: 'client_credentials', client_id: 'robot', client_secret: 'secret' });
const bind = (clientAuthenticationFlow: string) => admin.send('PUT', '/shop', { clientAuthenticationFlow });

describe('a client authenticates by a secret', () => {
  it.each([
    ['secrets', true],
    ['keys', false],
    ['clients', true],
    // with a required step, alternatives do not count
    ['first', false],
  ])('in the flow %s: %s', async (alias, isAccepted) => {
    expect((await bind(alias)).status).toBe(204);
    expect(await robot()).toEqual(isAccepted ? [200, undefined] : [400, 'invalid_client']);
    // public clients do not authenticate
    const ann = { grant_type: 'password', client_id: 'page', username: 'ann', password: 'pw' };
    expect(await tokens(ann)).toEqual([200, undefined]);
  });

  it('until the step is disabled in the flow', async () => {
    await bind('clients');
    expect(await robot()).toEqual([200, undefined]);
    const path = '/shop/authentication/flows/clients/executions';
    const executions = (await admin.send('GET', path)).body as { providerId: string }[];
    const execution = executions.find(({ providerId }) => providerId === 'client-secret');
    expect((await admin.send('PUT', path, { ...execution, requirement: 'DISABLED' })).status).toBeLessThan(300);
    expect(await robot()).toEqual([400, 'invalid_client']);
    expect((await admin.send('PUT', path, { ...execution, requirement: 'ALTERNATIVE' })).status).toBeLessThan(300);
    expect(await robot()).toEqual([200, undefined]);
  });
});

it('a flow for something else is not bound', async () => {
  const { status, body } = await bind('logins');
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain('client-flow');
});
