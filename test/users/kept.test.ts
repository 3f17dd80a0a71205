// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { sumUpCounts } from '../../src/database/kept-counts.js';
import { Prisma } from '../../src/database/prisma.js';
import { renewTrigrams, trigramQuery } from '../../src/database/trigram-index.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

// What the database keeps beside the users, so that searches, counts and lists of members need not read all of them.
const realm = 'kept';
interface Members {
  realm: { group: { members: { edges: { node: { username: string } }[]; pageInfo: { endCursor: string } } } };
}
let server: TestServer;
let admin: Caller;

const rest = (method: string, path: string, body?: unknown) => admin.send(method, `/${realm}${path}`, body);
const found = async (query: string): Promise<string[]> =>
  (await rest('GET', `/users?max=1000&${query}`)).body.map(({ username }: { username: string }) => username);
const counted = async (): Promise<number> => (await rest('GET', '/users/count')).body;
const idOf = async (username: string): Promise<string> =>
  (await rest('GET', `/users?username=${username}&exact=true`)).body[0].id;
const name = (at: number) => `person-${String(at).padStart(4, '0')}`;
/** Does at once what the server does every second. */
const catchUp = () =>
  server.database.dialect === 'sqlite' ? renewTrigrams(server.database) : sumUpCounts(server.database);

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  const users = Array.from({ length: 600 }, (_, at) => ({
    username: name(at),
    email: `${name(at)}@mail.example`,
    firstName: at % 2 === 0 ? 'Even' : 'Odd',
    groups: at % 3 === 0 ? ['/thirds'] : [],
    realmRoles: at % 100 === 0 ? ['rare'] : [],
  }));
  const roles = { realm: [{ name: 'rare' }] };
  expect((await admin.send('POST', '/', { realm, groups: [{ name: 'thirds' }], roles, users })).status).toBe(201);
});

describe('searching', () => {
  it('finds the same whether the names are in the index yet or not, few or many', async () => {
    const all = Array.from({ length: 600 }, (_, at) => name(at));
    for (const step of ['before', 'after']) {
      expect(await found('search=N-0123@'), step).toEqual([name(123)]);
      expect(await found('search=even'), step).toEqual(all.filter((_, at) => at % 2 === 0));
      expect(await found('search=even%2012'), step).toEqual(
        all.filter((one, at) => at % 2 === 0 && one.includes('12')),
      );
      expect(await found('username=son-001'), step).toEqual(all.slice(10, 20));
      expect(await found('search=nobody-here'), step).toEqual([]);
      expect(await found('search=p_rson-0007'), step).toEqual([name(7)]);
      expect((await rest('GET', '/users/count?search=son-01')).body, step).toBe(100);
      await catchUp();
    }
  });

  it('follows new names, changed ones and users who are gone', async () => {
    expect((await rest('POST', '/users', { username: 'zoe-the-newcomer' })).status).toBe(201);
    expect(await found('search=newcomer')).toEqual(['zoe-the-newcomer']);
    await catchUp();
    const id = await idOf('zoe-the-newcomer');
    expect((await rest('PUT', `/users/${id}`, { lastName: 'Veteran "of" many years' })).status).toBe(204);
    expect(await found('search=veteran')).toEqual(['zoe-the-newcomer']);
    await catchUp();
    expect(await found('lastName=Veteran%20%22of%22')).toEqual(['zoe-the-newcomer']);
    expect((await rest('DELETE', `/users/${id}`)).status).toBe(204);
    expect(await found('search=veteran')).toEqual([]);
    await catchUp();
    expect(await found('search=veteran')).toEqual([]);
  });

  it('asks the index for what is between wild cards, where that is three characters or more', () => {
    expect(trigramQuery('%abc%')).toBe('"abc"');
    expect(trigramQuery('ab%cd_ef')).toBeUndefined();
    expect(trigramQuery('wor"d%x_other\\_one')).toBe('"wor""d" AND "other_one"');
    expect(trigramQuery('back\\\\%slash')).toBe('"back\\" AND "slash"');
    expect(trigramQuery('%a\0b%')).toBeUndefined();
    expect(trigramQuery('%one\0other\\\0%')).toBe('"one" AND "other"');
  });
});

describe('the kept count', () => {
  it('is what counting gives, after creating, deleting, importing and with service accounts', async () => {
    const direct = async () => {
      const [row] = await server.database.read.query<{ users: number; all: number }>(Prisma.sql`
        SELECT count(*) - count("serviceAccountClientId") AS "users", count(*) AS "all" FROM "User"
         WHERE "realmId" = (SELECT "id" FROM "Realm" WHERE "name" = ${realm})`);
      return row;
    };
    const start = await counted();
    expect(start).toBe(600);
    expect((await rest('POST', '/clients', { clientId: 'robot', serviceAccountsEnabled: true })).status).toBe(201);
    expect(await counted()).toBe(600);
    for (const username of ['one', 'two']) await rest('POST', '/users', { username });
    expect((await rest('POST', '/users', { username: 'two' })).status).toBe(409);
    await rest('POST', '/partialImport', { users: [{ username: 'three' }, { username: 'four' }] });
    expect((await rest('DELETE', `/users/${await idOf('one')}`)).status).toBe(204);
    for (const step of ['before', 'after']) {
      expect(await counted(), step).toBe(603);
      expect(await direct(), step).toEqual({ users: 603, all: 604 });
      const { data } = await admin.graphql(`{ realm(name: "${realm}") {
        all: users { totalCount } people: users(filter: { isServiceAccount: false }) { totalCount } } }`);
      expect(data.realm, step).toEqual({ all: { totalCount: 604 }, people: { totalCount: 603 } });
      await catchUp();
    }
  });

  it('goes with the realm', async () => {
    const body = { id: 'short-lived', realm: 'short-lived', users: [{ username: 'a' }, { username: 'b' }] };
    expect((await admin.send('POST', '/', body)).status).toBe(201);
    expect((await admin.send('GET', '/short-lived/users/count')).body).toBe(2);
    expect((await admin.send('DELETE', '/short-lived')).status).toBe(204);
    const sum = Prisma.sql`SELECT coalesce(sum("users"), 0) AS "sum" FROM "UserCount" WHERE "realmId" = 'short-lived'`;
    await expect.poll(async () => (await server.database.read.query<{ sum: number }>(sum))[0]?.sum).toBe(0);
  });
});

describe('members of a group and users of a role', () => {
  const members = async (query: string): Promise<string[]> => {
    const [group] = (await rest('GET', '/groups?search=thirds')).body;
    const list = (await rest('GET', `/groups/${group.id}/members?${query}`)).body;
    return list.map(({ username }: { username: string }) => username);
  };

  it('come in the order of their names, page by page', async () => {
    const all = await members('max=1000');
    expect(all).toEqual(Array.from({ length: 200 }, (_, at) => name(at * 3)));
    expect(await members('first=50&max=10')).toEqual(all.slice(50, 60));
    expect(await members('first=195&max=10')).toEqual(all.slice(195));
  });

  it('stay in order when users are renamed', async () => {
    expect((await rest('PUT', '', { editUsernameAllowed: true })).status).toBe(204);
    expect((await rest('PUT', `/users/${await idOf(name(300))}`, { username: 'a-first-one' })).status).toBe(204);
    expect(await members('max=2')).toEqual(['a-first-one', name(0)]);
    const ofRole = (await rest('GET', '/roles/rare/users?max=2')).body;
    expect(ofRole.map(({ username }: { username: string }) => username)).toEqual(['a-first-one', name(0)]);
    const { data } = await admin.graphql<Members>(`{ realm(name: "${realm}") { group(path: "/thirds") {
      members(first: 2) { edges { node { username } } pageInfo { endCursor } } } } }`);
    const { edges, pageInfo } = data.realm.group.members;
    expect(edges.map(({ node }) => node.username)).toEqual(['a-first-one', name(0)]);
    const next = await admin.graphql<Members>(`{ realm(name: "${realm}") { group(path: "/thirds") {
      members(first: 1, after: "${pageInfo.endCursor}") { edges { node { username } } } } } }`);
    expect(next.data.realm.group.members.edges).toEqual([{ node: { username: name(3) } }]);
  });
});
