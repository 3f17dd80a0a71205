// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;
/** ids of what the other realm has */
const other = {} as Record<'user' | 'group' | 'client', string>;
let own = '';

const get = (path: string, caller = admin) => caller.send('GET', `/here${path}`);

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  for (const realm of ['here', 'there']) {
    const { status } = await admin.send('POST', '/', {
      realm,
      enabled: true,
      clients: [{ clientId: 'shop' }],
      roles: { realm: [{ name: 'reader' }] },
      groups: [{ name: 'staff', realmRoles: ['reader'] }],
      users: [
        { username: 'ann', enabled: true, realmRoles: ['reader'], groups: ['/staff'] },
        {
          username: 'nobody',
          enabled: true,
          credentials: [{ type: 'password', value: 'secret-1' }],
          clientRoles: { 'realm-management': ['view-events'] },
        },
      ],
    });
    expect(status).toBe(201);
  }
  const first = async (path: string) => (await admin.send('GET', path)).body[0].id as string;
  other.user = await first('/there/users?username=ann&exact=true');
  other.group = await first('/there/groups');
  other.client = await first('/there/clients?clientId=shop');
  own = await first('/here/users?username=ann&exact=true');
});

describe('what a read is about in another realm', () => {
  const ofUsers = [
    '/role-mappings',
    '/role-mappings/realm',
    '/role-mappings/realm/available',
    '/role-mappings/realm/composite',
    '/groups',
    '/groups/count',
    '/credentials',
    '/sessions',
  ];

  it.each(ofUsers)('is no user here: %s', async (path) => {
    expect((await get(`/users/${own}${path}`)).status).toBe(200);
    const { status, body } = await get(`/users/${other.user}${path}`);
    expect([status, body.error]).toEqual([404, 'User not found']);
  });

  it.each(['/role-mappings', '/role-mappings/realm/composite'])('is no group here: %s', async (path) => {
    const { status, body } = await get(`/groups/${other.group}${path}`);
    expect([status, body.error]).toEqual([404, 'Could not find group by id']);
  });

  it.each(['/user-sessions', '/session-count'])('is no client here: %s', async (path) => {
    const { status, body } = await get(`/clients/${other.client}${path}`);
    expect([status, body.error]).toEqual([404, 'Could not find client']);
  });

  it('is told in the order of the path', async () => {
    const both = await get(`/users/${other.user}/role-mappings/clients/${other.client}`);
    expect([both.status, both.body.error]).toEqual([404, 'User not found']);
    const client = await get(`/users/${own}/role-mappings/clients/${other.client}/composite`);
    expect([client.status, client.body.error]).toEqual([404, 'Client not found']);
  });

  it('is not told to callers who may not look for it', async () => {
    const nobody = await userOf(server, 'here', 'nobody', 'secret-1');
    for (const path of ofUsers) expect((await get(`/users/${other.user}${path}`, nobody)).status).toBe(403);
  });
});
