import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm, userOf } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

const realm = 'timely';
const hour = 3_600_000;
/** How far the clock of the service is ahead, in milliseconds. */
let ahead = 0;
let server: TestServer;
let admin: Caller;
let roles: { id: string; name: string }[];
let client: string;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    { realm, enabled: true, accessTokenLifespan: 36_000 },
    {},
    () => Date.now() + ahead,
  ));
  const { body: clients } = await admin.send('GET', `/${realm}/clients?clientId=realm-management`);
  client = clients[0].id;
  roles = [(await admin.send('GET', `/${realm}/clients/${client}/roles/view-users`)).body];
});

/** A user who may view users, and has done so. */
async function viewer(username: string): Promise<{ id: string; caller: Caller; status(): Promise<number> }> {
  const credentials = [{ type: 'password', value: 'secret-1', temporary: false }];
  const made = await admin.send('POST', `/${realm}/users`, { username, enabled: true, credentials });
  const id = String(made.headers.get('location')).split('/').at(-1) ?? '';
  await admin.send('POST', `/${realm}/users/${id}/role-mappings/clients/${client}`, roles);
  const caller = await userOf(server, realm, username, 'secret-1');
  const status = async () => (await caller.send('GET', `/${realm}/users`)).status;
  expect(await status()).toBe(200);
  return { id, caller, status };
}

describe('a clock that is set back by an hour', () => {
  it('keeps nobody in who was disabled after that', async () => {
    const { id, status } = await viewer('disabled');
    ahead -= hour;
    expect((await admin.send('PUT', `/${realm}/users/${id}`, { enabled: false })).status).toBe(204);
    expect(await status()).toBe(401);
    ahead += hour;
  });

  it('keeps nobody in whose sessions were ended after that', async () => {
    const { id, status } = await viewer('logged-out');
    ahead -= hour;
    expect((await admin.send('POST', `/${realm}/users/${id}/logout`)).status).toBe(204);
    expect(await status()).toBe(401);
    ahead += hour;
  });

  it('keeps no right that was taken away after that', async () => {
    const { id, status } = await viewer('deprived');
    ahead -= hour;
    const path = `/${realm}/users/${id}/role-mappings/clients/${client}`;
    expect((await admin.send('DELETE', path, roles)).status).toBe(204);
    expect(await status()).toBe(403);
    ahead += hour;
  });

  it('lets users log in, and events follow each other', async () => {
    await viewer('before');
    ahead -= hour;
    await viewer('after');
    const { data } = await admin.graphql<{ adminEvents: { edges: { node: { resourcePath: string } }[] } }>(
      '{ adminEvents(first: 2) { edges { node { resourcePath } } } }',
    );
    expect(data.adminEvents.edges).toHaveLength(2);
    ahead += hour;
  });
});

describe('a clock that is set forward by an hour', () => {
  it('ends the tokens whose time is over, and not for ever', async () => {
    const { status } = await viewer('forward');
    ahead += 11 * hour;
    expect(await status()).toBe(401);
    ahead -= 11 * hour;
    expect(await status()).toBe(200);
  });
});
