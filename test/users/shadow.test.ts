// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf, authorizationUrl, linkOf, noticeOf, token } from '../login/agent.js';
import { callback, importShop } from '../login/realm.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

// What somebody logs in with belongs to nobody else, whether as user name or as address.
let server: TestServer;
let admin: Caller;
const name = 'olga@corp.example';
const app = { client_id: 'app', redirect_uri: callback };

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  await importShop(admin, { registrationAllowed: true });
  const credentials = [{ type: 'password', value: 'pw-olga' }];
  expect(
    (await admin.send('POST', '/admin/realms/shop/users', { username: name, enabled: true, credentials })).status,
  ).toBe(201);
});

const olgaLogsIn = async () => {
  const form = { grant_type: 'password', client_id: 'admin-cli', username: name, password: 'pw-olga' };
  expect((await token(server, 'shop', form)).status).toBe(200);
};

describe('the user name of somebody is no address of somebody else', () => {
  it('of a new user', async () => {
    const answer = await admin.send('POST', '/admin/realms/shop/users', { username: 'shadow', email: name });
    expect([answer.status, answer.body]).toEqual([409, { errorMessage: 'User exists with same email' }]);
    await olgaLogsIn();
  });

  it('of a user who is changed', async () => {
    const [{ id }] = (await admin.send('GET', '/admin/realms/shop/users?username=ann&exact=true')).body;
    expect((await admin.send('PUT', `/admin/realms/shop/users/${id}`, { email: name })).status).toBe(409);
    await olgaLogsIn();
  });

  it('but of the same user', async () => {
    const [{ id }] = (await admin.send('GET', `/admin/realms/shop/users?username=${name}&exact=true`)).body;
    expect((await admin.send('PUT', `/admin/realms/shop/users/${id}`, { email: name })).status).toBe(204);
    expect((await admin.send('PUT', `/admin/realms/shop/users/${id}`, { email: '' })).status).toBe(204);
    await olgaLogsIn();
  });

  it.each([
    ['who signs up with it', { username: 'shadow', email: name }],
    ['who signs up as a service account to be', { username: 'Service-Account-Future', email: 'x@example.org' }],
  ])('of anybody %s', async (_, profile) => {
    const agent = agentOf(server);
    const login = await agent.get(authorizationUrl('shop', app));
    const page = await agent.get(linkOf(login, 'registration'));
    const done = await agent.submit(page, {
      ...profile,
      firstName: 'x',
      lastName: 'y',
      password: 'long enough',
      'password-confirm': 'long enough',
    });
    expect(done.status).toBe(200);
    expect(noticeOf(done)).toBeTruthy();
    await olgaLogsIn();
  });
});
