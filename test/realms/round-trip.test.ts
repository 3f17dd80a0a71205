// @both-databases
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';
import { comparable } from './comparable.js';

// A realm goes to another server under another name, and comes out of it the same.
let admin: Caller;
let elsewhere: Caller;

beforeAll(async () => {
  admin = await administrator(await startServer());
  elsewhere = await administrator(await startServer());
});

const exported = async (caller: Caller, realm: string) =>
  (await caller.send('GET', `/${realm}/export?secrets=true`)).body as Record<string, unknown>;

/** The realm out of the first server, and the same out of the second one, with its name put back. */
async function moved(realm: string, name: string) {
  const first = await exported(admin, realm);
  const answer = await elsewhere.send('POST', '/', { ...first, realm: name });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return { first, second: { ...(await exported(elsewhere, name)), realm } };
}

describe('a realm that is moved', () => {
  const acme = fileURLToPath(new URL('../../../shared/data/acme-realm.json', import.meta.url));

  it.skipIf(!existsSync(acme))('is the same, as an export of the reference server has it', async () => {
    const { id: _id, ...file } = JSON.parse(readFileSync(acme, 'utf8'));
    expect((await admin.send('POST', '/', file)).status).toBe(201);
    const { first, second } = await moved(file.realm, 'acme-moved');
    expect(first.users).toHaveLength(file.users.length);
    expect(comparable(second)).toEqual(comparable(first));
  });

  it('has flows, providers, authorization and policies that were made by hand', async () => {
    const realm = 'handmade';
    const send = async (method: string, path: string, body?: unknown, status = 201) => {
      const answer = await admin.send(method, `/${realm}${path}`, body);
      expect([path, answer.status, answer.status === status ? '' : answer.body]).toEqual([path, status, '']);
      return answer.headers.get('location')?.split('/').at(-1) ?? '';
    };
    expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
    await makeFlow(send);
    await makeProvider(send);
    await makeAuthorization(send);
    await makePolicies(send);
    await send('POST', '/components', {
      name: 'signing',
      providerId: 'ecdsa-generated',
      providerType: 'org.keycloak.keys.KeyProvider',
      config: { priority: ['7'] },
    });
    await admin.send('PUT', `/${realm}/localization/de/hello`, 'Hallo', { 'content-type': 'text/plain' });
    await send('PUT', '', { browserFlow: 'own', attributes: { colour: 'red' } }, 204);
    const { first, second } = await moved(realm, 'handmade-moved');
    expect(first).toMatchObject({ localizationTexts: { de: { hello: 'Hallo' } }, browserFlow: 'own' });
    expect(comparable(second)).toEqual(comparable(first));
    const { clients } = second as unknown as { clients: { clientId: string; authorizationSettings?: object }[] };
    expect(clients.find(({ clientId }) => clientId === 'guard')?.authorizationSettings).toMatchObject({
      resources: expect.arrayContaining([expect.objectContaining({ name: 'door' })]),
      policies: expect.arrayContaining([expect.objectContaining({ name: 'doors' })]),
    });
  });
});

type Send = (method: string, path: string, body?: unknown, status?: number) => Promise<string>;

async function makeFlow(send: Send) {
  const flows = '/authentication/flows';
  await send('POST', flows, { alias: 'own', providerId: 'basic-flow', topLevel: true, builtIn: false });
  await send('POST', `${flows}/own/executions/flow`, { alias: 'inner', type: 'basic-flow', description: 'Inside' });
  await send('POST', `${flows}/inner/executions/execution`, { provider: 'auth-username-password-form' });
  const step = await send('POST', `${flows}/inner/executions/execution`, { provider: 'identity-provider-redirector' });
  await send('POST', `/authentication/executions/${step}/config`, {
    alias: 'to partner',
    config: { defaultProvider: 'partner' },
  });
}

async function makeProvider(send: Send) {
  await send('POST', '/identity-provider/instances', {
    alias: 'partner',
    providerId: 'oidc',
    config: { clientId: 'us', clientSecret: 'kept', tokenUrl: 'https://partner.example/token' },
    firstBrokerLoginFlowAlias: 'first broker login',
  });
  await send('POST', '/identity-provider/instances/partner/mappers', {
    name: 'colour',
    identityProviderAlias: 'partner',
    identityProviderMapper: 'hardcoded-attribute-idp-mapper',
    config: { attribute: 'colour', 'attribute.value': 'red' },
  });
}

async function makeAuthorization(send: Send) {
  const id = await send('POST', '/clients', {
    clientId: 'guard',
    secret: 'guarded',
    serviceAccountsEnabled: true,
    authorizationServicesEnabled: true,
  });
  const role = { name: 'keeper' };
  await send('POST', '/roles', role);
  const server = `/clients/${id}/authz/resource-server`;
  await send('POST', `${server}/scope`, { name: 'open' });
  await send('POST', `${server}/resource`, { name: 'door', uris: ['/door'], scopes: [{ name: 'open' }] });
  await send('POST', `${server}/policy/role`, { name: 'keepers', roles: [{ id: 'keeper', required: true }] });
  await send('POST', `${server}/permission/scope`, { name: 'doors', scopes: ['open'], policies: ['keepers'] });
}

async function makePolicies(send: Send) {
  const executors = [{ executor: 'secure-session', configuration: {} }];
  await send('PUT', '/client-policies/profiles', { profiles: [{ name: 'strict', description: '', executors }] }, 204);
  const conditions = [{ condition: 'any-client', configuration: {} }];
  const policy = { name: 'all', description: '', enabled: true, conditions, profiles: ['strict'] };
  await send('PUT', '/client-policies/policies', { policies: [policy] }, 204);
}
