import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

const realm = 'guild';
let server: TestServer;
let admin: Caller;

interface Named {
  id: string;
  name: string;
}

const found = async <T = Named>(path: string) => (await admin.send('GET', `/${realm}${path}`)).body as T;
const role = (name: string) => found(`/roles/${name}`);
const idOf = async (username: string) => (await found<{ id: string }[]>(`/users?username=${username}`))[0]?.id ?? '';

async function expectDone(method: string, path: string, body?: unknown): Promise<void> {
  expect((await admin.send(method, `/${realm}${path}`, body as object)).status).toBeLessThan(300);
}

interface Claims {
  realm_access?: { roles: string[] };
  resource_access?: Record<string, { roles: string[] }>;
  scope: string;
  stones?: string[];
}

const roles = {
  realm: [
    { name: 'mason' },
    { name: 'master', composite: true, composites: { realm: ['mason'], client: { yard: ['digger'] } } },
    { name: 'other' },
  ],
  client: { yard: [{ name: 'digger' }] },
};

/** Two clients of the same kind, of which one sees all roles. */
const client = (clientId: string, fullScopeAllowed: boolean) => ({
  clientId,
  fullScopeAllowed,
  publicClient: true,
  directAccessGrantsEnabled: true,
  defaultClientScopes: ['shown'],
  optionalClientScopes: ['guarded'],
});

const mapper = (protocolMapper: string, config: object) => ({
  name: protocolMapper,
  protocol: 'openid-connect',
  protocolMapper,
  config: { multivalued: 'true', 'access.token.claim': 'true', ...config },
});

const shown = {
  name: 'shown',
  protocol: 'openid-connect',
  protocolMappers: [
    mapper('oidc-usermodel-attribute-mapper', { 'user.attribute': 'stone', 'claim.name': 'stones' }),
    mapper('oidc-usermodel-realm-role-mapper', { 'claim.name': 'realm_access.roles' }),
    mapper('oidc-usermodel-client-role-mapper', { 'claim.name': `resource_access.\${client_id}.roles` }),
  ],
};

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  const person = (username: string, more: object = {}) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: username }],
    ...more,
  });
  const answer = await admin.send('POST', '/', {
    realm,
    enabled: true,
    passwordPolicy: 'hashIterations(1)',
    roles,
    groups: [{ name: 'lodge', subGroups: [{ name: 'cellar' }] }],
    clientScopes: [shown, { name: 'guarded', protocol: 'openid-connect' }],
    scopeMappings: [
      { client: 'narrow', roles: ['mason'] },
      { clientScope: 'guarded', roles: ['mason'] },
    ],
    clients: [{ clientId: 'yard' }, client('narrow', false), client('wide', true)],
    users: [
      person('ann', { realmRoles: ['master', 'other'] }),
      person('bob', { groups: ['/lodge/cellar'] }),
      person('cy'),
    ],
  });
  expect(answer.status).toBe(201);
});

async function claimsOf(username: string, clientId: string, scope = ''): Promise<Claims> {
  const form = { grant_type: 'password', client_id: clientId, username, password: username, scope };
  const answer = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return decodeJwt<Claims>(token);
}

const rolesOf = async (username: string, clientId: string) => {
  const { realm_access: own, resource_access: others } = await claimsOf(username, clientId);
  const names = [
    ...(own?.roles ?? []),
    ...Object.entries(others ?? {}).flatMap(([name, { roles: of }]) => of.map((one) => `${name}.${one}`)),
  ];
  return names.filter((name) => ['mason', 'master', 'other', 'yard.digger'].includes(name)).sort();
};

describe('the roles in tokens', () => {
  it('are parts of composite roles too, of a client without full scope only those of its scopes', async () => {
    expect(await rolesOf('ann', 'wide')).toEqual(['mason', 'master', 'other', 'yard.digger']);
    expect(await rolesOf('ann', 'narrow')).toEqual(['mason']);
    expect(await rolesOf('cy', 'wide')).toEqual([]);
    expect(await rolesOf('cy', 'narrow')).toEqual([]);
  });

  it('change with the next token when a group above that of the user gets or loses a role', async () => {
    expect([await rolesOf('bob', 'wide'), await rolesOf('bob', 'narrow')]).toEqual([[], []]);
    const [lodge] = await found<Named[]>('/groups');
    const mapping = `/groups/${lodge?.id}/role-mappings/realm`;
    await expectDone('POST', mapping, [await role('master')]);
    expect(await rolesOf('bob', 'wide')).toEqual(['mason', 'master', 'yard.digger']);
    expect(await rolesOf('bob', 'narrow')).toEqual(['mason']);
    expect(await rolesOf('cy', 'narrow')).toEqual([]);
    await expectDone('DELETE', mapping, [await role('master')]);
    expect([await rolesOf('bob', 'wide'), await rolesOf('bob', 'narrow')]).toEqual([[], []]);
  });

  it('change with the next token when the scope of the client does', async () => {
    const [narrow] = await found<Named[]>('/clients?clientId=narrow');
    const mapping = `/clients/${narrow?.id}/scope-mappings/realm`;
    await expectDone('POST', mapping, [await role('master')]);
    expect(await rolesOf('ann', 'narrow')).toEqual(['mason', 'master', 'yard.digger']);
    await expectDone('DELETE', mapping, [await role('master')]);
    expect(await rolesOf('ann', 'narrow')).toEqual(['mason']);
    await expectDone('POST', `/users/${await idOf('cy')}/role-mappings/realm`, [await role('mason')]);
    expect(await rolesOf('cy', 'narrow')).toEqual(['mason']);
    await expectDone('DELETE', `/users/${await idOf('cy')}/role-mappings/realm`, [await role('mason')]);
    expect(await rolesOf('cy', 'narrow')).toEqual([]);
  });

  it('decide which client scopes may be used', async () => {
    for (const clientId of ['narrow', 'wide']) {
      expect((await claimsOf('ann', clientId, 'guarded')).scope.split(' ')).toContain('guarded');
      expect((await claimsOf('cy', clientId, 'guarded')).scope.split(' ')).not.toContain('guarded');
    }
  });
});

describe('the attributes of groups in tokens', () => {
  it('are there with the next token once a group has one that a mapper asks for, and gone with it', async () => {
    expect((await claimsOf('bob', 'narrow')).stones).toBeUndefined();
    const [lodge] = await found<Named[]>('/groups');
    await expectDone('PUT', `/groups/${lodge?.id}`, { name: 'lodge', attributes: { stone: ['marble', 'slate'] } });
    expect((await claimsOf('bob', 'narrow')).stones).toEqual(['marble', 'slate']);
    expect((await claimsOf('cy', 'narrow')).stones).toBeUndefined();
    await expectDone('PUT', `/groups/${lodge?.id}`, { name: 'lodge', attributes: {} });
    expect((await claimsOf('bob', 'narrow')).stones).toBeUndefined();
  });
});
