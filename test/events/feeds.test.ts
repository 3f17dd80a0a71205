// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';

// One list over several realms. All events are written with chosen times, several of each millisecond in several realms.
const names = Array.from({ length: 12 }, (_, at) => `feed-${String(at).padStart(2, '0')}`);
const perRealm = 30;
const start = Date.UTC(2030, 0, 1);

let server: TestServer;
let admin: Caller;
const ids = new Map<string, string>();

const globalId = (realm: string) => Buffer.from(`Realm:${ids.get(realm)}`).toString('base64');
const rolesOf: Readonly<Record<string, string[]>> = {
  viewer: ['view-events'],
  whole: ['realm-admin'],
  helper: ['view-users', 'view-realm'],
};

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  for (const realm of names) {
    const users = Object.entries(rolesOf).map(([username, roles]) => ({
      username,
      enabled: true,
      credentials: [{ type: 'password', value: 'right' }],
      clientRoles: { 'realm-management': roles },
    }));
    expect((await admin.send('POST', '/', { realm, enabled: true, users })).status).toBe(201);
    ids.set(realm, (await admin.send('GET', `/${realm}`)).body.id);
  }
  const users = await server.database.read.user.findMany({
    where: { username: 'viewer', realmId: { in: [...ids.values()] } },
    select: { id: true, realmId: true },
  });
  const rows = users.flatMap(({ id, realmId }) =>
    Array.from({ length: perRealm }, (_, at) => ({
      user: id,
      row: { id: `${realmId}-${at}`, realmId, time: BigInt(start + Math.floor(at / 3)) },
    })),
  );
  const client = 'admin-cli';
  const logins = rows.map(({ row, user }) => ({ ...row, type: 'LOGIN', userId: user, clientId: client }));
  const audits = rows.map(({ row, user }) => ({
    ...row,
    operation: 'user.update',
    operationType: 'UPDATE',
    resourceType: 'USER',
    resourcePath: `users/${user}`,
    resourceId: user,
    authRealmId: row.realmId,
    authUserId: user,
    authClientId: client,
  }));
  await server.database.transaction((tx) => tx.loginEvent.createMany({ data: logins }));
  await server.database.transaction((tx) => tx.adminEvent.createMany({ data: audits }));
});

interface Page {
  totalCount: number;
  edges: { cursor: string; node: { id: string; time: string; realm: { name: string } | null } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean };
}

const since = 'filter: { time: { atOrAfter: "2030-01-01T00:00:00Z" } }';

async function page(caller: Caller, field: string, args = ''): Promise<Page> {
  const { data, errors } = await caller.graphql<Record<string, Page>>(
    `{ ${field}(${since} ${args}) { totalCount pageInfo { hasNextPage hasPreviousPage }
      edges { cursor node { id time realm { name } } } } }`,
  );
  expect(errors).toBeUndefined();
  return data[field] as Page;
}

const realmsIn = ({ edges }: Page) => [...new Set(edges.map(({ node }) => node.realm?.name))].toSorted();

/** A user of the master realm with roles for some of the realms. */
async function masterUser(username: string, realms: readonly string[], right: string): Promise<Caller> {
  const made = await admin.send('POST', '/master/users', {
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'right' }],
  });
  const [user] = (await admin.send('GET', `/master/users?username=${username}`)).body;
  expect(made.status).toBe(201);
  for (const realm of realms) {
    const [client] = (await admin.send('GET', `/master/clients?clientId=${realm}-realm`)).body;
    const role = (await admin.send('GET', `/master/clients/${client.id}/roles/${right}`)).body;
    await admin.send('POST', `/master/users/${user.id}/role-mappings/clients/${client.id}`, [role]);
  }
  return userOf(server, 'master', username, 'right');
}

describe.each(['adminEvents', 'loginEvents'])('the feed of %s', (field) => {
  const all = names.length * perRealm;

  it('has the events of every realm, newest first, each once over all pages, in both directions', async () => {
    const whole = (await page(admin, field, 'first: 500')).edges.map(({ node }) => node.id);
    expect(new Set(whole).size).toBe(all);
    const walk = async (size: string, cursorName: string, ordered: string) => {
      const seen: string[] = [];
      for (let after = ''; ; ) {
        const { edges, pageInfo } = await page(admin, field, `${size} ${after} ${ordered}`);
        const found = edges.map(({ node }) => node.id);
        seen.push(...(cursorName === 'after' ? found : found.toReversed()));
        if (!(cursorName === 'after' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) return seen;
        after = `${cursorName}: "${edges.at(cursorName === 'after' ? -1 : 0)?.cursor}"`;
      }
    };
    expect(await walk('first: 47', 'after', '')).toEqual(whole);
    expect(await walk('last: 47', 'before', '')).toEqual(whole.toReversed());
    expect(await walk('first: 100', 'after', 'orderBy: { field: TIME }')).toEqual(whole.toReversed());
    const times = (await page(admin, field, 'first: 500')).edges.map(({ node }) => node.time);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('has only realms that are asked for', async () => {
    const two = names.slice(3, 5);
    const some = await page(admin, field, `first: 500, realms: [${two.map((name) => `"${globalId(name)}"`).join()}]`);
    expect([some.totalCount, realmsIn(some)]).toEqual([2 * perRealm, two]);
    const one = await page(admin, field, `first: 500, realms: ["${globalId('feed-01')}"]`);
    expect([one.totalCount, realmsIn(one)]).toEqual([perRealm, ['feed-01']]);
    expect((await page(admin, field, 'realms: []')).totalCount).toBe(0);
  });

  it('has exactly the realms in which the caller may view events', async () => {
    const viewer = await userOf(server, 'feed-02', 'viewer', 'right');
    const own = await page(viewer, field, 'first: 500');
    expect([own.totalCount, realmsIn(own)]).toEqual([perRealm, ['feed-02']]);
    const helper = await userOf(server, 'feed-02', 'helper', 'right');
    expect(await page(helper, field)).toMatchObject({ totalCount: 0, edges: [] });
    const hidden = await page(viewer, field, `realms: ["${globalId('feed-03')}"]`);
    const missing = await page(viewer, field, `realms: ["${Buffer.from('Realm:none').toString('base64')}"]`);
    expect([hidden.totalCount, hidden]).toEqual([0, missing]);
    const few = names.slice(6, 9);
    const some = await page(await masterUser(`auditor-${field}`, few, 'view-events'), field, 'first: 500');
    expect([some.totalCount, realmsIn(some)]).toEqual([few.length * perRealm, few]);
    const none = await page(await masterUser(`keeper-${field}`, few, 'view-users'), field);
    expect(none).toMatchObject({ totalCount: 0, edges: [] });
  });

  it('refuses what is no ID, no cursor, or null', async () => {
    const refused = async (args: string) => {
      const { data, errors } = await admin.graphql(`{ ${field}(${args}) { totalCount } }`);
      expect(data).toEqual({ [field]: null });
      return errors?.[0]?.extensions;
    };
    expect(await refused('realms: ["x"]')).toMatchObject({ code: 'BAD_ID', field: 'realms.0' });
    expect(await refused('realms: null')).toMatchObject({ code: 'INVALID', field: 'realms' });
    expect(await refused('after: "x"')).toMatchObject({ code: 'BAD_CURSOR', field: 'after' });
    expect(await refused('first: 501')).toMatchObject({ code: 'LIMIT', field: 'first' });
    expect(await refused('filter: { time: null }')).toMatchObject({ code: 'INVALID', field: 'filter.time' });
  });

  it('takes as many statements for events of one realm as for those of all', async () => {
    const selection =
      field === 'adminEvents'
        ? 'actor { username } client { name } actorRealm { name } resource { ... on User { username } }'
        : 'user { username } client { name }';
    const statements = async (args: string) => {
      for (const name of ['master', ...names]) expect((await admin.send('PUT', `/${name}`, {})).status).toBe(204);
      const { errors, extensions } = await admin.graphql(
        `{ ${field}(first: 500, ${since}, ${args}) { totalCount edges { node { id realm { name } ${selection} } } } }`,
      );
      expect(errors).toBeUndefined();
      return extensions?.cost?.statements ?? 0;
    };
    const of = (some: readonly string[]) => `realms: [${some.map((name) => `"${globalId(name)}"`).join()}]`;
    const whole = await statements(of(names));
    // what is looked for at the same time is found together, which chance has a part in
    expect(whole).toBeLessThanOrEqual((await statements(of(names.slice(0, 2)))) + 2);
    expect(whole).toBeLessThan(20);
  });
});
