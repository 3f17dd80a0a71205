import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

// Management permissions when what they consist of was changed by hand.
let server: TestServer;
let admin: Caller;
let realm: string;
let roleId: string;
let serverPath: string;
let clientPath: string;
let number = 0;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
});

beforeEach(async () => {
  number += 1;
  realm = `switching-${number}`;
  await admin.send('POST', '/', { realm, enabled: true, roles: { realm: [{ name: 'clerk' }] } });
  roleId = (await admin.send('GET', `/${realm}/roles/clerk`)).body.id;
  const [client] = (await admin.send('GET', `/${realm}/clients?clientId=realm-management`)).body;
  clientPath = `/${realm}/clients/${client.id}`;
  serverPath = `${clientPath}/authz/resource-server`;
});

const rest = (enabled: boolean) =>
  admin.send('PUT', `/${realm}/roles-by-id/${roleId}/management/permissions`, { enabled });
const graph = async (enabled: boolean) => {
  const { data, errors } = await admin.graphql<{
    managementPermissionUpdate: { userErrors: { code: string }[]; managementPermission: { scopes: object[] } | null };
  }>(`mutation { managementPermissionUpdate(input: { target: "${btoa(`Role:${roleId}`)}", isEnabled: ${enabled} }) {
    managementPermission { scopes { scopeName permissionId } } userErrors { code } } }`);
  expect(errors).toBeUndefined();
  return data.managementPermissionUpdate;
};
const scopes = ['map-role', 'map-role-client-scope', 'map-role-composite'];
const whole = async () => {
  const { status, body } = await rest(true);
  expect(status).toBe(200);
  expect(Object.keys(body.scopePermissions)).toEqual(scopes);
  expect((await graph(true)).managementPermission?.scopes.length).toBe(3);
};

describe('management permissions', () => {
  it('are refused where the client that they are kept at is gone, or has another name', async () => {
    expect((await admin.send('PUT', clientPath, { clientId: 'renamed' })).status).toBe(204);
    expect((await graph(true)).userErrors).toMatchObject([{ code: 'CONFLICT' }]);
    expect((await rest(true)).status).toBe(409);
    expect((await rest(false)).body).toEqual({ enabled: false });
    expect((await admin.send('DELETE', clientPath)).status).toBe(204);
    expect((await graph(true)).userErrors).toMatchObject([{ code: 'CONFLICT' }]);
    expect((await graph(false)).userErrors).toEqual([]);
  });

  it('are whole again after one, all, or their scopes were deleted by hand', async () => {
    const { scopePermissions, resource } = (await rest(true)).body;
    await admin.send('DELETE', `${serverPath}/permission/scope/${scopePermissions['map-role']}`);
    await whole();
    for (const { id } of (await admin.send('GET', `${serverPath}/scope`)).body)
      await admin.send('DELETE', `${serverPath}/scope/${id}`);
    await whole();
    await admin.send('DELETE', `${serverPath}/resource/${resource}`);
    await whole();
    const { body } = await rest(true);
    const path = `${serverPath}/permission/scope/${body.scopePermissions['map-role']}`;
    const known = (await admin.send('GET', path)).body;
    await admin.send('PUT', path, { ...known, resources: [] });
    await whole();
  });

  it('can be switched on many times at once', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => rest(true)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.resource)).size).toBe(1);
    await whole();
  });

  it('are not looked for at a client that only has the name of that of the master realm', async () => {
    const decoy = {
      clientId: 'master-realm',
      secret: 's',
      serviceAccountsEnabled: true,
      authorizationServicesEnabled: true,
    };
    expect((await admin.send('POST', `/${realm}/clients`, decoy)).status).toBe(201);
    await whole();
  });
});
