import { beforeAll, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';

const realm = 'own-ids';
let admin: Caller;
let server: string;

beforeAll(async () => {
  admin = await administrator(await startServer());
  const clients = [{ clientId: 'shop', secret: 's', serviceAccountsEnabled: true, authorizationServicesEnabled: true }];
  expect((await admin.send('POST', '/', { realm, enabled: true, clients })).status).toBe(201);
  const { body } = await admin.send('GET', `/${realm}/clients?clientId=shop`);
  server = `/clients/${body[0].id}/authz/resource-server`;
});

const storage = { providerId: 'ldap', providerType: 'org.keycloak.storage.UserStorageProvider', name: 'People' };
const cases: [what: string, path: () => string, body: (id: string) => object, field: string][] = [
  ['a resource', () => `${server}/resource`, (_id) => ({ _id, name: 'till' }), '_id'],
  ['a scope', () => `${server}/scope`, (id) => ({ id, name: 'open' }), 'id'],
  ['a policy', () => `${server}/policy/role`, (id) => ({ id, name: 'clerks', roles: [] }), 'id'],
  ['a client', () => '/clients', (id) => ({ id, clientId: 'page' }), 'id'],
  ['a client scope', () => '/client-scopes', (id) => ({ id, name: 'post' }), 'id'],
  ['a component', () => '/components', (id) => ({ ...storage, id }), 'id'],
  [
    'an identity provider',
    () => '/identity-provider/instances',
    (internalId) => ({ internalId, alias: 'partner', providerId: 'oidc' }),
    'internalId',
  ],
];

it.each(cases)('%s has no id that no path can name', async (_what, path, body, field) => {
  const address = `/${realm}${path()}`;
  for (const id of ['', '.', '..']) {
    const { status, body: answer } = await admin.send('POST', address, body(id));
    expect([status, JSON.stringify(answer)]).toEqual([400, expect.stringContaining('An ID must not be empty')]);
    expect(answer.field ?? field).toBe(field);
  }
});

it('a realm that is imported neither', async () => {
  const made = { realm: 'other', enabled: true };
  for (const more of [
    { id: '' },
    { users: [{ id: '', username: 'ann' }] },
    { groups: [{ id: '..', name: 'staff' }] },
  ]) {
    expect((await admin.send('POST', '/', { ...made, ...more })).status).toBe(400);
  }
  expect((await admin.send('GET', '/other')).status).toBe(404);
});
