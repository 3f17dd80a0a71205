import { beforeAll, describe, expect, it } from 'vitest';
import { flow, into, step } from '../login/own-flows.js';
import { importShop } from '../login/realm.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;
let client: { id: string };
const send = (method: string, path: string, body?: unknown) => admin.send(method, `/shop${path}`, body);
const flowId = async (alias: string): Promise<string> =>
  (await send('GET', '/authentication/flows')).body.find((one: { alias: string }) => one.alias === alias).id;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  await importShop(admin, {
    resetCredentialsFlow: 'incomplete',
    identityProviders: [{ alias: 'github', providerId: 'github', config: { clientId: 'c', clientSecret: 's' } }],
    authenticatorConfig: [{ alias: 'second', config: { 'loa-condition-level': '2' } }],
    authenticationFlows: [
      flow('incomplete', true, step('auth-username-password-form', 'REQUIRED', 10), into('second factor', 20)),
      flow(
        'second factor',
        false,
        step('conditional-level-of-authentication', 'REQUIRED', 10, 'second'),
        step('auth-spnego', 'REQUIRED', 20),
      ),
      flow('empty', true),
    ],
  });
  [client] = (await send('GET', '/clients?clientId=app')).body;
});

describe('a flow that leads to a step which this server does not have', () => {
  const leadsTo = (step: string) =>
    `Authentication flow "incomplete" leads to the step "${step}", which is not available for these logins`;
  const text = leadsTo('auth-spnego');

  it('is not bound to a realm, as long as it is not there', async () => {
    for (const [field, errorMessage] of [
      ['browserFlow', text],
      ['directGrantFlow', leadsTo('auth-username-password-form')],
    ] as const) {
      expect(await send('PUT', '', { [field]: 'incomplete' })).toMatchObject({ status: 400, body: { errorMessage } });
    }
    // what an import has bound does not keep the realm from being changed
    const { body: realm } = await send('GET', '');
    expect((await send('PUT', '', { ...realm, displayName: 'Shop' })).status).toBe(204);
  });

  it('is not bound to clients and identity providers', async () => {
    const overrides = { authenticationFlowBindingOverrides: { browser: await flowId('incomplete') } };
    const created = await send('POST', '/clients', { clientId: 'own', ...overrides });
    expect(created).toMatchObject({ status: 400, body: { errorMessage: text } });
    const { body: present } = await send('GET', `/clients/${client.id}`);
    expect((await send('PUT', `/clients/${client.id}`, { ...present, ...overrides })).status).toBe(400);
    const provider = '/identity-provider/instances/github';
    const { body: github } = await send('GET', provider);
    const refused = await send('PUT', provider, { ...github, postBrokerLoginFlowAlias: 'incomplete' });
    expect(refused).toMatchObject({ status: 400, body: { errorMessage: text } });
  });

  it('is refused with the name of the field in GraphQL', async () => {
    const named = await admin.graphql<{ realm: { id: string; authenticationFlow: { id: string } } }>(
      '{ realm(name: "shop") { id authenticationFlow(alias: "incomplete") { id } } }',
    );
    const { id, authenticationFlow: bound } = named.data.realm;
    const { data } = await admin.graphql(
      `mutation { realmUpdate(input: { id: "${id}", flows: { browser: "${bound.id}" } }) { userErrors { code path message } } }`,
    );
    expect(data).toEqual({
      realmUpdate: { userErrors: [{ code: 'INVALID', path: ['flows', 'browser'], message: text }] },
    });
  });

  it('is not mistaken for one whose steps are added later', async () => {
    expect((await send('PUT', '', { browserFlow: 'empty' })).status).toBe(204);
    expect((await send('PUT', '', { browserFlow: 'browser' })).status).toBe(204);
  });
});
