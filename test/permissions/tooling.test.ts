import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerWith, login, startWithRealm, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { realmAdmin } from './rules.js';

// What consoles and pages of other origins meet, besides what the recordings have.
const origin = 'https://console.example';
let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    {
      realm: 'shop',
      enabled: true,
      clients: [
        {
          clientId: 'console',
          publicClient: true,
          directAccessGrantsEnabled: true,
          redirectUris: [`${origin}/*`],
          webOrigins: ['+'],
        },
        { clientId: 'robot', secret: 'robot-secret', serviceAccountsEnabled: true },
      ],
      users: [realmAdmin],
    },
    { graphqlOrigins: [origin] },
  ));
});

const tokenOf = async (realm: string, form: Record<string, string>): Promise<string> => {
  const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  return ((await response.json()) as { access_token: string }).access_token;
};

describe('pages of other origins', () => {
  it('read the administration API with a token of a client that names them', async () => {
    const token = await tokenOf('shop', {
      grant_type: 'password',
      client_id: 'console',
      username: 'boss',
      password: 'pw',
    });
    const caller = callerWith(server, token);
    const answer = await caller.send('GET', '/shop/users/count', undefined, { origin });
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('vary')).toBe('Origin');
    const other = await caller.send('GET', '/shop/users/count', undefined, { origin: 'https://other.example' });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    const cli = await (await userOf(server, 'shop', 'boss', 'pw')).send('GET', '/shop/users/count', undefined, {
      origin,
    });
    expect(cli.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('that have no origin are told nothing', async () => {
    const answer = await fetch(`${server.url}/auth/realms/shop`, { headers: { origin: 'null' } });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('use GraphQL only where the configuration lists them', async () => {
    const ask = (from: string, method = 'POST') =>
      fetch(`${server.url}/graphql`, {
        method,
        headers: { origin: from, 'content-type': 'application/json', 'access-control-request-method': 'POST' },
        ...(method === 'POST' && { body: '{"query":"{ __typename }"}' }),
      });
    for (const method of ['POST', 'OPTIONS']) {
      expect((await ask(origin, method)).headers.get('access-control-allow-origin')).toBe(origin);
      expect((await ask('https://other.example', method)).headers.get('access-control-allow-origin')).toBeNull();
    }
    expect((await ask(origin, 'OPTIONS')).headers.get('access-control-allow-headers')).toContain('Authorization');
    const closed = await startServer();
    const answer = await fetch(`${closed.url}/graphql`, { method: 'OPTIONS', headers: { origin } });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('the rights of a token', () => {
  it('count with the next token of a service account, and not before', async () => {
    const robot = async () =>
      callerWith(
        server,
        await tokenOf('shop', { grant_type: 'client_credentials', client_id: 'robot', client_secret: 'robot-secret' }),
      );
    const before = await robot();
    expect((await before.send('GET', '/shop/users')).status).toBe(403);
    const client = (await admin.send('GET', '/shop/clients?clientId=robot')).body[0].id;
    const account = (await admin.send('GET', `/shop/clients/${client}/service-account-user`)).body.id;
    const management = (await admin.send('GET', '/shop/clients?clientId=realm-management')).body[0].id;
    const role = (await admin.send('GET', `/shop/clients/${management}/roles/view-users`)).body;
    await admin.send('POST', `/shop/users/${account}/role-mappings/clients/${management}`, [role]);
    expect((await (await robot()).send('GET', '/shop/users')).status).toBe(200);
    expect((await before.send('GET', '/shop/users')).status).toBe(403);
  });
});

describe('an administrator of some realms who lives in master', () => {
  const names = Array.from({ length: 30 }, (_, at) => `many-${String(at).padStart(2, '0')}`);
  let some: Caller;
  let user: string;
  const seen = ['many-07', 'many-21', 'many-28'];

  beforeAll(async () => {
    for (const realm of names) await admin.send('POST', '/', { realm });
    const { headers } = await admin.send('POST', '/master/users', {
      username: 'some',
      enabled: true,
      credentials: [{ type: 'password', value: 'pw' }],
    });
    user = headers.get('location')?.split('/').at(-1) ?? '';
    for (const realm of seen) await grant(realm, 'view-users');
    some = callerWith(server, await login(server, 'master', 'some', 'pw'));
  });

  async function grant(realm: string, name: string): Promise<void> {
    const client = (await admin.send('GET', `/master/clients?clientId=${realm}-realm`)).body[0].id;
    const role = (await admin.send('GET', `/master/clients/${client}/roles/${name}`)).body;
    await admin.send('POST', `/master/users/${user}/role-mappings/clients/${client}`, [role]);
  }

  interface Realms {
    realms: { totalCount: number; edges: { cursor: string; node: { name: string } }[]; pageInfo: object };
  }
  const page = async (caller: Caller, args: string) => {
    const query = `{ realms(${args}) { totalCount edges { cursor node { name } } pageInfo { hasNextPage hasPreviousPage } } }`;
    const { realms } = (await caller.graphql<Realms>(query)).data;
    return { ...realms, names: realms.edges.map(({ node }) => node.name) };
  };

  it('pages through those alone', async () => {
    const first = await page(some, 'first: 2');
    expect(first).toMatchObject({ totalCount: 3, names: seen.slice(0, 2), pageInfo: { hasNextPage: true } });
    const next = await page(some, `first: 2, after: "${first.edges.at(-1)?.cursor}"`);
    expect(next).toMatchObject({ totalCount: 3, names: seen.slice(2), pageInfo: { hasNextPage: false } });
    expect((await page(some, 'last: 1')).names).toEqual(seen.slice(2));
    const filtered = await page(some, 'filter: { name: { startsWith: "many-0" } }');
    expect(filtered).toMatchObject({ totalCount: 1, names: ['many-07'], pageInfo: { hasNextPage: false } });
    expect((await page(some, 'filter: { name: { equals: "many-08" } }')).totalCount).toBe(0);
  });

  it('is known by whoami in those alone', async () => {
    const { body } = await some.send('GET', '/admin/master/console/whoami');
    const access = ['query-groups', 'query-users', 'view-users'];
    expect(body.realm_access).toEqual(Object.fromEntries(seen.map((realm) => [realm, access])));
    expect(body).toMatchObject({ displayName: 'some', createRealm: false, realm: 'master' });
  });

  it('sees a realm as soon as there is a role', async () => {
    await grant('many-00', 'query-users');
    expect((await page(some, 'first: 1')).names).toEqual(['many-00']);
    expect((await page(some, 'first: 10')).totalCount).toBe(4);
  });

  it('is another one than the administrator of all, whose page does not depend on how many there are', async () => {
    const all = await page(admin, 'first: 5, filter: { name: { startsWith: "many" } }');
    expect(all).toMatchObject({ totalCount: 30, names: names.slice(0, 5), pageInfo: { hasNextPage: true } });
  });
});

describe('the number of groups', () => {
  it('is no secret among administrators, but what they are called is', async () => {
    const made = await admin.send('POST', '/', {
      realm: 'clubs',
      enabled: true,
      groups: [{ name: 'secret club' }],
      users: ['view-events', 'nobody'].map((username) => ({
        username,
        enabled: true,
        credentials: [{ type: 'password', value: 'pw' }],
        clientRoles: { 'realm-management': username === 'nobody' ? [] : [username] },
      })),
    });
    expect(made.status).toBe(201);
    const viewer = await userOf(server, 'clubs', 'view-events', 'pw');
    expect(await viewer.send('GET', '/clubs/groups/count')).toMatchObject({ status: 200, body: { count: 1 } });
    expect((await viewer.send('GET', '/clubs/groups/count?search=secret')).status).toBe(403);
    const nobody = await userOf(server, 'clubs', 'nobody', 'pw');
    expect((await nobody.send('GET', '/clubs/groups/count')).status).toBe(403);
  });
});
