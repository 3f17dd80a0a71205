import { beforeAll, describe, expect, it } from 'vitest';
import { token } from '../login/agent.js';
import { administrator, callerWith } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

const realm = 'claims';
const grantType = 'urn:ietf:params:oauth:grant-type:uma-ticket';
let server: TestServer;

/** A mapper that writes what its client wants its users to be. */
const written = (claim: string, value: unknown) => ({
  name: claim,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-hardcoded-claim-mapper',
  config: {
    'claim.name': claim,
    'claim.value': typeof value === 'string' ? value : JSON.stringify(value),
    'jsonType.label': typeof value === 'string' ? 'String' : 'JSON',
    'access.token.claim': 'true',
  },
});

const mappers = [
  written('realm_access', { roles: ['vip'] }),
  written('resource_access', { api: { roles: ['uma_protection'] } }),
  written('teams', ['/staff']),
  written('tier', 'gold'),
];

const policies = [
  { name: 'vips', type: 'role', config: { roles: '[{"id":"vip","required":true}]' } },
  { name: 'staff', type: 'group', config: { groupsClaim: 'teams', groups: '[{"path":"/staff"}]' } },
  { name: 'gold', type: 'regex', config: { targetClaim: 'tier', pattern: 'gold' } },
];

beforeAll(async () => {
  server = await startServer();
  const admin = await administrator(server);
  const client = { secret: 's', directAccessGrantsEnabled: true };
  const settings = {
    policies: [
      ...policies,
      ...policies.map(({ name }) => ({
        name: `for ${name}`,
        type: 'resource',
        config: { resources: `["${name} room"]`, applyPolicies: `["${name}"]` },
      })),
    ],
    resources: policies.map(({ name }) => ({ name: `${name} room` })),
  };
  const services = { serviceAccountsEnabled: true, authorizationServicesEnabled: true };
  const { status, body } = await admin.send('POST', '/admin/realms', {
    realm,
    enabled: true,
    roles: { realm: [{ name: 'vip' }] },
    groups: [{ name: 'staff' }],
    clients: [
      { clientId: 'api', ...client, ...services, authorizationSettings: settings, protocolMappers: [mappers[1]] },
      { clientId: 'rogue', ...client, protocolMappers: mappers },
    ],
    users: ['mallory', 'vera'].map((username) => ({
      username,
      enabled: true,
      credentials: [{ type: 'password', value: 'pw' }],
      ...(username === 'vera' && { realmRoles: ['vip'], groups: ['/staff'] }),
    })),
  });
  expect([status, body]).toEqual([201, '']);
});

const login = async (clientId: string, username: string) => {
  const form = { grant_type: 'password', client_id: clientId, client_secret: 's', username, password: 'pw' };
  return (await token(server, realm, form)).body.access_token ?? '';
};

async function ask(bearer: string, permission: string): Promise<number> {
  const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}` },
    body: new URLSearchParams({ grant_type: grantType, audience: 'api', permission, response_mode: 'decision' }),
  });
  return response.status;
}

describe('claims that the mappers of a client write', () => {
  it.each(policies.map(({ name }) => name))('do not pass the policy %s of another client', async (name) => {
    expect(await ask(await login('rogue', 'mallory'), `${name} room`)).toBe(403);
  });

  it('leave a user what the user has', async () => {
    const bearer = await login('rogue', 'vera');
    expect([await ask(bearer, 'vips room'), await ask(bearer, 'staff room')]).toEqual([200, 200]);
    expect(await ask(bearer, 'gold room')).toBe(403);
  });

  it('do not let a user manage the resources of a server', async () => {
    const bearer = callerWith(server, await login('api', 'mallory'));
    const made = await bearer.send('POST', `/realms/${realm}/authz/protection/resource_set`, { name: 'mine' });
    expect(made.status).toBe(403);
  });
});
