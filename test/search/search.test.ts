// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, callerWith, login } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';

interface Hit {
  type: string;
  match: string;
  matchedField: string;
  matchedValue: string;
  realm: { name: string };
  node: { __typename: string };
}

let server: TestServer;
let admin: Caller;

const document = `query ($query: String!, $types: [SearchType!], $realms: [ID!], $first: Int) {
  search(query: $query, types: $types, realms: $realms, first: $first) {
    type match matchedField matchedValue realm { name } node { __typename id } } }`;

const ask = (caller: Caller, query: string, more: object = {}) =>
  caller.graphql<{ search: Hit[] }>(document, { query, first: 50, ...more });

async function found(caller: Caller, query: string, more: object = {}): Promise<string[]> {
  const { data, errors } = await ask(caller, query, more);
  expect(errors).toBeUndefined();
  return data.search.map(
    ({ type, realm, match, matchedField, matchedValue }) =>
      `${realm.name} ${type} ${match} ${matchedField}=${matchedValue}`,
  );
}

const realmNamed = (realm: string, more: object = {}) => ({ realm, enabled: true, ...more });

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  await admin.send(
    'POST',
    '/',
    realmNamed('north', {
      displayName: 'Orchid of the North',
      users: [
        { username: 'orchid', email: 'garden@x.org' },
        { username: 'orchids.fan' },
        { username: 'rose', email: 'my-orchid@x.org', firstName: 'Ro', lastName: 'Se' },
        { username: 'tulip', firstName: 'Wild', lastName: 'Worchid' },
      ],
      groups: [{ name: 'Plants', subGroups: [{ name: 'Orchid' }] }],
      roles: {
        realm: [{ name: 'keeper', description: 'Keeps every orchid' }],
        client: { 'orchid-shop': [{ name: 'ORCHID-seller' }] },
      },
      clients: [{ clientId: 'orchid-shop', name: 'The shop' }],
      clientScopes: [{ name: 'Orchids', protocol: 'openid-connect' }],
      identityProviders: [{ alias: 'partner', displayName: 'Wild Orchids', providerId: 'oidc' }],
    }),
  );
  await admin.send('POST', '/', realmNamed('orchid', { users: [{ username: 'iris', firstName: 'Orchid' }] }));
});

describe('a search', () => {
  it('finds objects of all types in all realms, best matches first', async () => {
    expect(await found(admin, ' Orchid ')).toEqual([
      'north GROUP EXACT name=Orchid',
      'orchid USER EXACT firstName=Orchid',
      'north USER EXACT username=orchid',
      'orchid REALM EXACT name=orchid',
      'north ROLE PREFIX name=ORCHID-seller',
      'north CLIENT_SCOPE PREFIX name=Orchids',
      'north REALM PREFIX displayName=Orchid of the North',
      'master CLIENT PREFIX clientId=orchid-realm',
      'north CLIENT PREFIX clientId=orchid-shop',
      'north USER PREFIX username=orchids.fan',
      'orchid ROLE WORD name=default-roles-orchid',
      'north ROLE WORD description=Keeps every orchid',
      'north IDENTITY_PROVIDER WORD displayName=Wild Orchids',
      'north USER WORD email=my-orchid@x.org',
      'north USER CONTAINED lastName=Worchid',
    ]);
  });

  it('finds users by words in several fields', async () => {
    expect(await found(admin, 'worchid wild')).toEqual(['north USER CONTAINED lastName=Worchid']);
    expect(await found(admin, 'worchid tame')).toEqual([]);
  });

  it('finds the best matches, however many others there are', async () => {
    const users = Array.from({ length: 30 }, (_, at) => ({ username: `a${at}-xmarigold` }));
    await admin.send('POST', '/', realmNamed('many', { users: [...users, { username: 'z marigold' }] }));
    expect(await found(admin, 'marigold', { first: 1 })).toEqual(['many USER WORD username=z marigold']);
    expect(await found(admin, 'marigold', { first: 3 })).toHaveLength(3);
    expect(await found(admin, 'marigold', { first: 0 })).toEqual([]);
  });

  it('finds only what is asked for', async () => {
    const { data } = await admin.graphql<{ realm: { id: string } }>('{ realm(name: "orchid") { id } }');
    const { id } = data.realm;
    const nothing = btoa('Realm:nothing');
    expect(await found(admin, 'orchid', { realms: [id, nothing] })).toEqual([
      'orchid USER EXACT firstName=Orchid',
      'orchid REALM EXACT name=orchid',
      'orchid ROLE WORD name=default-roles-orchid',
    ]);
    expect(await found(admin, 'orchid', { realms: [] })).toEqual([]);
    expect(await found(admin, 'orchid', { types: [] })).toEqual([]);
    expect(await found(admin, 'orchid', { types: ['GROUP', 'IDENTITY_PROVIDER'] })).toEqual([
      'north GROUP EXACT name=Orchid',
      'north IDENTITY_PROVIDER WORD displayName=Wild Orchids',
    ]);
  });

  it.each(['', '  ', '%', '_rchid', '\\', "'", '"', '\n'])('takes the text %j as it is', async (text) => {
    expect(await found(admin, text)).toEqual([]);
  });

  it('refuses what is too long, or no ID', async () => {
    const refused = async (query: string, more: object) => {
      const { data, errors = [] } = await ask(admin, query, more);
      expect(data).toEqual({ search: null });
      return errors.map(({ extensions }) => extensions);
    };
    expect(await refused('a'.repeat(101), {})).toMatchObject([{ code: 'INVALID', field: 'query' }]);
    expect(await refused('a', { first: 51 })).toMatchObject([{ code: 'LIMIT', field: 'first' }]);
    expect(await refused('a', { first: -1 })).toMatchObject([{ code: 'LIMIT', field: 'first' }]);
    expect(await refused('a', { realms: Array(101).fill(btoa('Realm:a')) })).toMatchObject([
      { code: 'LIMIT', field: 'realms' },
    ]);
    expect(await refused('a', { realms: [btoa('User:a')] })).toMatchObject([{ code: 'BAD_ID', field: 'realms.0' }]);
    expect(await found(admin, Array.from({ length: 25 }, (_, at) => `q${at}`).join(' '))).toEqual([]);
  });

  it('costs as much as a search for each type', async () => {
    const { extensions } = await admin.graphql('{ search(query: "x", types: [USER, USER], first: 3) { type } }');
    expect(extensions?.cost?.requested).toBe(304);
    const all = await admin.graphql('{ search(query: "x", first: 3) { type } }');
    expect(all.extensions?.cost?.requested).toBe(2104);
  });
});

describe('the statements of a search', () => {
  const statements = async (query: string, more: object = {}) => {
    await ask(admin, query, more);
    return (await ask(admin, query, more)).extensions?.cost?.statements;
  };

  it('are as many, however many realms and rows there are', async () => {
    const few = await statements('lily');
    for (const realm of ['lily-one', 'lily-two', 'lily-three']) {
      const users = Array.from({ length: 5 }, (_, at) => ({ username: `lily-${at}` }));
      await admin.send('POST', '/', realmNamed(realm, { users }));
    }
    const more = await statements('lily');
    // the found objects are read, and their realms: one statement for each type
    const nodes = new Set((await ask(admin, 'lily')).data.search.map(({ type }) => type)).size;
    expect(more).toBeLessThanOrEqual((few ?? 0) + nodes + 1);
    for (const realm of ['lily-four', 'lily-five']) {
      await admin.send('POST', '/', realmNamed(realm, { users: [{ username: 'lily' }, { username: 'lily-lily' }] }));
    }
    expect(await statements('lily')).toBe(more);
  });

  it('are one for each type that is searched for', async () => {
    const one = await statements('nothing at all', { types: ['GROUP'] });
    expect(await statements('nothing at all', { types: ['GROUP', 'ROLE', 'REALM'] })).toBe((one ?? 0) + 2);
  });
});

describe('an administrator of some realms', () => {
  it('finds what is in these, and their names', async () => {
    const credentials = [{ type: 'password', value: 'secret-1' }];
    await admin.send('POST', '/master/users', { username: 'some', enabled: true, credentials });
    const [{ id }] = (await admin.send('GET', '/master/users?username=some')).body;
    const grant = async (clientId: string, name: string) => {
      const [client] = (await admin.send('GET', `/master/clients?clientId=${clientId}`)).body;
      const role = (await admin.send('GET', `/master/clients/${client.id}/roles/${name}`)).body;
      await admin.send('POST', `/master/users/${id}/role-mappings/clients/${client.id}`, [role]);
    };
    await grant('orchid-realm', 'view-users');
    await grant('north-realm', 'query-groups');
    const some = callerWith(server, await login(server, 'master', 'some', 'secret-1'));
    const all = ['orchid USER EXACT firstName=Orchid', 'orchid REALM EXACT name=orchid'];
    expect(await found(some, 'orchid')).toEqual([
      ...all,
      'orchid ROLE WORD name=default-roles-orchid',
      'north ROLE WORD description=Keeps every orchid',
    ]);
    const { data } = await admin.graphql<{ realms: { nodes: { id: string; name: string }[] } }>(
      '{ realms { nodes { id name } } }',
    );
    const ids = Object.fromEntries(data.realms.nodes.map((node) => [node.name, node.id]));
    const inOne = await found(some, 'orchid', { realms: [ids.orchid], types: ['USER', 'REALM', 'GROUP', 'CLIENT'] });
    expect(inOne).toEqual(all);
    // a realm that it may not view is like one that does not exist
    const hidden = await ask(some, 'lily', { realms: [ids['lily-one']] });
    const none = await ask(some, 'lily', { realms: [btoa('Realm:none')] });
    expect(hidden.data).toEqual({ search: [] });
    expect(none).toEqual(hidden);
  });
});
