// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { sampled } from '../support/sample.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Ids, makeHostileRealm } from './fixture.js';

// The passwords of new users are hashed between the question what they are given and the write that gives it.
const realm = 'racing';
const rounds = sampled([0, 1, 2, 3, 4, 5], 2);
let server: TestServer;
let admin: Caller;
let attacker: Caller;
let ids: Ids;

beforeAll(async () => {
  server = await startServer();
  ({ admin, ids } = await makeHostileRealm(server, realm));
  await admin.send('PUT', `/${realm}`, { passwordPolicy: 'hashIterations(300000)', accessTokenLifespan: 3600 });
  attacker = await userOf(server, realm, 'manage-users', 'pw');
});

const rename = async (group: 'staff' | 'admins', name: string) =>
  expect((await admin.send('PUT', `/${realm}/groups/${ids.groups[group]}`, { name })).status).toBe(204);

const node = (type: string, id = '') => Buffer.from(`${type}:${id}`).toString('base64');
const credentials = [{ type: 'password', value: 'pw' }];

const ways: Record<string, (username: string) => Promise<unknown>> = {
  'one user': (username) =>
    attacker.send('POST', `/${realm}/users`, { username, enabled: true, credentials, groups: ['/staff'] }),
  'many users': (username) =>
    attacker.graphql(
      `mutation ($realm: ID!, $users: [UserCreateItem!]!) { usersCreate(input: { realm: $realm, users: $users }) {
        userErrors { message } } }`,
      {
        realm: node('Realm', ids.realm),
        users: [{ username, groups: [node('Group', ids.groups.staff)], password: { value: 'pw' } }],
      },
    ),
};

describe('a group that gets another name while users are created for it', () => {
  it.each(Object.keys(ways))('gives them nothing that the caller may not give: %s', async (way) => {
    admin = await administrator(server);
    await ways[way]?.(`control-${way.length}`);
    const { body: staff } = await admin.send('GET', `/${realm}/groups/${ids.groups.staff}/members`);
    expect(staff.map(({ username }: { username: string }) => username)).toContain(`control-${way.length}`);
    for (const round of rounds) {
      const creating = ways[way]?.(`mole-${way.length}-${round}`);
      await attacker.send('GET', `/${realm}/users/count`);
      await rename('staff', 'closed');
      await rename('admins', 'staff');
      await creating;
      const { body } = await admin.send('GET', `/${realm}/groups/${ids.groups.admins}/members`);
      expect(body.map(({ username }: { username: string }) => username)).toEqual([]);
      await rename('admins', 'admins');
      await rename('staff', 'staff');
    }
  });
});
