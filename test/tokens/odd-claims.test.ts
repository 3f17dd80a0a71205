import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, callerWith } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

// Mappers may write any JSON where roles are in a token.
const realm = 'odd';
const odd = ['null', '1', '"text"', '[]', '[null]', '{"roles":null}', '{"roles":"admin"}', '{"roles":[null,{"a":1}]}'];
const places = ['resource_access', 'resource_access.x', 'realm_access', 'allowed-origins'];
let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  const users = [{ username: 'ann', enabled: true, credentials: [{ type: 'password', value: 'pw' }] }];
  expect((await admin.send('POST', '/', { realm, enabled: true, users })).status).toBe(201);
});

describe.each(places)('a token with %s', (place) => {
  it.each(odd)('as %s is one without these roles', async (value) => {
    const clientId = `${place} ${value}`;
    const { status } = await admin.send('POST', `/${realm}/clients`, {
      clientId,
      publicClient: true,
      directAccessGrantsEnabled: true,
      protocolMappers: [
        {
          name: 'odd',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-hardcoded-claim-mapper',
          config: {
            'claim.name': place,
            'claim.value': value,
            'jsonType.label': 'JSON',
            'access.token.claim': 'true',
          },
        },
      ],
    });
    expect(status).toBe(201);
    const form = { grant_type: 'password', client_id: clientId, username: 'ann', password: 'pw' };
    const address = `${server.url}/auth/realms/${realm}/protocol/openid-connect/token`;
    const answer = await fetch(address, { method: 'POST', body: new URLSearchParams(form) });
    expect(answer.status).toBe(200);
    const caller = callerWith(server, ((await answer.json()) as { access_token: string }).access_token);
    expect((await caller.send('GET', `/${realm}`)).status).toBe(403);
    expect((await caller.send('GET', '')).status).toBe(403);
    expect((await caller.send('GET', `/realms/${realm}/protocol/openid-connect/userinfo`)).status).toBeLessThan(500);
    expect((await caller.send('POST', `/realms/${realm}/clients-registrations/default`, {})).status).toBe(403);
    const { errors } = await caller.graphql('{ realms(first: 1) { nodes { name } } }');
    expect(errors?.[0]?.extensions?.code).not.toBe('INTERNAL');
  });
});
