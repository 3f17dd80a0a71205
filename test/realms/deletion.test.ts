// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { preparedDatabaseUrl } from '../support/database.js';
import { administrator, type Caller, callerWith, login } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

// Two instances on one database. A realm with more than 500 users is removed in many transactions, a small one in one.
const many = 700;
const within = { timeout: 10_000, interval: 20 };

let databaseUrl: string;
let server: TestServer;
let one: Caller;
let other: Caller;

beforeAll(async () => {
  databaseUrl = await preparedDatabaseUrl();
  server = await startServer({ databaseUrl });
  one = await administrator(server);
  other = await administrator(await startServer({ databaseUrl }));
});

const users = (realm: string, count = many) =>
  Array.from({ length: count }, (_, at) => ({
    id: `${realm}-user-${at}`,
    username: `user-${at}`,
    enabled: true,
    attributes: { at: [String(at)] },
    realmRoles: ['member'],
    groups: ['/top/middle/bottom'],
    ...(at === 0 && { credentials: [{ type: 'password', value: 'pw' }], clientRoles: { app: ['use'] } }),
  }));

const file = (realm: string, count = many) => ({
  id: `id of ${realm}`,
  realm,
  enabled: true,
  adminEventsEnabled: true,
  roles: { realm: [{ name: 'member' }], client: { app: [{ name: 'use' }] } },
  groups: [{ name: 'top', subGroups: [{ name: 'middle', subGroups: [{ name: 'bottom' }] }] }],
  clients: [{ clientId: 'app', enabled: true, serviceAccountsEnabled: true, secret: 'hidden' }],
  users: users(realm, count),
});

async function create(realm: string, count = many): Promise<void> {
  const answer = await one.send('POST', '/', file(realm, count));
  expect(answer.status).toBe(201);
}

/** How many rows of the realm there are in the tables that have most. */
async function rowsOf(realmId: string): Promise<Record<string, number>> {
  const { read } = server.database;
  const where = { realmId };
  return {
    realm: await read.realm.count({ where: { id: realmId } }),
    users: (await read.user.findMany({ where, select: { id: true } })).length,
    attributes: await read.userAttribute.count({ where: { userId: { startsWith: realmId.replace('id of ', '') } } }),
    groups: await read.group.count({ where }),
    roles: await read.role.count({ where }),
    clients: await read.client.count({ where }),
    flows: await read.authenticationFlow.count({ where }),
  };
}

const nothing = { realm: 0, users: 0, attributes: 0, groups: 0, roles: 0, clients: 0, flows: 0 };

const deletions = async (name: string): Promise<number> =>
  server.database.read.adminEvent.count({ where: { operation: 'realm.delete', resourcePath: name } });

const namesOfRealms = async (caller: Caller): Promise<string[]> =>
  (await caller.send('GET', '/admin/realms')).body.map(({ realm }: { realm: string }) => realm);

/** Puts a large realm into the state in which a process leaves it that is killed after the first transaction. */
async function interrupted(realm: string): Promise<void> {
  await create(realm);
  await server.database.transaction(async (tx) => {
    const row = await tx.realm.findUniqueOrThrow({ where: { name: realm } });
    await tx.client.deleteMany({ where: { id: row.adminClientId ?? '' } });
    await tx.realm.updateMany({
      where: { id: row.id },
      data: { name: `deleted:${realm}`, enabled: false, adminClientId: null },
    });
  });
}

describe.each([
  ['a small realm', 3],
  ['a large realm', many],
])('%s that is deleted', (_, count) => {
  const realm = `gone-${count}`;

  it('is gone for everyone with all that it had, and leaves one audit record', async () => {
    await create(realm, count);
    const ann = callerWith(server, await login(server, realm, 'user-0', 'pw'));
    const { users: before, realm: there } = await rowsOf(`id of ${realm}`);
    expect([there, before]).toEqual([1, count + 1]);
    expect((await other.send('GET', `/${realm}`)).status).toBe(200);
    const answer = await one.send('DELETE', `/${realm}`);
    expect([answer.status, answer.body]).toEqual([204, '']);
    await expect.poll(() => rowsOf(`id of ${realm}`), within).toEqual(nothing);
    expect(await deletions(realm)).toBe(1);
    await expect.poll(async () => (await other.send('GET', `/${realm}`)).status, within).toBe(404);
    expect((await one.send('GET', `/${realm}/users`)).status).toBe(404);
    expect((await ann.send('GET', `/${realm}`)).status).toBe(401);
    expect(await namesOfRealms(one)).not.toContain(realm);
    expect((await one.send('DELETE', `/${realm}`)).status).toBe(404);
    expect((await one.send('GET', `/master/clients?clientId=${realm}-realm`)).body).toEqual([]);
  });

  it('can be imported again at once, with the same ids', async () => {
    await create(realm, count);
    expect((await one.send('DELETE', `/${realm}`)).status).toBe(204);
    await create(realm, count);
    expect((await one.send('GET', `/${realm}/users/count`)).body).toBe(count);
    expect((await one.send('DELETE', `/${realm}`)).status).toBe(204);
  });

  it('is there as before when that was only imagined', async () => {
    await create(realm, count);
    const before = await rowsOf(`id of ${realm}`);
    const recorded = await deletions(realm);
    expect((await one.send('DELETE', `/${realm}`, undefined, { prefer: 'dry-run' })).status).toBe(204);
    expect(await rowsOf(`id of ${realm}`)).toEqual(before);
    expect(await deletions(realm)).toBe(recorded);
    expect((await one.send('GET', `/${realm}/users/count`)).body).toBe(count);
  });

  it('gives its name away inside of one transaction', async () => {
    const { id } = (await one.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`)).data.realm;
    const { data, errors } = await one.graphql<Record<string, { userErrors: object[]; realm?: { name: string } }>>(
      `mutation ($id: ID!) @atomic {
         realmDelete(input: { id: $id }) { deletedId userErrors { code message } }
         realmCreate(input: { name: "${realm}", displayName: "New" }) { realm { name } userErrors { code message } }
       }`,
      { id },
    );
    expect(errors).toBeUndefined();
    expect(data.realmDelete?.userErrors).toEqual([]);
    expect(data.realmCreate).toEqual({ realm: { name: realm }, userErrors: [] });
    await expect.poll(() => rowsOf(`id of ${realm}`), within).toEqual(nothing);
    expect((await one.send('GET', `/${realm}`)).body.displayName).toBe('New');
    expect((await one.send('DELETE', `/${realm}`)).status).toBe(204);
  });
});

describe('a large realm', () => {
  it('is deleted once by many who try, through both instances', async () => {
    await create('raced');
    const answers = await Promise.all([one, other, one, other].map((caller) => caller.send('DELETE', '/raced')));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses[0]).toBe(204);
    // the roles that administer the realm go with it: who asks for them in between has none
    for (const status of statuses.slice(1)) expect([403, 404]).toContain(status);
    expect(await deletions('raced')).toBe(1);
    await expect.poll(() => rowsOf('id of raced'), within).toEqual(nothing);
  });

  it('lets others read and write while it is removed', async () => {
    await create('leaving');
    expect((await one.send('POST', '/', { realm: 'staying', enabled: true })).status).toBe(201);
    expect((await one.send('DELETE', '/leaving')).status).toBe(204);
    const statuses = new Set<number>();
    for (let at = 0; at < 3 || (await rowsOf('id of leaving')).realm === 1; at += 1) {
      statuses.add((await other.send('POST', '/staying/roles', { name: `role-${at}` })).status);
      statuses.add((await one.send('GET', '/staying/users')).status);
    }
    expect([...statuses].toSorted()).toEqual([200, 201]);
    expect(await rowsOf('id of leaving')).toEqual(nothing);
  });

  it('that nobody finished to remove is out of reach, and the next start goes on', async () => {
    await interrupted('halfway');
    expect(await namesOfRealms(one)).not.toContain('deleted:halfway');
    for (const name of ['halfway', 'deleted%3Ahalfway']) {
      expect((await other.send('GET', `/${name}/users`)).status).toBe(404);
      expect((await other.send('DELETE', `/${name}`)).status).toBe(404);
    }
    const node = Buffer.from('Realm:id of halfway').toString('base64');
    const { data } = await one.graphql<{ node: unknown }>('query ($id: ID!) { node(id: $id) { id } }', { id: node });
    expect(data.node).toBeNull();
    await create('other');
    await server.close();
    server = await startServer({ databaseUrl });
    one = await administrator(server);
    await expect.poll(() => rowsOf('id of halfway'), within).toEqual(nothing);
    expect((await one.send('GET', '/other/users/count')).body).toBe(many);
  });

  it('cannot be mistaken for one of that name', async () => {
    const answer = await one.send('PUT', '/other', { realm: 'deleted:other' });
    expect(answer.status).toBe(400);
    expect((await one.send('GET', '/other')).status).toBe(200);
    expect((await one.send('POST', '/', { realm: 'deleted:other' })).status).toBe(400);
  });
});
