// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { measureStatements } from '../support/statements.js';

// Groups, roles and clients that are written many at a time.
const realm = 'bulk';
let server: TestServer;
let admin: Caller;
let realmId: string;

const node = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64');
const send = async (method: string, path: string, body?: object) => {
  const answer = await admin.send(method, `/${realm}${path}`, body);
  expect([method, path, answer.status < 300]).toEqual([method, path, true]);
  return answer.body;
};

interface Payload {
  deletedIds?: string[] | null;
  userErrors: { code: string; path: string[] | null }[];
  adminEvents: { operationType: string; resourceType: string; resourcePath: string }[];
}

async function mutate(name: string, input: object, directive = ''): Promise<Payload> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const { data, errors } = await admin.graphql<Record<string, Payload>>(
    `mutation ($input: ${type}!) ${directive} { ${name}(input: $input) {
      deletedIds userErrors { code path } adminEvents { operationType resourceType resourcePath } } }`,
    { input: { realm: realmId, ...input } },
  );
  expect(errors).toBeUndefined();
  return data[name] as Payload;
}

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const made = await admin.send('POST', '/', { realm, enabled: true, adminEventsEnabled: true });
  expect(made.status).toBe(201);
  realmId = node('Realm', (await send('GET', '')).id);
});

interface Kind {
  type: string;
  model: 'group' | 'role' | 'client';
  /** a body with this name */
  body: (name: string) => object;
  path: string;
  resourceType: string;
  pathOf: (id: string) => string;
  /** an object that nobody may delete, and the code for it */
  kept?: [() => Promise<string>, string];
}

const kinds: Record<string, Kind> = {
  groups: {
    type: 'Group',
    model: 'group',
    body: (name) => ({ name }),
    path: '/groups',
    resourceType: 'GROUP',
    pathOf: (id) => `groups/${id}`,
  },
  roles: {
    type: 'Role',
    model: 'role',
    body: (name) => ({ name }),
    path: '/roles',
    resourceType: 'REALM_ROLE',
    pathOf: (id) => `roles-by-id/${id}`,
    kept: [async () => (await send('GET', `/roles/default-roles-${realm}`)).id, 'DEFAULT_ROLE'],
  },
  clients: {
    type: 'Client',
    model: 'client',
    body: (clientId) => ({ clientId, serviceAccountsEnabled: true }),
    path: '/clients',
    resourceType: 'CLIENT',
    pathOf: (id) => `clients/${id}`,
  },
};

describe.each(Object.entries(kinds))('%s', (list, { type, model, body, path, resourceType, pathOf, kept }) => {
  let made = 0;
  const make = async (count: number): Promise<string[]> => {
    const names = Array.from({ length: count }, () => `made${++made}`);
    for (const name of names) await send('POST', path, body(name));
    const where = model === 'client' ? { clientId: { in: names } } : { name: { in: names } };
    const delegate = server.database.read[model] as { findMany(args: object): Promise<{ id: string }[]> };
    const rows = await delegate.findMany({ where, select: { id: true } });
    expect(rows).toHaveLength(count);
    return rows.map(({ id }) => id);
  };
  const left = (ids: string[]) =>
    (server.database.read[model] as { count(args: object): Promise<number> }).count({ where: { id: { in: ids } } });
  const name = `${list}Delete`;
  const nodes = (ids: string[]) => ids.map((id) => node(type, id));

  it('are deleted, each with its audit record', async () => {
    const ids = await make(3);
    const dry = await mutate(name, { ids: nodes(ids) }, '@dryRun');
    expect(await left(ids)).toBe(3);
    const done = await mutate(name, { ids: nodes(ids) });
    expect(await left(ids)).toBe(0);
    expect(done).toEqual({
      deletedIds: nodes(ids),
      userErrors: [],
      adminEvents: ids.map((id) => ({ operationType: 'DELETE', resourceType, resourcePath: pathOf(id) })),
    });
    expect(dry).toEqual(done);
  });

  it('are all kept if one is refused, or the others are deleted', async () => {
    const ids = await make(2);
    const protectedId = kept ? [await kept[0]()] : [];
    const asked = nodes([...ids, 'unknown', ids[0] as string, ...protectedId]);
    const faults = [
      { code: 'NOT_FOUND', path: ['ids', '2'] },
      { code: 'REPEATED', path: ['ids', '3'] },
      ...(kept ? [{ code: kept[1], path: ['ids', '4'] }] : []),
    ];
    expect(await mutate(name, { ids: asked })).toEqual({ deletedIds: null, userErrors: faults, adminEvents: [] });
    expect(await left(ids)).toBe(2);
    const rest = await mutate(name, { ids: asked, onError: 'CONTINUE' });
    expect(rest).toMatchObject({ deletedIds: nodes(ids), userErrors: faults });
    expect(rest.adminEvents).toHaveLength(2);
    expect([await left(ids), await left(protectedId)]).toEqual([0, protectedId.length]);
  });

  it('take the same statements for 2 and for 50', async () => {
    const statements = async (count: number) => {
      const ids = nodes(await make(count));
      const { result, statements: taken } = await measureStatements(server, () => mutate(name, { ids }));
      expect(result.deletedIds).toHaveLength(count);
      return taken;
    };
    await statements(1);
    const few = await statements(2);
    expect(await statements(50)).toBe(few);
  });

  it('are at most 1000', async () => {
    const many = await mutate(name, { ids: Array(1001).fill(node(type, 'unknown')) });
    expect(many.userErrors).toEqual([{ code: 'INVALID', path: ['ids'] }]);
  });
});

describe('what goes with many', () => {
  it('is all below deleted groups, one of which may be below another', async () => {
    await send('POST', '/groups', { name: 'top' });
    const [top] = await send('GET', '/groups?search=top');
    const child = await send('POST', `/groups/${top.id}/children`, { name: 'child' });
    const leaf = await send('POST', `/groups/${child.id}/children`, { name: 'leaf' });
    const done = await mutate('groupsDelete', { ids: [node('Group', top.id), node('Group', child.id)] });
    expect(done.userErrors).toEqual([]);
    expect(await server.database.read.group.count({ where: { id: { in: [top.id, child.id, leaf.id] } } })).toBe(0);
  });

  it('are policies that name nothing else, and permissions about them', async () => {
    await send('POST', '/clients', {
      clientId: 'api',
      serviceAccountsEnabled: true,
      authorizationServicesEnabled: true,
    });
    const [api] = await send('GET', '/clients?clientId=api');
    for (const name of ['one', 'two', 'three']) await send('POST', '/roles', { name });
    const [one, two, three] = await Promise.all(['one', 'two', 'three'].map((name) => send('GET', `/roles/${name}`)));
    const policies = `/clients/${api.id}/authz/resource-server/policy`;
    const policy = (name: string, roles: { id: string }[]) =>
      send('POST', `${policies}/role`, { name, logic: 'POSITIVE', roles: roles.map(({ id }) => ({ id })) });
    await policy('both', [one, two]);
    await policy('more', [one, three]);
    await send('PUT', `/roles-by-id/${one.id}/management/permissions`, { enabled: true });
    const done = await mutate('rolesDelete', { ids: [node('Role', one.id), node('Role', two.id)] });
    expect(done.userErrors).toEqual([]);
    const found: { name: string }[] = await send('GET', `${policies}?permission=false`);
    const names = found.map(({ name }) => name);
    expect([names.includes('both'), names.includes('more')]).toEqual([false, true]);
    const where = { name: `role.resource.${one.id}` };
    expect(await server.database.read.authorizationResource.count({ where })).toBe(0);
  });
});
