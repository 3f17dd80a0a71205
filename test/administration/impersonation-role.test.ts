import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;
/** The addresses of the clients of master that administer a realm, by its name. */
const roles: Record<string, string> = {};

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  await admin.send('POST', '/', { realm: 'shop', enabled: true });
  for (const realm of ['shop', 'master']) {
    const { body } = await admin.send('GET', `/master/clients?clientId=${realm}-realm`);
    roles[realm] = `/master/clients/${body[0].id}/roles`;
  }
});

describe('the role of master to impersonate users of a realm', () => {
  it('stays for who does not have it', async () => {
    const credentials = [{ type: 'password', value: 'pw' }];
    await admin.send('POST', '/master/users', { username: 'keeper', enabled: true, credentials });
    const { body: users } = await admin.send('GET', '/master/users?username=keeper');
    const { body: clients } = await admin.send('GET', '/master/clients?clientId=master-realm');
    const { body: known } = await admin.send('GET', roles.master as string);
    const given = (known as { name: string }[]).filter(({ name }) => /^(manage|view)-(clients|realm)$/.test(name));
    await admin.send('POST', `/master/users/${users[0].id}/role-mappings/clients/${clients[0].id}`, given);
    const keeper = await userOf(server, 'master', 'keeper', 'pw');
    expect((await keeper.send('GET', `${roles.shop}/impersonation`)).status).toBe(200);
    expect((await keeper.send('DELETE', `${roles.shop}/impersonation`)).status).toBe(403);
  });

  it('is deleted by who administers the realm', async () => {
    expect((await admin.send('DELETE', `${roles.shop}/impersonation`)).status).toBe(204);
    expect((await admin.send('GET', `${roles.shop}/impersonation`)).status).toBe(404);
    expect((await admin.send('POST', '/shop/users', { username: 'ann' })).status).toBe(201);
    const { body: found } = await admin.send('GET', '/shop/users?username=ann');
    expect((await admin.send('POST', `/shop/users/${found[0].id}/impersonation`)).status).toBe(403);
    expect((await admin.send('GET', '/shop')).status).toBe(200);
  });

  it('does not give the right again when a role of its name is created', async () => {
    expect((await admin.send('POST', roles.shop as string, { name: 'impersonation' })).status).toBe(201);
    const { body: found } = await admin.send('GET', '/shop/users?username=ann');
    expect((await admin.send('POST', `/shop/users/${found[0].id}/impersonation`)).status).toBe(403);
  });

  it('stays for the master realm itself, as every other one does', async () => {
    expect((await admin.send('DELETE', `${roles.master}/impersonation`)).status).toBe(400);
    expect((await admin.send('DELETE', `${roles.shop}/manage-users`)).status).toBe(400);
  });
});
