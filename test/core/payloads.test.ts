import { isObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';

let admin: Caller;
let ids: { realm: string; role: string; user: string; client: string; group: string; bob: string };

interface UserError {
  code: string;
  path: string[] | null;
}

interface Payload {
  userErrors: UserError[];
  changes: { path: string[]; before: string | null; after: string | null; isSecret?: boolean }[] | null;
  adminEvents: { operation: string; resourcePath: string }[];
  isReplayed: boolean;
}

beforeAll(async () => {
  admin = await administrator(await startServer());
  await admin.send('POST', '/', {
    realm: 'payloads',
    enabled: true,
    passwordPolicy: 'length(8)',
    roles: { realm: [{ name: 'one', description: 'First' }] },
    groups: [{ name: 'staff', attributes: { floor: ['1'] } }],
    clients: [{ clientId: 'app', secret: 'before', attributes: { 'a.b': '1' } }],
    users: [
      { username: 'ann', email: 'ann@x.org', attributes: { color: ['red'] } },
      { username: 'bob', enabled: true },
    ],
  });
  const { data } = await admin.graphql<{ realm: Record<string, { id: string }> & { id: string } }>(
    '{ realm(name: "payloads") { id client(clientId: "app") { id } user(username: "ann") { id } bob: user(username: "bob") { id } group(path: "/staff") { id } roles(filter: { name: { equals: "one" } }) { edges { node { id } } } } }',
  );
  const { id, client, user, bob, group, roles } = data.realm as never as {
    id: string;
    client: { id: string };
    user: { id: string };
    bob: { id: string };
    group: { id: string };
    roles: { edges: [{ node: { id: string } }] };
  };
  ids = { realm: id, role: roles.edges[0].node.id, user: user.id, client: client.id, group: group.id, bob: bob.id };
  await admin.send('POST', '/master/clients', { clientId: 'occupied-realm' });
});

const fields =
  'userErrors { code path } changes { path before after } adminEvents { operation resourcePath } isReplayed';

async function mutate(name: string, input: object, directive = ''): Promise<Payload> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) ${directive} { ${name}(input: $input) { ${fields} } }`;
  const { data, errors } = await admin.graphql<Record<string, Payload>>(query, { input });
  expect(errors).toBeUndefined();
  return data[name] as Payload;
}

describe('changes', () => {
  it('are the fields that differ, of a dry run as of a write, with the names of the input', async () => {
    const input = {
      id: ids.user,
      firstName: 'Ann',
      isEmailVerified: true,
      attributes: [{ name: 'color', values: ['blue', 'green'] }],
    };
    const expected = [
      { path: ['attributes', 'color'], before: '["red"]', after: '["blue","green"]' },
      { path: ['isEmailVerified'], before: 'false', after: 'true' },
      { path: ['firstName'], before: null, after: '"Ann"' },
    ];
    const dry = await mutate('userUpdate', input, '@dryRun');
    expect(dry.changes).toEqual(expected);
    expect((await mutate('userUpdate', input)).changes).toEqual(expected);
    expect((await mutate('userUpdate', input)).changes).toEqual([]);
  });

  it('are those of roles, groups and realms too, and all fields of what is created or deleted', async () => {
    expect((await mutate('roleUpdate', { id: ids.role, description: null })).changes).toEqual([
      { path: ['description'], before: '"First"', after: null },
    ]);
    expect((await mutate('groupUpdate', { id: ids.group, attributes: [] })).changes).toEqual([
      { path: ['attributes', 'floor'], before: '["1"]', after: null },
    ]);
    expect((await mutate('realmUpdate', { id: ids.realm, displayName: 'Paid' })).changes).toEqual([
      { path: ['displayName'], before: null, after: '"Paid"' },
    ]);
    const made = await mutate('roleCreate', { container: ids.realm, name: 'made' });
    expect(made.changes).toContainEqual({ path: ['name'], before: null, after: '"made"' });
  });

  it('show no secret', async () => {
    const { changes } = await mutate('clientUpdate', { id: ids.client, secret: 'very secret', name: 'App' });
    expect(changes).toContainEqual({ path: ['name'], before: null, after: '"App"' });
    expect(JSON.stringify(changes)).not.toContain('very secret');
  });

  it('have the present object if it has another version than expected', async () => {
    const input = `{ id: "${ids.bob}", lastName: "Late", expectedVersion: 99 }`;
    const { data } = await admin.graphql(
      `mutation { userUpdate(input: ${input}) { user { username lastName version } userErrors { code } } }`,
    );
    const user = { username: 'bob', lastName: null, version: expect.any(Number) };
    expect(data).toEqual({ userUpdate: { user, userErrors: [{ code: 'STALE' }] } });
  });

  const replaced = (...path: string[]) => ({ path, before: '"**********"', after: '"**********"' });
  const provider = async () => {
    const input = { realm: ids.realm, alias: `partner-${Math.random()}`, type: 'OIDC' };
    const settings = [{ name: 'clientSecret', value: 'first secret' }];
    const query =
      'mutation ($input: IdentityProviderCreateInput!) { identityProviderCreate(input: $input) { identityProvider { id } } }';
    const { data } = await admin.graphql<{ identityProviderCreate: { identityProvider: { id: string } } }>(query, {
      input: { ...input, settings },
    });
    return {
      id: data.identityProviderCreate.identityProvider.id,
      settings: [{ name: 'clientSecret', value: 'other secret' }],
    };
  };
  const directory = async () => {
    const config = { editMode: ['READ_ONLY'], bindCredential: ['first secret'], enabled: ['false'] };
    const made = await admin.send('POST', '/payloads/components', {
      name: 'people',
      providerId: 'ldap',
      providerType: 'org.keycloak.storage.UserStorageProvider',
      config,
    });
    const id = made.headers.get('location')?.split('/').at(-1);
    const settings = [{ name: 'bindCredential', values: ['other secret'] }];
    return { id: Buffer.from(`Component:${id}`).toString('base64'), settings };
  };
  const smtp = (password: string) => ({
    id: ids.realm,
    smtp: { host: 'mail.example', from: 'a@b.example', password },
  });

  it.each<[string, () => object | Promise<object>, string[]]>([
    ['clientUpdate', () => ({ id: ids.client, secret: 'other secret' }), ['secret']],
    ['clientRotateSecret', () => ({ id: ids.client }), ['secret']],
    ['userSetPassword', () => ({ id: ids.user, value: 'other secret' }), ['password']],
    ['userUpdate', () => ({ id: ids.user, password: { value: 'third secret' } }), ['password']],
    ['identityProviderUpdate', provider, ['settings', 'clientSecret']],
    ['componentUpdate', directory, ['settings', 'bindCredential']],
    [
      'realmUpdate',
      async () => {
        await mutate('realmUpdate', smtp('first secret'));
        return smtp('other secret');
      },
      ['smtp', 'password'],
    ],
  ])('of %s say that a secret was replaced, as its audit record does', async (name, inputOf, path) => {
    await admin.send('PUT', '/payloads', { adminEventsEnabled: true, adminEventsDetailsEnabled: true });
    const input = await inputOf();
    const payload = await mutate(name, input);
    expect(payload).toMatchObject({ userErrors: [] });
    expect(payload.changes).toContainEqual(replaced(...path));
    const query = `{ realm(name: "payloads") { adminEvents(first: 1) { nodes { before after changes { path before after isSecret } } } } }`;
    const { data } = await admin.graphql<{ realm: { adminEvents: { nodes: Pick<Payload, 'changes'>[] } } }>(query);
    const [event] = data.realm.adminEvents.nodes;
    expect(event?.changes?.filter(({ isSecret }) => isSecret)).toMatchObject([{ before: '"**********"' }]);
    expect(JSON.stringify([payload, event])).not.toMatch(/(?:first|other|third) secret/);
  });

  it('are null for a repeated result, which has its audit records', async () => {
    const input = { id: ids.user, lastName: 'Retried', idempotencyKey: 'once' };
    expect(await mutate('userUpdate', input)).toMatchObject({ isReplayed: false, changes: [{ path: ['lastName'] }] });
    const again = await mutate('userUpdate', input);
    expect(again).toMatchObject({ isReplayed: true, changes: null, adminEvents: [{ operation: 'user.update' }] });
    const other = await mutate('userUpdate', { ...input, lastName: 'Other' });
    expect(other.userErrors).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED', path: ['idempotencyKey'] }]);
  });
});

describe('userErrors', () => {
  it('are all that is wrong with a user, each with its path', async () => {
    const input = {
      realm: ids.realm,
      username: 'ANN',
      email: 'ann@x.org',
      groups: [ids.group],
      password: { value: 'short' },
    };
    expect((await mutate('userCreate', input)).userErrors).toEqual([
      { code: 'USERNAME_TAKEN', path: ['username'] },
      { code: 'EMAIL_TAKEN', path: ['email'] },
      { code: 'PASSWORD_POLICY', path: ['password'] },
    ]);
    const user = { isEnabled: null, isEmailVerified: null };
    expect((await mutate('userUpdate', { id: ids.user, ...user })).userErrors).toEqual([
      { code: 'INVALID', path: ['isEmailVerified'] },
      { code: 'INVALID', path: ['isEnabled'] },
    ]);
  });

  it('have the indexes of lists', async () => {
    const roles = [ids.role, 'nonsense', ids.group];
    expect((await mutate('userAddRoles', { id: ids.user, roles })).userErrors).toEqual([
      { code: 'BAD_ID', path: ['roles', '1'] },
      { code: 'BAD_ID', path: ['roles', '2'] },
    ]);
    const unknown = Buffer.from('Role:00000000-0000-4000-8000-000000000000').toString('base64');
    expect((await mutate('roleAddComposites', { id: ids.role, roles: [ids.role, unknown] })).userErrors).toEqual([
      { code: 'NOT_FOUND', path: ['roles', '1'] },
    ]);
    const users = [{ username: 'fine' }, { username: 'x', email: 'a b@c' }, { username: 'ann', email: 'ann@x.org' }];
    expect((await mutate('usersCreate', { realm: ids.realm, users })).userErrors).toEqual([
      { code: 'EMAIL_INVALID', path: ['users', '1', 'email'] },
      { code: 'USERNAME_TAKEN', path: ['users', '2', 'username'] },
      { code: 'EMAIL_TAKEN', path: ['users', '2', 'email'] },
    ]);
    const long = 'x'.repeat(300);
    const attributes = [
      { name: 'fine', values: ['1'] },
      { name: 'with.dot', values: ['1', long] },
    ];
    const wrong = await mutate('roleUpdate', { id: ids.role, name: long, attributes });
    expect(wrong.userErrors).toContainEqual({ code: 'INVALID', path: ['name'] });
  });

  it('lead to fields of the input', async () => {
    const mapper = { type: 'PAIRWISE_SUBJECT', config: [] };
    const credential = (credentialData: string, secretData = '{}') => [
      { type: 'password', credentialData: '{}', secretData: '{}' },
      { type: 'password', credentialData, secretData },
    ];
    const wrong: [string, object, string][] = [
      ['userSendVerifyEmail', { id: ids.bob }, 'id'],
      ['userSendActionsEmail', { id: ids.bob, actions: ['VERIFY_EMAIL'] }, 'id'],
      ['userDisableCredentialTypes', { id: ids.user, types: ['password', '\0'] }, 'types.1'],
      ['userCreate', { realm: ids.realm, username: 'x', credentials: credential('x') }, 'credentials.1.credentialData'],
      ['userUpdate', { id: ids.user, credentials: credential('{}', 'x') }, 'credentials.1.secretData'],
      [
        'userUpdate',
        { id: ids.user, credentials: credential('{"hashIterations":1000000000}') },
        'credentials.1.credentialData',
      ],
      ['realmRename', { id: ids.realm, name: 'occupied' }, 'name'],
      [
        'protocolMappersCreate',
        {
          owner: ids.client,
          protocolMappers: [
            { name: 'fine', type: 'FULL_NAME' },
            { name: 'pairwise', ...mapper },
          ],
        },
        'protocolMappers.1.config',
      ],
    ];
    for (const [name, input, path] of wrong) {
      const { userErrors } = await mutate(name, input);
      expect([name, userErrors.map((error) => error.path?.join('.'))]).toEqual([name, [path]]);
    }
  });

  it('have the codes of their mutation', async () => {
    const child = await admin.graphql<{ groupCreate: { group: { id: string } } }>(
      `mutation { groupCreate(input: { parent: "${ids.group}", name: "below" }) { group { id } } }`,
    );
    const below = child.data.groupCreate.group.id;
    expect((await mutate('groupMove', { id: ids.group, parent: below })).userErrors).toEqual([
      { code: 'CYCLE', path: ['parent'] },
    ]);
    expect((await mutate('roleCreate', { container: ids.realm, name: 'one' })).userErrors).toEqual([
      { code: 'NAME_TAKEN', path: ['name'] },
    ]);
  });
});

describe('@atomic', () => {
  const versionOf = async (type: string, id: string) => {
    const query = `{ node(id: "${id}") { ... on ${type} { version } } }`;
    return (await admin.graphql<{ node: { version: number } }>(query)).data.node.version;
  };
  const codes = async (text: string) => {
    const { data } = await admin.graphql<Record<string, Payload>>(`mutation @atomic { ${text} }`);
    return Object.values(data).map(({ userErrors }) => userErrors.map(({ code }) => code));
  };

  it('takes a version that was read before for all root fields', async () => {
    const version = await versionOf('Role', ids.role);
    const update = (alias: string, expected: number) =>
      `${alias}: roleUpdate(input: { id: "${ids.role}", description: "${alias}", expectedVersion: ${expected} }) { userErrors { code } }`;
    const composites = `c: roleAddComposites(input: { id: "${ids.role}", roles: ["${ids.role}"] }) { userErrors { code } }`;
    expect(await codes(`${composites} ${update('one', version)} ${update('two', version)}`)).toEqual([[], [], []]);
    expect(await versionOf('Role', ids.role)).toBe(version + 3);
    expect(await codes(`${update('late', version + 3)} ${update('old', version)}`)).toEqual([['ABORTED'], ['STALE']]);
  });

  it('takes it for the users of a list too', async () => {
    const version = await versionOf('User', ids.user);
    const one = `one: userUpdate(input: { id: "${ids.user}", firstName: "A", expectedVersion: ${version} }) { userErrors { code } }`;
    const many = `many: usersUpdate(input: { realm: "${ids.realm}", users: [{ id: "${ids.user}", lastName: "B", expectedVersion: ${version} }] }) { userErrors { code } }`;
    expect(await codes(`${one} ${many}`)).toEqual([[], []]);
  });
});

describe('updates of parts', () => {
  const errors = async (name: string, input: object) => (await mutate(name, input)).userErrors;
  const read = async (path: string) => (await admin.send('GET', `/payloads${path}`)).body;
  const local = (id: string) => Buffer.from(id, 'base64').toString().split(':')[1];

  it.each([
    ['userUpdate', 'user', '/users/'],
    ['groupUpdate', 'group', '/groups/'],
    ['roleUpdate', 'role', '/roles-by-id/'],
  ] as const)('%s sets and removes attributes, and leaves the others', async (name, kind, path) => {
    const id = ids[kind];
    const present = async () => (await read(`${path}${local(id)}`)).attributes;
    const attributes = ['a.b', 'kept', 'gone'].map((one) => ({ name: one, values: ['1'] }));
    expect(await errors(name, { id, attributes })).toEqual([]);
    const change = { setAttributes: [{ name: 'a.b', values: ['2', '3'] }], removeAttributes: ['gone', 'absent'] };
    expect(await errors(name, { id, ...change })).toEqual([]);
    expect(await present()).toEqual({ 'a.b': ['2', '3'], kept: ['1'] });
    for (const field of ['setAttributes', 'removeAttributes']) {
      expect(await errors(name, { id, [field]: null })).toEqual([{ code: 'INVALID', path: [field] }]);
    }
    expect(await errors(name, { id, attributes, ...change })).toEqual([{ code: 'INVALID', path: ['attributes'] }]);
    expect(await present()).toEqual({ 'a.b': ['2', '3'], kept: ['1'] });
  });

  it.each([
    [
      'clientUpdate',
      'client',
      '/clients/',
      'redirectUris',
      ['https://a.example', 'https://b.example', 'https://c.example'],
    ],
    [
      'clientUpdate',
      'client',
      '/clients/',
      'webOrigins',
      ['https://a.example', 'https://b.example', 'https://c.example'],
    ],
    ['userUpdate', 'user', '/users/', 'requiredActions', ['VERIFY_EMAIL', 'UPDATE_PASSWORD', 'CONFIGURE_TOTP']],
  ] as const)('%s of a %s at %s adds to %s and removes from it', async (name, kind, path, field, [a, b, c]) => {
    const id = ids[kind];
    const title = `${field.charAt(0).toUpperCase()}${field.slice(1)}`;
    const present = async () => (await read(`${path}${local(id)}`))[field].toSorted();
    expect(await errors(name, { id, [field]: [a, b] })).toEqual([]);
    expect(await errors(name, { id, [`add${title}`]: [b, c], [`remove${title}`]: [a] })).toEqual([]);
    expect(await present()).toEqual([b, c].toSorted());
    for (const input of [`add${title}`, `remove${title}`]) {
      expect(await errors(name, { id, [input]: null })).toEqual([{ code: 'INVALID', path: [input] }]);
    }
    expect(await errors(name, { id, [field]: [], [`add${title}`]: [a] })).toEqual([{ code: 'INVALID', path: [field] }]);
    expect(await present()).toEqual([b, c].toSorted());
    expect(await errors(name, { id, [field]: null })).toEqual([]);
    expect(await present()).toEqual([]);
  });
});

describe('filters', () => {
  it('refuse null, which would match everything', async () => {
    const filters = ['{ username: { equals: null } }', '{ isEnabled: null }', '{ or: [{ search: null }] }'];
    for (const filter of filters) {
      const { data, errors } = await admin.graphql(
        `{ realm(name: "payloads") { name users(filter: ${filter}) { totalCount } } }`,
      );
      expect(data).toEqual({ realm: { name: 'payloads', users: null } });
      expect(errors).toMatchObject([{ path: ['realm', 'users'], extensions: { code: 'INVALID' } }]);
    }
    const { errors } = await admin.graphql('{ realms(filter: { name: { contains: null } }) { totalCount } }');
    expect(errors).toMatchObject([
      { path: ['realms'], extensions: { code: 'INVALID', field: 'filter.name.contains' } },
    ]);
  });
});

describe('the payload of every mutation', () => {
  const mutations = Object.keys(graphqlSchema().getMutationType()?.getFields() ?? {});
  const common = ['adminEvents', 'changes', 'isReplayed', 'userErrors', 'warnings'];
  const own = (name: string) => {
    const type = graphqlSchema().getType(`${name.charAt(0).toUpperCase()}${name.slice(1)}Payload`);
    return isObjectType(type) ? Object.keys(type.getFields()).filter((field) => !common.includes(field)) : [];
  };

  it('has the id of what it deleted', () => {
    const deleting = mutations.filter((name) => name.endsWith('Delete'));
    const without = deleting.filter((name) => !own(name).some((field) => /^deletedIds?$/.test(field)));
    // texts have no ids
    expect(without).toEqual(['localizationTextDelete', 'localizationTextsDelete']);
    expect(deleting.length).toBeGreaterThan(15);
  });

  it('has the object that it changed, except where there is none', () => {
    const bare = mutations.filter((name) => own(name).length === 0).sort();
    expect(bare).toEqual([
      'realmClearCache',
      'realmClearKeysCache',
      'realmClearUserCache',
      'realmTestSmtp',
      'userStorageTestConnection',
    ]);
  });

  it('has the role after its composites have changed', async () => {
    const input = `{ id: "${ids.role}", roles: ["${ids.role}"] }`;
    const { data } = await admin.graphql(
      `mutation { roleRemoveComposites(input: ${input}) { role { name } userErrors { code } } }`,
    );
    expect(data).toEqual({ roleRemoveComposites: { role: { name: 'one' }, userErrors: [] } });
  });
});
