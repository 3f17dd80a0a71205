// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, login, startWithRealm, userOf } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

const realm = 'told';
let server: TestServer;
let admin: Caller;

const user = (username: string, roles: string[] = []) => ({
  username,
  enabled: true,
  credentials: [{ type: 'password', value: 'right' }],
  clientRoles: { 'realm-management': roles },
});

beforeAll(async () => {
  const settings = { eventsEnabled: true, adminEventsEnabled: true, adminEventsDetailsEnabled: true };
  const users = [
    user('ann'),
    user('bob'),
    user('viewer', ['view-users']),
    user('auditor', ['view-users', 'view-events']),
  ];
  ({ server, admin } = await startWithRealm({ realm, enabled: true, ...settings, users }));
});

interface Told {
  id: string;
  username: string;
  lastLoginAt: string | null;
  loginEvents: { totalCount: number; edges: { node: { type: string; time: string } }[] } | null;
  adminEvents: { edges: { node: { operation: string; resourcePath: string } }[] } | null;
}

async function told(caller: Caller, username: string) {
  const { data, errors } = await caller.graphql<{ realm: { user: Told } }>(
    `{ realm(name: "${realm}") { user(username: "${username}") { id username lastLoginAt
      loginEvents(first: 5, filter: { types: [LOGIN, LOGIN_ERROR] }) { totalCount edges { node { type time } } }
      adminEvents(first: 5) { edges { node { operation resourcePath } } } } } }`,
  );
  return { ...data.realm.user, codes: (errors ?? []).map(({ path, extensions }) => [path?.at(-1), extensions?.code]) };
}

describe('the events of a user', () => {
  it('are those of its own logins, with the time of the last one', async () => {
    expect(await told(admin, 'bob')).toMatchObject({ lastLoginAt: null, loginEvents: { totalCount: 0 } });
    await login(server, realm, 'ann', 'right');
    await expect(login(server, realm, 'ann', 'wrong')).rejects.toThrow('login of ann failed');
    await login(server, realm, 'bob', 'right');
    const { loginEvents, lastLoginAt } = await told(admin, 'ann');
    const types = loginEvents?.edges.map(({ node }) => node.type);
    expect(types?.toSorted()).toEqual(['LOGIN', 'LOGIN_ERROR']);
    expect(lastLoginAt).toBe(loginEvents?.edges.find(({ node }) => node.type === 'LOGIN')?.node.time);
  });

  it('are those of administrators about it, whatever of it they change', async () => {
    const { id } = await told(admin, 'ann');
    const path = `/${realm}/users/${Buffer.from(id, 'base64').toString().slice('User:'.length)}`;
    await admin.send('POST', `/${realm}/groups`, { name: 'staff' });
    const [group] = (await admin.send('GET', `/${realm}/groups`)).body;
    expect((await admin.send('PUT', path, { firstName: 'Ann' })).status).toBe(204);
    expect((await admin.send('PUT', `${path}/groups/${group.id}`)).status).toBe(204);
    expect((await admin.send('PUT', `${path}/reset-password`, { type: 'password', value: 'right' })).status).toBe(204);
    const { adminEvents } = await told(admin, 'ann');
    const operations = adminEvents?.edges.map(({ node }) => node.operation);
    expect(operations?.toSorted()).toEqual(['user.joinGroups', 'user.setPassword', 'user.update']);
    expect((await told(admin, 'bob')).adminEvents?.edges).toEqual([]);
  });

  it('are for those who may view the events of the realm', async () => {
    const refused = [
      ['lastLoginAt', 'FORBIDDEN'],
      ['loginEvents', 'FORBIDDEN'],
      ['adminEvents', 'FORBIDDEN'],
    ];
    const viewer = await told(await userOf(server, realm, 'viewer', 'right'), 'ann');
    expect(viewer).toMatchObject({ username: 'ann', lastLoginAt: null, loginEvents: null, adminEvents: null });
    expect(viewer.codes.toSorted()).toEqual(refused.toSorted());
    const auditor = await told(await userOf(server, realm, 'auditor', 'right'), 'ann');
    expect(auditor).toMatchObject({ lastLoginAt: expect.any(String), loginEvents: { totalCount: 2 }, codes: [] });
  });
});

describe('the types of login events that a realm stores', () => {
  it('are those of the events', async () => {
    const { data } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
    const input = { id: data.realm.id, events: { types: ['LOGIN', 'REFRESH_TOKEN'] } };
    const answer = await admin.graphql(
      `mutation ($input: RealmUpdateInput!) { realmUpdate(input: $input) { realm { events { types } } userErrors { message } } }`,
      { input },
    );
    expect(answer).toMatchObject({
      data: { realmUpdate: { realm: { events: { types: ['LOGIN', 'REFRESH_TOKEN'] } }, userErrors: [] } },
    });
  });
});
