// @both-databases
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

const realm = 'nodes';
const client = Buffer.from('Client:cluster').toString('base64');
const heard: { path: string | undefined; action: Record<string, unknown> }[] = [];
const adapter = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    heard.push({ path: request.url, action: decodeJwt(body) });
    response.writeHead(204).end();
  });
});
let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  await new Promise<void>((listening) => adapter.listen(0, '127.0.0.1', listening));
  const { port } = adapter.address() as AddressInfo;
  server = await startServer({ fetchPrivateAddresses: true });
  admin = await administrator(server);
  const adminUrl = `http://\${application.session.host}:${port}/admin`;
  const clients = [{ id: 'cluster', clientId: 'cluster', adminUrl }];
  await admin.send('POST', '/', { realm, enabled: true, adminEventsEnabled: true, clients });
});
afterAll(() => {
  adapter.closeAllConnections();
  adapter.close();
});

const run = async (name: string, input: object, fields: string) => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  type Payload = { token?: string; client: { nodes: { host: string }[] } | null; userErrors: object[] };
  const { data } = await admin.graphql<Record<string, Payload>>(
    `mutation ($input: ${type}!) { ${name}(input: $input) { ${fields} userErrors { code path } } }`,
    { input: { id: client, ...input } },
  );
  return data[name] as Payload;
};

describe("the nodes of a client's cluster", () => {
  const hosts = 'client { nodes { host registeredAt } }';

  it('register, are asked whether they are there, and are removed', async () => {
    const added = await run('clientAddNode', { host: '127.0.0.1' }, hosts);
    expect(added.client?.nodes).toMatchObject([{ host: '127.0.0.1' }]);
    const query = `{ realm(name: "${realm}") { client(clientId: "cluster") { nodesAvailability { reached failed } } } }`;
    type Data = { realm: { client: { nodesAvailability: { reached: string[]; failed: string[] } } } };
    const { nodesAvailability } = (await admin.graphql<Data>(query)).data.realm.client;
    expect(nodesAvailability).toEqual({ reached: [expect.stringContaining('127.0.0.1')], failed: [] });
    expect(heard).toMatchObject([
      { path: '/admin/k_test_available', action: { action: 'TEST_AVAILABILITY', resource: 'cluster' } },
    ]);
    expect((await run('clientRemoveNode', { host: '127.0.0.1' }, hosts)).client?.nodes).toEqual([]);
  });

  it('are named by a host', async () => {
    const refused = await run('clientAddNode', { host: 'a/b c' }, hosts);
    expect(refused.userErrors).toEqual([{ code: 'INVALID', path: ['host'] }]);
    const unknown = await run('clientRemoveNode', { host: 'nobody' }, hosts);
    expect(unknown.userErrors).toEqual([{ code: 'NOT_FOUND', path: ['host'] }]);
  });
});

describe('the registration access token', () => {
  it('is told once, and the client remembers the last one by its id', async () => {
    const first = await run('clientRotateRegistrationToken', {}, 'token');
    const second = await run('clientRotateRegistrationToken', {}, 'token');
    const claims = decodeJwt(second.token ?? '');
    expect(claims).toMatchObject({ typ: 'RegistrationAccessToken', iss: `${server.url}/auth/realms/${realm}` });
    expect(claims.jti).not.toBe(decodeJwt(first.token ?? '').jti);
    const row = await server.database.read.client.findUnique({
      where: { id: 'cluster' },
      select: { registrationToken: true },
    });
    expect(row?.registrationToken).toBe(claims.jti);
    const seen = [
      (await admin.send('GET', `/${realm}/clients/cluster`)).body,
      (await admin.send('GET', `/${realm}/admin-events`)).body,
    ];
    expect(JSON.stringify(seen)).not.toContain(second.token);
  });
});
