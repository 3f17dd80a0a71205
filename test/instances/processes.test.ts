// @both-databases
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { subscribe } from '../events/sse.js';
import { startProcess } from '../faults/process.js';
import { askToken, logIn, realm, refresh, representation, userInfo } from '../sessions/world.js';
import { preparedDatabaseUrl } from '../support/database.js';
import { administrator, type Caller, callerWith, login } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

// Two processes on one database. What one of them does counts at the other within a second.
let one: TestServer;
let other: TestServer;
let admin: Caller;
let atOther: Caller;
let ann: string;
const soon = { timeout: 1000, interval: 20 };

beforeAll(async () => {
  const databaseUrl = await preparedDatabaseUrl();
  // nothing but the address is used of them
  const start = async () => ({ url: (await startProcess(databaseUrl)).url }) as TestServer;
  one = await start();
  other = await start();
  admin = await administrator(one);
  atOther = callerWith(other, admin.token);
  expect((await admin.send('POST', '/', representation())).status).toBe(201);
  ann = (await admin.send('GET', `/${realm}/users?username=ann`)).body[0].id;
});

const statusOf = (caller: Caller, path: string) => async () => (await caller.send('GET', path)).status;

describe('what one process does, the other knows', () => {
  it('a login is a session there', async () => {
    const tokens = await logIn(one, 'ann');
    const sessions = (await atOther.send('GET', `/${realm}/users/${ann}/sessions`)).body as { id: string }[];
    expect(sessions.map(({ id }) => id)).toContain(tokens.session_state);
    expect(await userInfo(other, tokens)).toBe(200);
    expect((await refresh(other, tokens)).session_state).toBe(tokens.session_state);
  });

  it('a logout ends the session there', async () => {
    const tokens = await logIn(one, 'bob');
    expect(await userInfo(other, tokens)).toBe(200);
    const { body } = await admin.send('GET', `/${realm}/users?username=bob`);
    expect((await admin.send('POST', `/${realm}/users/${body[0].id}/logout`)).status).toBe(204);
    await expect.poll(() => userInfo(other, tokens), soon).toBe(401);
    expect(await refresh(other, tokens)).toMatchObject({ error: 'invalid_grant' });
    expect((await atOther.send('GET', `/${realm}/users/${body[0].id}/sessions`)).body).toEqual([]);
  });

  it('a logout of an administrator ends what the token may do there', async () => {
    const clerk = callerWith(other, await login(one, realm, 'clerk', 'clerk'));
    expect(await statusOf(clerk, `/${realm}/users`)()).toBe(200);
    const { body } = await admin.send('GET', `/${realm}/users?username=clerk`);
    await admin.send('POST', `/${realm}/users/${body[0].id}/logout`);
    await expect.poll(statusOf(clerk, `/${realm}/users`), soon).toBe(401);
  });

  it('a role that is taken away is gone there, on both surfaces', async () => {
    const chief = callerWith(other, await login(one, realm, 'chief', 'chief'));
    const usersSeen = async () => {
      const query = `{ realm(name: "${realm}") { users { totalCount } } }`;
      return (await chief.graphql<{ realm: { users: { totalCount: number } } | null }>(query)).data?.realm?.users;
    };
    expect(await statusOf(chief, `/${realm}/users`)()).toBe(200);
    expect(await usersSeen()).toMatchObject({ totalCount: 4 });
    const { body: users } = await admin.send('GET', `/${realm}/users?username=chief`);
    const { body: clients } = await admin.send('GET', `/${realm}/clients?clientId=realm-management`);
    const mapped = `/${realm}/users/${users[0].id}/role-mappings/clients/${clients[0].id}`;
    const { body: roles } = await admin.send('GET', mapped);
    expect((await admin.send('DELETE', mapped, roles)).status).toBe(204);
    await expect.poll(statusOf(chief, `/${realm}/users`), soon).toBe(403);
    expect(await usersSeen()).toBeFalsy();
  });

  it('a setting of the realm counts there', async () => {
    const lifespan = async () => {
      const { iat = 0, exp = 0 } = decodeJwt((await logIn(other, 'ann')).access_token);
      return exp - iat;
    };
    expect(await lifespan()).toBe(300);
    expect((await admin.send('PUT', `/${realm}`, { accessTokenLifespan: 77 })).status).toBe(204);
    await expect.poll(lifespan, soon).toBe(77);
    const mayLogIn = async () =>
      (await askToken(other, { grant_type: 'password', username: 'ann', password: 'ann' })).error === undefined;
    expect(await mayLogIn()).toBe(true);
    await admin.send('PUT', `/${realm}`, { enabled: false });
    await expect.poll(mayLogIn, soon).toBe(false);
    await admin.send('PUT', `/${realm}`, { enabled: true });
    await expect.poll(mayLogIn, soon).toBe(true);
  });

  it('a subscription there hears of it, a login as well as a write', async () => {
    const { data } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
    const told = async (name: string, fields: string) => {
      const query = `subscription ($realm: ID!) { ${name}(realm: $realm) { cursor event { ${fields} } } }`;
      const subscription = await subscribe(other, admin.token, query, { realm: data.realm.id });
      await expect.poll(() => subscription.messages.length, { timeout: 10_000, interval: 20 }).toBe(1);
      return subscription;
    };
    const writes = await told('adminEvents', 'resourcePath');
    const logins = await told('loginEvents', 'type');
    const heard = ({ messages }: Awaited<ReturnType<typeof told>>) =>
      messages.flatMap((message) => Object.values(message.data ?? {})).flatMap(({ event }) => event ?? []);
    await admin.send('POST', `/${realm}/roles`, { name: 'heard' });
    await expect.poll(() => heard(writes), soon).toEqual([{ resourcePath: 'roles/heard' }]);
    await logIn(one, 'ann');
    await expect.poll(() => heard(logins), soon).toEqual([{ type: 'LOGIN' }]);
    for (const subscription of [writes, logins]) subscription.close();
  });
});
