// @both-databases
import { expect, it } from 'vitest';
import { administrator, userOf } from '../support/fixture.js';
import { startServer } from '../support/server.js';

// New users name the groups that they join by ID: a group of another realm is not there.
const nodeId = (typename: string, id: string) => btoa(`${typename}:${id}`);
const [own, other] = ['joining', 'elsewhere'];
const boss = {
  username: 'boss',
  enabled: true,
  credentials: [{ type: 'password', value: 'pw' }],
  clientRoles: { 'realm-management': ['manage-users', 'view-realm'] },
};

it.each([
  ['whose path no group of the realm has', 'hidden'],
  ['whose path a group of the realm has', 'team'],
])('a group of another realm, %s, is refused to new users like one that does not exist', async (_, name) => {
  const server = await startServer();
  const admin = await administrator(server);
  for (const [realm, groups] of [
    [own, [{ name: 'team' }]],
    [other, [{ name: 'hidden' }, { name: 'team' }]],
  ]) {
    expect((await admin.send('POST', '/', { realm, enabled: true, groups, users: [boss] })).status).toBe(201);
  }
  const realm = nodeId('Realm', (await admin.send('GET', `/${own}`)).body.id);
  const groupOf = async (of: string, path: string) =>
    nodeId('Group', (await admin.send('GET', `/${of}/group-by-path/${path}`)).body.id);
  for (const asker of [await userOf(server, own, 'boss', 'pw'), admin]) {
    const create = async (group: string) => {
      const { data, errors } = await asker.graphql(`mutation {
        userCreate(input: { realm: "${realm}", username: "ann", groups: ["${group}"] }) { user { username } userErrors { message code path } }
        usersCreate(input: { realm: "${realm}", users: [{ username: "bob", groups: ["${group}"] }] }) { users { username } userErrors { message code path } } }`);
      expect(errors).toBeUndefined();
      return data;
    };
    const unknown = await create(nodeId('Group', 'nothing'));
    expect(unknown).toMatchObject({
      userCreate: { user: null, userErrors: [{ message: 'Group not found' }] },
      usersCreate: { userErrors: [{ message: 'Group not found' }] },
    });
    expect(await create(await groupOf(other, name))).toEqual(unknown);
  }
  expect((await admin.send('GET', `/${own}/users`)).body).toMatchObject([{ username: 'boss' }]);
});
