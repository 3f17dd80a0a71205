// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer } from '../support/server.js';

let admin: Caller;
let viewer: Caller;
let finder: Caller;

const withRoles = (username: string, ...roles: string[]) => ({
  username,
  enabled: true,
  credentials: [{ type: 'password', value: 'secret-1' }],
  clientRoles: { 'realm-management': roles },
});

beforeAll(async () => {
  const server = await startServer();
  admin = await administrator(server);
  const { status } = await admin.send('POST', '/', {
    realm: 'shop',
    enabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
    roles: { realm: [{ name: 'clerk' }, { name: 'chief', composites: { realm: ['clerk'] } }] },
    groups: [{ name: 'staff', realmRoles: ['clerk'] }],
    clients: [{ clientId: 'till', secret: 'till-secret', serviceAccountsEnabled: true }],
    scopeMappings: [{ client: 'till', roles: ['clerk'] }],
    identityProviders: [{ alias: 'partner', providerId: 'oidc', config: { clientId: 'us', clientSecret: 'hidden' } }],
    localizationTexts: { nl: { hello: 'Dag' }, de: { hello: 'Guten Tag', bye: 'Tschüss' } },
    users: [withRoles('viewer', 'view-realm', 'view-events'), withRoles('finder', 'query-clients')],
  });
  expect(status).toBe(201);
  viewer = await userOf(server, 'shop', 'viewer', 'secret-1');
  finder = await userOf(server, 'shop', 'finder', 'secret-1');
});

const read = async (path: string, caller = admin) => (await caller.send('GET', `/shop${path}`)).body;
const status = async (method: string, path: string, caller: Caller, body?: unknown) =>
  (await caller.send(method, `/shop${path}`, body)).status;

describe('client scopes', () => {
  it('are listed only as far as the caller may see them', async () => {
    expect((await read('/client-scopes')).length).toBeGreaterThan(5);
    expect(await read('/client-scopes', finder)).toEqual([]);
    expect(await status('GET', '/client-scopes', viewer)).toBe(403);
  });

  it('of a client are those of its protocol, with the roles in its scope', async () => {
    const [{ id }] = await read('/clients?clientId=till');
    const names = (await read(`/clients/${id}/default-client-scopes`)).map(({ name }: { name: string }) => name);
    expect(names).toContain('profile');
    expect(names).not.toContain('role_list');
    expect((await read(`/clients/${id}/scope-mappings`)).realmMappings).toMatchObject([{ name: 'clerk' }]);
    expect(await status('GET', `/clients/${id}/scope-mappings`, finder)).toBe(403);
  });
});

describe('authentication', () => {
  it('answers an unknown flow with 404 and no body', async () => {
    const answer = await admin.send('GET', '/shop/authentication/flows/none/executions');
    expect([answer.status, answer.body]).toEqual([404, '']);
  });

  it('replaces a required action, except for its provider', async () => {
    const path = '/authentication/required-actions/VERIFY_EMAIL';
    expect(await status('PUT', path, viewer, {})).toBe(403);
    expect(await status('PUT', path, admin, { alias: 'CHECK', name: 'Check', providerId: 'X', priority: 5 })).toBe(204);
    expect(await status('GET', path, admin)).toBe(404);
    expect(await read('/authentication/required-actions/CHECK')).toEqual({
      alias: 'CHECK',
      name: 'Check',
      providerId: 'VERIFY_EMAIL',
      enabled: false,
      defaultAction: false,
      priority: 5,
      config: {},
    });
    expect((await read('/authentication/required-actions'))[0].alias).toBe('CHECK');
  });
});

describe('localization', () => {
  it('is open to every administrator', async () => {
    expect(await read('/localization', finder)).toEqual(['de', 'nl']);
    expect(await read('/localization/de')).toEqual({ hello: 'Guten Tag', bye: 'Tschüss' });
    const one = await admin.send('GET', '/shop/localization/de/bye');
    expect([one.body, one.headers.get('content-type')]).toEqual(['Tschüss', 'text/plain;charset=UTF-8']);
    expect(await status('GET', '/localization/de/none', admin)).toBe(404);
  });
});

describe('events', () => {
  it('forget their switches when the configuration leaves them out, as the contract has it', async () => {
    await admin.send('POST', '/', {
      realm: 'events',
      eventsEnabled: true,
      eventsExpiration: 60,
      adminEventsEnabled: true,
    });
    expect((await admin.send('PUT', '/events/events/config', { enabledEventTypes: ['LOGIN'] })).status).toBe(204);
    const { body } = await admin.send('GET', '/events/events/config');
    expect(body).toMatchObject({ eventsEnabled: false, enabledEventTypes: ['LOGIN'], adminEventsEnabled: true });
    expect(body.eventsExpiration).toBeUndefined();
  });

  it('of administrators are listed, filtered and cleared', async () => {
    expect(await status('DELETE', '/admin-events', viewer)).toBe(403);
    expect(await status('DELETE', '/admin-events', admin)).toBe(204);
    await admin.send('POST', '/shop/roles', { name: 'first' });
    await admin.send('POST', '/shop/roles', { name: 'fi%st' });
    await admin.send('DELETE', '/shop/roles/first');
    const paths = async (query: string) =>
      (await read(`/admin-events?${query}`, viewer)).map((event: { operationType: string; resourcePath: string }) => [
        event.operationType,
        event.resourcePath,
      ]);
    expect(await paths('operationTypes=DELETE')).toEqual([['DELETE', 'roles/first']]);
    expect(await paths('resourcePath=*/first')).toHaveLength(2);
    expect(await paths('resourcePath=roles/*t')).toHaveLength(3);
    expect(await paths('resourcePath=roles/fi%25*')).toEqual([['CREATE', 'roles/fi%st']]);
    expect(await paths('operationTypes=CREATE,DELETE&max=1')).toHaveLength(1);
    expect(await paths('dateTo=2020-01-01')).toEqual([]);
    const [{ authDetails }] = await read('/admin-events?max=1');
    expect(await paths(`authClient=${authDetails.clientId}`)).toHaveLength(3);
    expect(authDetails.clientId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await status('GET', '/admin-events?dateFrom=yesterday', admin)).toBe(400);
    expect(await status('GET', '/admin-events?operationTypes=NONE', admin)).toBe(400);
    expect(await status('DELETE', '/admin-events', admin)).toBe(204);
    expect(await read('/admin-events')).toEqual([]);
  });
});

describe('what the realm is told to do', () => {
  it.each(['clear-realm-cache', 'clear-user-cache', 'clear-keys-cache'])('%s takes manage-realm', async (path) => {
    expect(await status('POST', `/${path}`, viewer)).toBe(403);
    expect(await status('POST', `/${path}`, admin)).toBe(204);
  });
});

describe('partial export', () => {
  it('is open to viewers only as far as they may see the parts', async () => {
    expect(await status('POST', '/partial-export', viewer)).toBe(200);
    expect(await status('POST', '/partial-export?exportClients=true', viewer)).toBe(403);
    expect(await status('POST', '/partial-export?exportGroupsAndRoles=true', viewer)).toBe(403);
    expect(await status('POST', '/partial-export', finder)).toBe(403);
  });

  it('tells no secrets and can be imported again', async () => {
    const { body } = await admin.send('POST', '/shop/partial-export?exportClients=true&exportGroupsAndRoles=true');
    const text = JSON.stringify(body);
    expect(text).not.toContain('till-secret');
    expect(text).not.toContain('hidden');
    expect(body.scopeMappings).toContainEqual({ client: 'till', roles: ['clerk'] });
    // ids are unique across realms
    const copy = JSON.parse(text, (key, value) =>
      ['id', 'containerId', 'internalId', 'parentId'].includes(key) ? undefined : value,
    );
    expect((await admin.send('POST', '/', { ...copy, realm: 'copy' })).status).toBe(201);
    const groups = (await admin.send('GET', '/copy/groups?briefRepresentation=false')).body;
    expect(groups).toMatchObject([{ name: 'staff', realmRoles: ['clerk'] }]);
  });
});
