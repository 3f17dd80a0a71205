import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { addAudience, type Claims, claimPath, putClaim, typedValue } from '../../src/services/tokens/claims.js';
import { baseUrl, makeClient, makeRealm, makeRole, makeUser, openWorld, send, type World } from './world.js';

let world: World;
let realmId: string;

const always = { 'access.token.claim': 'true', 'id.token.claim': 'true' };
const mapper = (name: string, protocolMapper: string, config: object) => ({
  name,
  protocolMapper,
  protocol: 'openid-connect',
  config: { ...always, ...config },
});
const property = (claim: string, attribute: string, type = 'String') =>
  mapper(claim, 'oidc-usermodel-property-mapper', {
    'claim.name': claim,
    'user.attribute': attribute,
    'jsonType.label': type,
  });
const roleClaim = (kind: string, claim: string) =>
  mapper(kind, `oidc-usermodel-${kind}-role-mapper`, {
    'claim.name': claim,
    multivalued: 'true',
    'id.token.claim': 'false',
  });

/** The default client scopes of a new realm, as far as they show in tokens. */
const scopes: Record<string, { name: string; protocolMapper: string; protocol: string; config: object }[]> = {
  profile: [
    mapper('full name', 'oidc-full-name-mapper', {}),
    property('preferred_username', 'username'),
    property('given_name', 'firstName'),
    property('family_name', 'lastName'),
    mapper('nick', 'oidc-usermodel-attribute-mapper', { 'claim.name': 'nickname', 'user.attribute': 'nick' }),
  ],
  email: [property('email', 'email'), property('email_verified', 'emailVerified', 'boolean')],
  roles: [
    roleClaim('realm', 'realm_access.roles'),
    roleClaim('client', `resource_access.\${client_id}.roles`),
    {
      name: 'audience resolve',
      protocolMapper: 'oidc-audience-resolve-mapper',
      protocol: 'openid-connect',
      config: {},
    },
  ],
  'web-origins': [
    { name: 'origins', protocolMapper: 'oidc-allowed-origins-mapper', protocol: 'openid-connect', config: {} },
  ],
  offline_access: [],
  orders: [
    mapper('colour', 'oidc-hardcoded-claim-mapper', {
      'claim.name': 'a.b\\.c',
      'claim.value': '[1]',
      'jsonType.label': 'JSON',
    }),
  ],
};
const hidden = new Set(['roles', 'web-origins']);
const optional = new Set(['offline_access', 'orders']);
const scopeIds = new Map<string, string>();

async function makeScopes(): Promise<void> {
  await world.database.transaction(async (tx) => {
    for (const [name, mappers] of Object.entries(scopes)) {
      const id = randomUUID();
      scopeIds.set(name, id);
      const attributes = hidden.has(name) ? { 'include.in.token.scope': 'false' } : {};
      await tx.clientScope.createMany({ data: [{ id, realmId, name, protocol: 'openid-connect', attributes }] });
      const data = mappers.map((entry) => ({ ...entry, id: randomUUID(), clientScopeId: id, realmId, container: id }));
      if (data.length > 0) await tx.protocolMapper.createMany({ data });
    }
  });
}

async function client(clientId: string, fields: object = {}): Promise<string> {
  const id = await makeClient(world, realmId, clientId, fields);
  const data = [...scopeIds].map(([name, clientScopeId]) => ({
    clientId: id,
    clientScopeId,
    optional: optional.has(name),
  }));
  await world.database.transaction((tx) => tx.clientScopeAssignment.createMany({ data }));
  return id;
}

const tokens = async (clientId: string, scope = '') => {
  const form = { grant_type: 'password', client_id: clientId, username: 'ann', password: 'pw-ann', scope };
  const { status, body } = await send(world, 'shop', form);
  expect(body).toMatchObject({ access_token: expect.any(String) });
  expect(status).toBe(200);
  return body;
};
const claimsOf = async (clientId: string, scope?: string): Promise<Claims> =>
  decodeJwt(String((await tokens(clientId, scope)).access_token));

beforeAll(async () => {
  world = await openWorld();
  realmId = await makeRealm(world, 'shop');
  await makeScopes();
  const shop = await client('shop.app', { webOrigins: ['http://app.example'] });
  const narrow = await client('narrow', { fullScopeAllowed: false });
  const stock = await client('stock');
  const userId = await makeUser(world, realmId, 'ann', { email: 'ann@example.org', firstName: 'Ann', lastName: 'Lee' });

  const role = Object.fromEntries(
    await Promise.all(
      ['direct', 'of-group', 'of-parent', 'composite', 'inner', 'other', 'offline_access'].map(async (name) => [
        name,
        await makeRole(world, realmId, name),
      ]),
    ),
  ) as Record<string, string>;
  const read = await makeRole(world, realmId, 'read', stock);
  const own = await makeRole(world, realmId, 'own', narrow);
  const appRole = await makeRole(world, realmId, 'use', shop);
  const [parent, child] = [randomUUID(), randomUUID()];
  await world.database.transaction(async (tx) => {
    await tx.group.createMany({ data: [{ id: parent, realmId, container: realmId, name: 'parent', path: '/parent' }] });
    const group = { id: child, realmId, parentId: parent, container: parent, name: 'child', path: '/parent/child' };
    await tx.group.createMany({ data: [group] });
    await tx.userGroup.createMany({ data: [{ userId, groupId: child, username: 'ann' }] });
    await tx.groupRole.createMany({ data: [{ groupId: child, roleId: role['of-group'] as string }] });
    await tx.groupRole.createMany({ data: [{ groupId: parent, roleId: role['of-parent'] as string }] });
    const granted = [role.direct, role.composite, own, appRole].map((roleId) => ({
      userId,
      roleId: roleId as string,
      username: 'ann',
    }));
    await tx.userRole.createMany({ data: granted });
    const composite = [
      { parentId: role.composite, childId: role.inner },
      { parentId: role.inner, childId: read },
      // a cycle must not matter
      { parentId: role.inner, childId: role.composite },
    ];
    await tx.compositeRole.createMany({ data: composite as { parentId: string; childId: string }[] });
    await tx.clientScopeMapping.createMany({ data: [{ clientId: narrow, roleId: role.inner as string }] });
    const mappings = [
      { clientScopeId: scopeIds.get('offline_access') as string, roleId: role.offline_access as string },
      { clientScopeId: scopeIds.get('orders') as string, roleId: role.direct as string },
    ];
    await tx.clientScopeScopeMapping.createMany({ data: mappings });
    await tx.userAttribute.createMany({
      data: ['Annie', 'A'].map((value, position) => ({ userId, name: 'nick', position, value })),
    });
    const groups = mapper('groups', 'oidc-group-membership-mapper', { 'claim.name': 'groups', 'full.path': 'true' });
    const audience = mapper('audience', 'oidc-audience-mapper', {
      'included.client.audience': 'warehouse',
      'id.token.claim': 'false',
    });
    await tx.protocolMapper.createMany({
      data: [groups, audience].map((entry) => ({
        ...entry,
        id: randomUUID(),
        clientId: stock,
        realmId,
        container: stock,
      })),
    });
  });
});

describe('the claims of an access token', () => {
  it('are those of the mappers of the default client scopes', async () => {
    const claims = await claimsOf('shop.app');
    expect(claims).toMatchObject({
      iss: `${baseUrl}/realms/shop`,
      azp: 'shop.app',
      aud: ['narrow', 'stock'],
      'allowed-origins': ['http://app.example'],
      scope: expect.stringMatching(/^(profile email|email profile)$/),
      name: 'Ann Lee',
      preferred_username: 'ann',
      given_name: 'Ann',
      family_name: 'Lee',
      nickname: 'Annie',
      email: 'ann@example.org',
      email_verified: false,
    });
  });

  it('have the effective roles: through groups, their parents and composites', async () => {
    const { realm_access, resource_access } = await claimsOf('shop.app');
    expect(realm_access).toEqual({ roles: ['composite', 'direct', 'inner', 'of-group', 'of-parent'] });
    expect(resource_access).toEqual({
      narrow: { roles: ['own'] },
      'shop.app': { roles: ['use'] },
      stock: { roles: ['read'] },
    });
  });

  it('have only the roles in scope where the client has no full scope', async () => {
    const narrow = await claimsOf('narrow');
    expect(narrow.realm_access).toEqual({ roles: ['composite', 'inner'] });
    expect(narrow.resource_access).toEqual({ narrow: { roles: ['own'] }, stock: { roles: ['read'] } });
    expect(narrow.aud).toBe('stock');
    const withOrders = await claimsOf('narrow', 'orders');
    expect(withOrders.realm_access).toEqual({ roles: ['composite', 'direct', 'inner'] });
    expect(withOrders.a).toEqual({ 'b.c': [1] });
  });

  it('have what the client’s own mappers add', async () => {
    const claims = await claimsOf('stock');
    expect(claims.groups).toEqual(['/parent/child']);
    expect(claims.aud).toContain('warehouse');
  });

  it('come with an ID token when openid is asked for', async () => {
    const body = await tokens('shop.app', 'openid');
    expect(String(body.scope).split(' ').sort()).toEqual(['email', 'openid', 'profile']);
    const id = decodeJwt(String(body.id_token));
    expect(id).toMatchObject({
      typ: 'ID',
      aud: 'shop.app',
      name: 'Ann Lee',
      at_hash: expect.any(String),
      sid: body.session_state,
    });
    expect(id).not.toHaveProperty('realm_access');
    const form = { grant_type: 'refresh_token', client_id: 'shop.app', refresh_token: String(body.refresh_token) };
    const refreshed = await send(world, 'shop', form);
    expect(refreshed.body).toMatchObject({ id_token: expect.any(String), scope: body.scope });
  });

  it('are for offline use only when the user has the role', async () => {
    const form = {
      grant_type: 'password',
      client_id: 'shop.app',
      username: 'ann',
      password: 'pw-ann',
      scope: 'offline_access',
    };
    expect(await send(world, 'shop', form)).toMatchObject({
      status: 400,
      body: { error: 'not_allowed', error_description: 'Offline tokens not allowed for the user or client' },
    });
    const where = { name: 'offline_access', realmId };
    const roleId = (await world.database.read.role.findFirst({ where, select: { id: true } }))?.id as string;
    const userId = (await world.database.read.user.findFirst({ where: { username: 'ann' }, select: { id: true } }))
      ?.id as string;
    await world.database.transaction((tx) => tx.userRole.createMany({ data: [{ userId, roleId, username: 'ann' }] }));
    const { body } = await send(world, 'shop', form);
    expect(body).toMatchObject({ refresh_expires_in: 0, scope: expect.stringContaining('offline_access') });
    expect(decodeJwt(String(body.refresh_token))).toMatchObject({ typ: 'Offline' });
    expect(decodeJwt(String(body.refresh_token)).exp).toBeUndefined();
    const refresh = { grant_type: 'refresh_token', client_id: 'shop.app', refresh_token: String(body.refresh_token) };
    for (let uses = 0; uses < 4; uses += 1) {
      world.wait(25 * 86_400_000);
      expect(await send(world, 'shop', refresh)).toMatchObject({ status: 200, body: { refresh_expires_in: 0 } });
      await world.context.touches.flush();
    }
    world.wait(31 * 86_400_000);
    expect(await send(world, 'shop', refresh)).toMatchObject({
      status: 400,
      body: { error_description: 'Offline user session not found' },
    });
  });
});

describe('writing claims', () => {
  it('follows paths, and joins lists', () => {
    const claims: Claims = {};
    putClaim(claims, claimPath('a.b\\.c.d'), 1);
    putClaim(claims, claimPath('a.list'), ['x']);
    putClaim(claims, claimPath('a.list'), ['x', 'y']);
    putClaim(claims, claimPath('__proto__.polluted'), true);
    putClaim(claims, claimPath(''), true);
    putClaim(claims, ['none'], undefined);
    expect(claims).toEqual({ a: { 'b.c': { d: 1 }, list: ['x', 'y'] } });
    expect({}).not.toHaveProperty('polluted');
  });

  it('keeps one audience as a text', () => {
    const claims: Claims = {};
    addAudience(claims, 'a');
    addAudience(claims, 'a');
    expect(claims.aud).toBe('a');
    addAudience(claims, 'b');
    expect(claims.aud).toEqual(['a', 'b']);
  });

  it('converts to the type of the mapper', () => {
    const value = (text: string, type: string) => typedValue([text], { 'jsonType.label': type });
    expect([value('TRUE', 'boolean'), value('x', 'boolean'), value('12', 'long'), value('x', 'int')]).toEqual([
      true,
      false,
      12,
      undefined,
    ]);
    expect([value('{"a":1}', 'JSON'), value('{', 'JSON'), value('x', 'String')]).toEqual([{ a: 1 }, undefined, 'x']);
    expect(typedValue(['a', 'b'], { multivalued: 'true' })).toEqual(['a', 'b']);
    expect(typedValue(['a', 'b'], {})).toBe('a');
    expect(typedValue([], { multivalued: 'true' })).toBeUndefined();
  });
});
