import { beforeAll, describe, expect, it } from 'vitest';
import { roleNames } from '../permissions/rules.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Attack, me, realm, rm, role } from './attacks/attack.js';
import { more, onAuthorization } from './attacks/by-others.js';
import { onRolesOfClients } from './attacks/on-clients.js';
import { onProviders } from './attacks/on-providers.js';
import { onRealm } from './attacks/on-realm.js';
import { onUsers } from './attacks/on-users.js';
import { type Ids, makeHostileRealm, rightsOf } from './fixture.js';

// An administrator with one role tries to get the others, in every way that gives somebody a role or an account.
let server: TestServer;
let admin: Caller;
let ids: Ids;
let before: Record<string, string[]>;
let keys: unknown;

const keyProviders = async () =>
  (await admin.send('GET', `/${realm}/components?type=org.keycloak.keys.KeyProvider`)).body;

const everybody = [...roleNames, 'victim', 'boss'];

beforeAll(async () => {
  server = await startServer();
  ({ admin, ids } = await makeHostileRealm(server, realm));
  keys = await keyProviders();
  before = Object.fromEntries(
    await Promise.all(everybody.map(async (name) => [name, await rightsOf(server, realm, name)])),
  );
});

const attacks: Attack[] = [
  ...more,
  ...onUsers.map((attack) => ({ ...attack, by: 'manage-users' })),
  ...onRolesOfClients.map((attack) => ({ ...attack, by: 'manage-clients' })),
  ...onRealm.map((attack) => ({ ...attack, by: 'manage-realm' })),
  ...onProviders.map((attack) => ({ ...attack, by: 'manage-identity-providers' })),
  ...onAuthorization.map((attack) => ({ ...attack, by: 'impersonation' })),
  {
    name: 'reads the secret of a service account that is above',
    by: 'view-clients',
    method: 'GET',
    path: (ids) => `/clients/${ids.clients.robot}/client-secret`,
  },
];

describe('an administrator with one role', () => {
  it.each(attacks)('$by: $name', async ({ by, method, path, body }) => {
    const caller = await userOf(server, realm, by, 'pw');
    const answer = await caller.send(method, `/${realm}${path(ids)}`, body?.(ids));
    expect(answer.status, JSON.stringify(answer.body)).toBe(403);
  });

  // the other way round: what they are there for still works
  it('manage-users acts on users below', async () => {
    const caller = await userOf(server, realm, 'manage-users', 'pw');
    const victim = `/${realm}/users/${ids.users.victim}`;
    expect((await caller.send('PUT', victim, { email: 'victim@shop.example', enabled: true })).status).toBe(204);
    expect((await caller.send('PUT', `${victim}/reset-password`, { type: 'password', value: 'pw' })).status).toBe(204);
    expect((await caller.send('PUT', `${victim}/groups/${ids.groups.team}`)).status).toBe(204);
    expect((await caller.send('PUT', `/${realm}${me(ids, 'manage-users')}`, { firstName: 'Mana' })).status).toBe(204);
    const own = [role(ids.rights['manage-users'], 'manage-users')];
    const mappings = `${victim}/role-mappings${rm(ids)}`;
    expect((await caller.send('POST', mappings, own)).status).toBe(204);
    expect((await caller.send('DELETE', mappings, own)).status).toBe(204);
    expect((await caller.send('POST', `/${realm}/groups/${ids.groups.staff}/children`, { name: 'new' })).status).toBe(
      201,
    );
  });

  it('has what it had, when all attacks are over, and so has everybody else', async () => {
    admin = await administrator(server);
    for (const name of everybody) {
      const now = await rightsOf(server, realm, name);
      expect({ name, rights: now }).toEqual({ name, rights: before[name] });
    }
    const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'robot',
        client_secret: 'robot-secret',
      }),
    });
    expect(response.status).toBe(200);
    expect(await keyProviders()).toEqual(keys);
  });
});

describe('over GraphQL', () => {
  const node = (type: string, id: string | undefined) => Buffer.from(`${type}:${id}`).toString('base64');

  it('the secret of a service account that is above is not told', async () => {
    const caller = await userOf(server, realm, 'manage-clients', 'pw');
    const secretOf = (clientId: string) =>
      caller.graphql<{ realm: object | null }>(
        `{ realm(name: "${realm}") { client(clientId: "${clientId}") { secret } } }`,
      );
    expect(JSON.stringify((await secretOf('app')).data)).toContain('app-secret');
    const refused = await secretOf('robot');
    expect(refused.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    expect(JSON.stringify(refused)).not.toContain('robot-secret');
  });

  it('groups, roles and accounts are not taken either', async () => {
    const users = await userOf(server, realm, 'manage-users', 'pw');
    const clients = await userOf(server, realm, 'manage-clients', 'pw');
    const ownId = node('User', ids.users['manage-users']);
    const attempts: [Caller, string][] = [
      [
        users,
        `userJoinGroups(input: { id: "${ownId}", groups: ["${node('Group', ids.groups.inner)}"] }) { userErrors { code } }`,
      ],
      [
        users,
        `userAddRoles(input: { id: "${ownId}", roles: ["${node('Role', ids.roles.chief)}"] }) { userErrors { code } }`,
      ],
      [users, `userDelete(input: { id: "${node('User', ids.users.boss)}" }) { userErrors { code } }`],
      [
        users,
        `usersDelete(input: { realm: "${node('Realm', ids.realm)}", ids: ["${node('User', ids.users.boss)}"] }) { userErrors { code } }`,
      ],
      [
        clients,
        `roleUpdate(input: { id: "${node('Role', ids.rights['manage-users'])}", name: "x" }) { userErrors { code } }`,
      ],
      [clients, `roleDelete(input: { id: "${node('Role', ids.rights['manage-users'])}" }) { userErrors { code } }`],
      [clients, `clientRotateSecret(input: { id: "${node('Client', ids.clients.robot)}" }) { userErrors { code } }`],
    ];
    for (const [caller, mutation] of attempts) {
      const answer = await caller.graphql<Record<string, { userErrors: { code: string }[] }>>(
        `mutation { ${mutation} }`,
      );
      expect(answer.errors, mutation).toBeUndefined();
      expect(Object.values(answer.data)[0]?.userErrors, mutation).toMatchObject([{ code: 'FORBIDDEN' }]);
    }
  });
});

describe('administration roles', () => {
  it('are not renamed or deleted by anybody', async () => {
    admin = await administrator(server);
    for (const name of ['manage-users', 'realm-admin']) {
      const path = `/${realm}/roles-by-id/${ids.rights[name]}`;
      expect((await admin.send('PUT', path, { name: 'other' })).status).toBe(400);
      expect((await admin.send('DELETE', path)).status).toBe(400);
      expect((await admin.send('PUT', path, { name, description: 'described' })).status).toBe(204);
    }
  });
});
