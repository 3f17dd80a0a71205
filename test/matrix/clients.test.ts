import { beforeAll, describe, expect, it } from 'vitest';
import type { OAuthCallerRoute } from '../../src/rest/oauth-caller-routes.js';
import { oauthCallerTable } from '../../src/rest/oauth-caller-table.js';
import { openApiText } from '../../src/rest/openapi.js';
import { operations } from '../../src/services/core/operation.js';
import { administrator, type Caller, callerWith, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { realmWithEverything } from './addresses.js';

// What clients and resource servers ask for with tokens of their own: as nobody, with a token of somebody else, about things
// that are not there, with bad bodies. Nothing of it changes anything. Requests of users to their accounts are in test/account.
const unknownId = '00000000-0000-4000-8000-000000000000';
let server: TestServer;
let admin: Caller;
let nobody: Caller;
let plain: Caller;
let shop: Caller;
let ids: Record<string, string>;

const protects = ({ security }: OAuthCallerRoute) => security.includes('protection');
const table = oauthCallerTable.map((route) => [`${route.method} ${route.path}`, route] as const);
const ofServers = table.filter(([, route]) => protects(route));
const ofClients = table.filter(([, route]) => !protects(route) && !route.security.includes('account'));

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  nobody = callerWith(server, undefined);
  await admin.send('POST', '/', realmWithEverything('matrix'));
  plain = await userOf(server, 'matrix', 'plain', 'secret-1');
  const response = await fetch(`${server.url}/auth/realms/matrix/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'shop', client_secret: 'shop-secret' }),
  });
  shop = callerWith(server, (await response.json()).access_token);
  const resource = await shop.send('POST', '/realms/matrix/authz/protection/resource_set', { name: 'album' });
  ids = { clientId: 'shop', resource_set: resource.body._id };
});

const address = ({ path }: OAuthCallerRoute, id?: string, realm = 'matrix') =>
  path
    .replace('{realm}', realm)
    .replace('{clientId}', id ?? ids.clientId ?? '')
    .replace(/([\w-]+)\/\{id\}/, (_, kind: string) => `${kind}/${id ?? ids[kind] ?? unknownId}`);
const body = ({ takes }: OAuthCallerRoute) => (takes === 'json' ? {} : undefined);
const counts = async () => {
  const { read } = server.database;
  return [
    await read.adminEvent.count(),
    await read.authorizationResource.count(),
    await read.authorizationPolicy.count(),
    await read.permissionTicket.count(),
    await read.client.count(),
  ];
};

/** The answer, of which nothing was kept. */
async function ask(caller: Caller, route: OAuthCallerRoute, at = address(route), sent: unknown = body(route)) {
  const before = await counts();
  const answer = await caller.send(route.method, at, sent, { 'content-type': 'application/json' });
  expect(await counts()).toEqual(before);
  return answer;
}

describe('every operation of a resource server', () => {
  it.each(ofServers)('%s is refused without a token, and with one of another realm', async (_title, route) => {
    for (const caller of [nobody, admin, callerWith(server, 'no.such.token')]) {
      const answer = await ask(caller, route);
      expect(answer).toMatchObject({ status: 403, body: { error: 'invalid_bearer_token' } });
    }
  });

  it.each(ofServers)('%s is refused with a token of a client without authorization services', async (_title, route) => {
    expect(await ask(plain, route)).toMatchObject({ status: 403, body: { error: 'invalid_clientId' } });
  });

  it.each(ofServers)('%s in an unknown realm: 404', async (_title, route) => {
    const answer = await ask(shop, route, address(route, undefined, 'no-such-realm'));
    expect(answer).toMatchObject({ status: 404, body: { error: 'Realm does not exist' } });
  });

  const named = ofServers.filter(([, { path }]) => path.endsWith('{id}'));
  it.each(named)('%s of something that is not there: 400 or 404', async (_title, route) => {
    expect([400, 404]).toContain((await ask(shop, route, address(route, unknownId))).status);
  });

  const takingJson = ofServers.filter(([, { takes }]) => takes === 'json');
  it.each(takingJson)('%s with a bad body: 4xx', async (_title, route) => {
    for (const bad of [
      '{"a":',
      '"text"',
      '7',
      '{"noSuchField":1}',
      '[{"noSuchField":1}]',
      '{"name":{}}',
      '{"id":[]}',
    ]) {
      const { status } = await ask(shop, route, address(route), bad);
      expect([bad, Math.floor(status / 100)]).toEqual([bad, 4]);
    }
  });
});

describe('every operation of client registration', () => {
  it.each(ofClients)(
    '%s is refused with a token that is none, or of somebody without the role',
    async (_title, route) => {
      // anybody may register where the policies of the realm let them: nothing comes of an empty description here
      expect((await ask(callerWith(server, 'no.such.token'), route)).status).toBe(401);
      expect([401, 403]).toContain((await ask(admin, route)).status);
      expect([401, 403]).toContain((await ask(plain, route)).status);
      expect([401, 403]).toContain((await ask(nobody, route)).status);
    },
  );

  it.each(ofClients)('%s in an unknown realm: 404', async (_title, route) => {
    const answer = await ask(nobody, route, address(route, undefined, 'no-such-realm'));
    expect(answer).toMatchObject({ status: 404, body: { error: 'Realm does not exist' } });
  });

  it.each(ofClients.filter(([, { path }]) => path.endsWith('{clientId}')))(
    '%s tells nobody which clients there are',
    async (_title, route) => {
      const unknown = await ask(nobody, route, address(route, 'no-such-client'));
      expect({ ...unknown, headers: {} }).toEqual({ ...(await ask(nobody, route)), headers: {} });
    },
  );

  it.each(ofClients.filter(([, { takes }]) => takes === 'json'))('%s with a bad body: 4xx', async (_title, route) => {
    for (const bad of ['{"a":', '"text"', '7', '[]', '{"noSuchField":1}', '{"redirectUris":7,"redirect_uris":7}']) {
      const { status } = await ask(nobody, route, address(route), bad);
      expect([bad, Math.floor(status / 100)]).toEqual([bad, 4]);
    }
  });
});

describe('the documents', () => {
  it.each(table)('%s is in the registry and in OpenAPI', async (_title, route) => {
    expect(operations().get(route.operation.name)).toBe(route.operation);
    const { paths, components } = JSON.parse(await openApiText());
    const described = paths[route.path][route.method.toLowerCase()];
    expect(described.security.length).toBeGreaterThan(0);
    for (const scheme of described.security.flatMap(Object.keys))
      expect(components.securitySchemes[scheme]).toBeTruthy();
    expect(described.requestBody !== undefined).toBe(route.takes === 'json');
    if (route.returns) expect(described.responses[route.status].content).toBeTruthy();
  });
});
