// @both-databases
import { type GraphQLInputObjectType, getNamedType, getNullableType, isInputObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';

// What is wrong with an input is reported at once, whichever checks find it, and a batch that continues leaves out only what is wrong.
let admin: Caller;
const ids: Record<'realm' | 'group' | 'user' | 'client' | 'role', string> = {
  ...{ realm: '', group: '', user: '', client: '', role: '' },
};
const unknown = (type: string) => Buffer.from(`${type}:00000000-0000-4000-8000-000000000000`).toString('base64');
const long = 'x'.repeat(300);

interface Payload {
  userErrors: { code: string; path: string[] | null; message: string }[];
  users?: { username: string; firstName: string | null }[] | null;
}

beforeAll(async () => {
  admin = await administrator(await startServer());
  await admin.send('POST', '/', {
    realm: 'errors',
    enabled: true,
    roles: { realm: [{ name: 'one' }] },
    groups: [{ name: 'staff' }],
    clients: [{ clientId: 'app' }],
    users: [{ username: 'ann', email: 'ann@x.org' }],
  });
  const { data } = await admin.graphql<{ realm: Record<string, { id: string }> & { id: string } }>(
    `{ realm(name: "errors") { id client(clientId: "app") { id } user(username: "ann") { id } group(path: "/staff") { id }
      role: user(username: "ann") { id } } }`,
  );
  const { id, ...others } = data.realm;
  Object.assign(ids, { realm: id, ...Object.fromEntries(Object.entries(others).map(([name, one]) => [name, one.id])) });
});

async function mutate(name: string, input: object, directive = '', fields = ''): Promise<Payload> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) ${directive} { ${name}(input: $input) { ${fields} userErrors { code path message } } }`;
  const { data, errors } = await admin.graphql<Record<string, Payload>>(query, { input });
  expect(errors).toBeUndefined();
  return data[name] as Payload;
}

const placesOf = ({ userErrors }: Payload) =>
  userErrors.map(({ code, path }) => `${code} ${path?.join('.') ?? null}`).toSorted();

describe('userErrors', () => {
  it.each<[string, string, () => object, string[]]>([
    [
      'lookups do not hide other errors',
      'userCreate',
      () => ({ realm: ids.realm, username: 'ANN', firstName: long, groups: [unknown('Group'), 'x', ids.group] }),
      ['BAD_ID groups.1', 'INVALID firstName', 'INVALID groups.0', 'USERNAME_TAKEN username'],
    ],
    [
      'all wrong IDs are named',
      'userJoinGroups',
      () => ({ id: 'x', groups: [ids.group, 'y'] }),
      ['BAD_ID groups.1', 'BAD_ID id'],
    ],
    [
      'a name that is too long has a path',
      'userUpdate',
      () => ({ id: ids.user, firstName: long, email: 'a b@c' }),
      ['EMAIL_INVALID email', 'INVALID firstName'],
    ],
    [
      'each URI of a client has its path',
      'clientCreate',
      () => ({
        realm: ids.realm,
        clientId: 'app',
        urls: { root: 'javascript:alert(1)', base: 'javascript:alert(2)' },
        redirectUris: ['https://fine.example/*', 'javascript:alert(3)'],
        webOrigins: ['+', 'https://fine.example:8443', 'not an origin', 'https://with.example/path'],
        defaultClientScopes: [unknown('ClientScope')],
      }),
      [
        'INVALID redirectUris.1',
        'INVALID urls.base',
        'INVALID urls.root',
        'INVALID webOrigins.2',
        'INVALID webOrigins.3',
        'NAME_TAKEN clientId',
        'NOT_FOUND defaultClientScopes.0',
      ],
    ],
    [
      'items of a batch have their places in the input',
      'usersCreate',
      () => ({
        realm: ids.realm,
        users: [
          { username: 'u0', groups: [unknown('Group')] },
          { username: 'ann' },
          { username: 'u2', requiredActions: ['VERIFY_EMAIL', 'NONE'], email: 'ann@x.org' },
        ],
      }),
      [
        'EMAIL_TAKEN users.2.email',
        'INVALID users.0.groups.0',
        'UNKNOWN_REQUIRED_ACTION users.2.requiredActions.1',
        'USERNAME_TAKEN users.1.username',
      ],
    ],
  ])('%s', async (_, name, input, expected) => {
    const dry = await mutate(name, input(), '@dryRun');
    const real = await mutate(name, input());
    expect(placesOf(real)).toEqual(expected);
    expect(dry).toEqual(real);
    expect(placesOf(await mutate(name, input(), '@atomic'))).toEqual(expected);
  });

  it.each(['RealmUpdateInput', 'ClientUpdateInput'])(
    'name every number of %s that is below its limit',
    async (name) => {
      const paths: string[] = [];
      const negative = (type: GraphQLInputObjectType, path: string[]): object =>
        Object.fromEntries(
          Object.values(type.getFields()).flatMap((field): [string, unknown][] => {
            const own = getNullableType(field.type);
            const at = [...path, field.name];
            if (isInputObjectType(own)) return [[field.name, negative(own, at)]];
            if (getNamedType(own).name !== 'Int' || field.name === 'expectedVersion') return [];
            paths.push(`INVALID ${at.join('.')}`);
            return [[field.name, -2]];
          }),
        );
      const input = negative(graphqlSchema().getType(name) as GraphQLInputObjectType, []);
      const [type = ''] = name.split('Update');
      const id = type === 'Realm' ? ids.realm : ids.client;
      const payload = await mutate(`${type.toLowerCase()}Update`, { ...input, id });
      expect(placesOf(payload)).toEqual(paths.toSorted());
      expect(paths.length).toBeGreaterThan(5);
    },
  );

  it('write nothing while they are looked for', async () => {
    const before = (await admin.send('GET', '/errors/users/count')).body;
    await mutate('userCreate', { realm: ids.realm, username: 'tried', groups: [unknown('Group')] });
    expect((await admin.send('GET', '/errors/users/count')).body).toBe(before);
  });
});

describe('a batch that continues', () => {
  it.each(['', '@dryRun'])('leaves out the items that are wrong %s', async (directive) => {
    const users = [
      { username: 'c0', requiredActions: ['NONE'] },
      { username: 'c1', firstName: 'One' },
      { username: 'c2', groups: [unknown('Group')], email: 'ann@x.org' },
      { username: 'ann' },
      { username: 'c4', firstName: long },
      { username: 'c5', groups: [ids.group] },
    ];
    const input = { realm: ids.realm, users, onError: 'CONTINUE' };
    const payload = await mutate('usersCreate', input, directive, 'users { username firstName }');
    const found = (await admin.send('GET', '/errors/users?search=c')).body as { id: string; username: string }[];
    for (const { id } of found) await admin.send('DELETE', `/errors/users/${id}`);
    expect(payload.users).toEqual([
      { username: 'c1', firstName: 'One' },
      { username: 'c5', firstName: null },
    ]);
    expect(placesOf(payload)).toEqual([
      'EMAIL_TAKEN users.2.email',
      'INVALID users.2.groups.0',
      'INVALID users.4.firstName',
      'UNKNOWN_REQUIRED_ACTION users.0.requiredActions.0',
      'USERNAME_TAKEN users.3.username',
    ]);
    const made = directive === '' ? ['c1', 'c5'] : [];
    expect(found.map(({ username }) => username).toSorted()).toEqual(made);
  });

  it('is refused for errors that are not those of an item', async () => {
    const input = { realm: ids.realm, users: [ids.user], roles: ['x'], onError: 'CONTINUE' };
    const payload = await mutate('usersAddRoles', input, '', 'users { username }');
    expect(placesOf(payload)).toEqual(['BAD_ID roles.0']);
    expect(payload.users).toBeNull();
  });
});

describe('a dry run', () => {
  it('has the results of the mutation, also where root fields are refused', async () => {
    const create = (alias: string, name: string) =>
      `${alias}: roleCreate(input: { container: "${ids.realm}", name: "${name}" }) { role { name } userErrors { code path } }`;
    const fields = [create('a', 'dry'), create('b', 'one'), create('c', 'dry'), create('d', 'other')].join('\n');
    const dry = await admin.graphql(`mutation @dryRun { ${fields} }`);
    const atomic = await admin.graphql<Record<string, Payload>>(`mutation @dryRun @atomic { ${fields} }`);
    const real = await admin.graphql(`mutation { ${fields} }`);
    expect(dry.data).toEqual(real.data);
    expect(real.data).toMatchObject({
      a: { role: { name: 'dry' }, userErrors: [] },
      b: { role: null, userErrors: [{ code: 'NAME_TAKEN', path: ['name'] }] },
      c: { role: null, userErrors: [{ code: 'NAME_TAKEN' }] },
      d: { role: { name: 'other' }, userErrors: [] },
    });
    expect(Object.values(atomic.data).map(({ userErrors }) => userErrors[0]?.code)).toEqual([
      'ABORTED',
      'NAME_TAKEN',
      'ABORTED',
      'ABORTED',
    ]);
  });

  it('compares versions as the mutation does', async () => {
    const update = (alias: string) =>
      `${alias}: userUpdate(input: { id: "${ids.user}", lastName: "${alias}", expectedVersion: 1 }) { userErrors { code } }`;
    const text = `{ ${update('a')} ${update('b')} }`;
    const dry = await admin.graphql(`mutation @dryRun ${text}`);
    const real = await admin.graphql(`mutation ${text}`);
    expect(dry.data).toEqual(real.data);
  });
});
