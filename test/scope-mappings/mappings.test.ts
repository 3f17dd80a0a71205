import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm, userOf } from '../support/fixture.js';
import { slowClock, type TestServer } from '../support/server.js';
import { measureStatements } from '../support/statements.js';

// The roles in the scope of a client and of a client scope, on both surfaces, against the same sets by hand.
const realm = 'in-scope';
let server: TestServer;
let admin: Caller;
let viewer: Caller;
const ids = {} as Record<string, string>;

const rest = (method: string, path: string, body?: unknown, caller = admin) =>
  caller.send(method, `/${realm}${path}`, body);
const role = (name: string) => ({ id: ids[name], name });
const node = (type: string, name: string) => btoa(`${type}:${ids[name]}`);
const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name).sort();
const idIn = ({ headers }: { headers: Headers }) => headers.get('location')?.split('/').at(-1) ?? '';

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      adminEventsEnabled: true,
      adminEventsDetailsEnabled: true,
      clients: [
        { clientId: 'web', fullScopeAllowed: false, publicClient: true, directAccessGrantsEnabled: true },
        { clientId: 'store' },
      ],
      roles: {
        realm: [
          { name: 'reader' },
          { name: 'writer' },
          { name: 'chief', composite: true, composites: { realm: ['reader'], client: { store: ['sell'] } } },
          { name: 'loop-a', composite: true, composites: { realm: ['loop-b'] } },
          { name: 'loop-b', composite: true, composites: { realm: ['loop-a'] } },
        ],
        client: { store: [{ name: 'sell' }, { name: 'buy' }], web: [{ name: 'own' }] },
      },
      users: [
        {
          username: 'viewer',
          enabled: true,
          credentials: [{ type: 'password', value: 'pw' }],
          realmRoles: ['chief', 'writer'],
          clientRoles: { 'realm-management': ['view-clients'], store: ['sell', 'buy'], web: ['own'] },
        },
      ],
    },
    {},
    slowClock,
  ));
  for (const { id, clientId } of (await rest('GET', '/clients')).body) ids[clientId] = id;
  for (const { id, name } of (await rest('GET', '/roles')).body) ids[name] = id;
  for (const client of ['store', 'web']) {
    for (const { id, name } of (await rest('GET', `/clients/${ids[client]}/roles`)).body) ids[name] = id;
  }
  ids.scope = idIn(await rest('POST', '/client-scopes', { name: 'scope', protocol: 'openid-connect' }));
  viewer = await userOf(server, realm, 'viewer', 'pw');
});

interface Roles {
  totalCount: number;
  edges: { node: { name: string } }[];
}
type Owner = Record<'scopeRoles' | 'effectiveScopeRoles' | 'availableScopeRoles', Roles>;

/** The lists of an owner as GraphQL has them, and as the contract has them by realm and client. */
async function listsOf(owner: 'web' | 'scope', caller = admin) {
  const type = owner === 'web' ? 'Client' : 'ClientScope';
  const page = '(first: 100) { totalCount edges { node { name } } }';
  const { data, errors } = await caller.graphql<{ node: Owner }>(
    `{ node(id: "${node(type, owner)}") { ... on ${type} {
      scopeRoles${page} effectiveScopeRoles${page} availableScopeRoles${page} } } }`,
  );
  expect(errors).toBeUndefined();
  const path = `/${owner === 'web' ? 'clients' : 'client-scopes'}/${ids[owner]}/scope-mappings`;
  const parts = ['/realm', ...['store', 'web'].map((client) => `/clients/${ids[client]}`)];
  const listed = async (end: string) => {
    const found = await Promise.all(parts.map((part) => rest('GET', `${path}${part}${end}`, undefined, caller)));
    return namesOf(found.flatMap(({ body }) => body));
  };
  const known = new Set(['reader', 'writer', 'chief', 'loop-a', 'loop-b', 'sell', 'buy', 'own']);
  const own = (names: string[]) => names.filter((name) => known.has(name));
  const lists = {
    direct: own(await listed('')),
    effective: own(await listed('/composite')),
    available: own(await listed('/available')),
  };
  const inGraph = ({ totalCount, edges }: Roles) => {
    expect(edges).toHaveLength(totalCount);
    return own(namesOf(edges.map((edge) => edge.node)));
  };
  expect({
    direct: inGraph(data.node.scopeRoles),
    effective: inGraph(data.node.effectiveScopeRoles),
    available: inGraph(data.node.availableScopeRoles),
  }).toEqual(lists);
  return lists;
}

const change = async (name: string, input: object, by = admin) => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const { data, errors } = await by.graphql<
    Record<
      string,
      { userErrors: { code: string; path: string[] | null }[]; client: object | null; clientScope: object | null }
    >
  >(
    `mutation ($input: ${type}!) { ${name}(input: $input) { client { clientId } clientScope { name } userErrors { code path } } }`,
    { input },
  );
  expect(errors).toBeUndefined();
  return data[name];
};
const all = ['buy', 'chief', 'loop-a', 'loop-b', 'own', 'reader', 'sell', 'writer'];
const without = (...names: string[]) => all.filter((name) => !names.includes(name));

describe('the scope of a client', () => {
  it('has its own roles, those that were put there and what these consist of', async () => {
    expect(await listsOf('web')).toEqual({ direct: [], effective: ['own'], available: without('own') });
    const added = await change('scopeMappingAdd', {
      owner: node('Client', 'web'),
      roles: [node('Role', 'chief'), node('Role', 'loop-a')],
    });
    expect(added).toEqual({ client: { clientId: 'web' }, clientScope: null, userErrors: [] });
    const effective = ['chief', 'loop-a', 'loop-b', 'own', 'reader', 'sell'];
    expect(await listsOf('web')).toEqual({ direct: ['chief', 'loop-a'], effective, available: without(...effective) });
  });

  it('is everything with full scope', async () => {
    await rest('PUT', `/clients/${ids.web}`, { fullScopeAllowed: true });
    expect(await listsOf('web')).toEqual({ direct: ['chief', 'loop-a'], effective: all, available: [] });
    await rest('PUT', `/clients/${ids.web}`, { fullScopeAllowed: false });
  });

  it('limits the roles in its tokens', async () => {
    const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', client_id: 'web', username: 'viewer', password: 'pw' }),
    });
    const { access_token } = (await response.json()) as { access_token: string };
    const claims = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims.realm_access.roles.sort()).toEqual(['chief', 'reader']);
    expect(claims.resource_access).toEqual({ store: { roles: ['sell'] }, web: { roles: ['own'] } });
  });
});

describe('the scope of a client scope', () => {
  it('has the roles that were put there and what these consist of', async () => {
    const path = `/client-scopes/${ids.scope}/scope-mappings`;
    expect((await rest('POST', `${path}/realm`, [role('chief')])).status).toBe(204);
    expect((await rest('POST', `${path}/clients/${ids.store}`, [{ name: 'buy' }])).status).toBe(204);
    const effective = ['buy', 'chief', 'reader', 'sell'];
    expect(await listsOf('scope')).toEqual({ direct: ['buy', 'chief'], effective, available: without(...effective) });
    const resourcePath = `${path.slice(1)}/clients/${ids.store}`;
    const event = await server.database.read.adminEvent.findFirst({ where: { resourcePath } });
    expect(event).toMatchObject({ operationType: 'CREATE', resourceType: 'CLIENT_SCOPE_MAPPING' });
    expect(JSON.parse(event?.representation ?? '')).toMatchObject([role('buy')]);
    expect((await rest('DELETE', `${path}/clients/${ids.store}`, [role('buy'), { name: 'none' }])).status).toBe(404);
    expect(await rest('GET', `${path}/clients/${ids.store}`)).toMatchObject({ body: [role('buy')] });
    const removed = await change('scopeMappingRemove', {
      owner: node('ClientScope', 'scope'),
      roles: [node('Role', 'buy'), node('Role', 'chief')],
    });
    expect(removed).toEqual({ client: null, clientScope: { name: 'scope' }, userErrors: [] });
    expect(await listsOf('scope')).toEqual({ direct: [], effective: [], available: all });
  });
});

describe('whoever may only look', () => {
  it('has nothing to add, and may not', async () => {
    expect((await listsOf('web', viewer)).available).toEqual([]);
    const path = `/clients/${ids.web}/scope-mappings/realm`;
    expect((await rest('POST', path, [role('writer')], viewer)).status).toBe(403);
    expect((await rest('DELETE', path, [role('chief')], viewer)).status).toBe(403);
    const input = { owner: node('Client', 'web'), roles: [node('Role', 'writer')] };
    expect((await change('scopeMappingAdd', input, viewer))?.userErrors).toEqual([{ code: 'FORBIDDEN', path: null }]);
  });
});

describe('a role of another realm', () => {
  it('is not there', async () => {
    const { id } = (await admin.send('GET', '/master/roles/admin')).body;
    expect((await rest('POST', `/clients/${ids.web}/scope-mappings/realm`, [{ id }])).status).toBe(404);
    const input = { owner: node('Client', 'web'), roles: [btoa(`Role:${id}`)] };
    expect((await change('scopeMappingAdd', input))?.userErrors).toEqual([{ code: 'NOT_FOUND', path: ['roles', '0'] }]);
  });
});

describe('statements', () => {
  it('are as many for many roles as for few', async () => {
    const made = Array.from({ length: 40 }, (_, at) => `many-${at}`);
    for (const name of made) {
      await rest('POST', '/roles', { name });
      ids[name] = (await rest('GET', `/roles/${name}`)).body.id;
    }
    for (const owner of [`/clients/${ids.web}`, `/client-scopes/${ids.scope}`]) {
      const path = `${owner}/scope-mappings`;
      const counted = async (roles: object[]) => {
        await rest('GET', path);
        const counts = [];
        const steps: [string, string, unknown?][] = [
          ['POST', `${path}/realm`, roles],
          ['GET', path],
          ['GET', `${path}/realm`],
          ['GET', `${path}/realm/composite?briefRepresentation=false`],
          ['GET', `${path}/realm/available`],
          ['DELETE', `${path}/realm`, roles],
        ];
        for (const [method, address, body] of steps) {
          const { result, statements } = await measureStatements(server, () => rest(method, address, body));
          expect(result.status).toBeLessThan(300);
          counts.push(statements);
        }
        return counts;
      };
      const two = await counted(made.slice(0, 2).map(role));
      expect(await counted(made.map(role))).toEqual(two);
    }
  });
});
