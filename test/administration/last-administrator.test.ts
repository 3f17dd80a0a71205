import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, callerWith, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

// Whatever takes the role `admin` of the master realm from the last enabled user is refused in GraphQL. REST does as the contract says.
let server: TestServer;
let admin: Caller;
/** who may manage the master realm and is no administrator */
let keeper: Caller;
const ids: Record<string, string> = {};
const master = '/master';

type Role = { id: string; name: string };
const node = (typename: string, name: string) => Buffer.from(`${typename}:${ids[name]}`).toString('base64');
const rest = async (method: string, path: string, body?: unknown): Promise<void> => {
  const answer = await admin.send(method, `${master}${path}`, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
};
const roleOf = async (name: string): Promise<Role> => (await admin.send('GET', `${master}/roles/${name}`)).body;
const idAt = async (path: string): Promise<string> => (await admin.send('GET', `${master}${path}`)).body[0].id;

interface Payload {
  userErrors: { code: string; path: string[] | null; message: string }[];
  adminEvents: object[];
}
async function mutate(name: string, input: object, caller = admin, directive = ''): Promise<Payload> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const { data, errors } = await caller.graphql<Record<string, Payload>>(
    `mutation ($input: ${type}!) ${directive} { ${name}(input: $input) { userErrors { code path message } adminEvents { id } } }`,
    { input },
  );
  expect(errors).toBeUndefined();
  return data[name] as Payload;
}

let roles: Record<'admin' | 'boss' | 'chief', Role>;
/** How the administrator has the role: the mutations that give it that and the requests that take it back. */
const ways = {
  'the role itself': {
    give: () => mutate('userAddRoles', { id: theUser(), roles: [node('Role', 'role admin')] }),
    take: () => rest('DELETE', `/users/${ids.admin}/role-mappings/realm`, [roles.admin]),
  },
  'a composite role': {
    give: () => mutate('userAddRoles', { id: theUser(), roles: [node('Role', 'role boss')] }),
    take: () => rest('DELETE', `/users/${ids.admin}/role-mappings/realm`, [roles.boss]),
  },
  'a composite role within another': {
    give: () => mutate('userAddRoles', { id: theUser(), roles: [node('Role', 'role chief')] }),
    take: () => rest('DELETE', `/users/${ids.admin}/role-mappings/realm`, [roles.chief]),
  },
  'a group below one with the role': {
    give: () => mutate('userJoinGroups', { id: theUser(), groups: [node('Group', 'inner')] }),
    take: () => rest('DELETE', `/users/${ids.admin}/groups/${ids.inner}`),
  },
};
type Way = keyof typeof ways;

/** Leaves the administrator nothing but one way to have the role. */
async function hold(way: Way): Promise<void> {
  expect((await ways[way].give()).userErrors).toEqual([]);
  for (const other of Object.keys(ways) as Way[]) if (other !== way) await ways[other].take();
}

const realm = () => node('Realm', 'master');
const theUser = () => node('User', 'admin');

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  ids.master = (await admin.send('GET', master)).body.id;
  ids.admin = await idAt('/users?username=admin');
  await rest('POST', '/roles', { name: 'boss' });
  await rest('POST', '/roles', { name: 'chief' });
  roles = { admin: await roleOf('admin'), boss: await roleOf('boss'), chief: await roleOf('chief') };
  for (const { id, name } of Object.values(roles)) ids[`role ${name}`] = id;
  await rest('POST', `/roles-by-id/${roles.boss.id}/composites`, [roles.admin]);
  await rest('POST', `/roles-by-id/${roles.chief.id}/composites`, [roles.boss]);
  await rest('POST', '/groups', { name: 'administrators' });
  ids.outer = await idAt('/groups?search=administrators');
  await rest('POST', `/groups/${ids.outer}/role-mappings/realm`, [roles.admin]);
  await rest('POST', `/groups/${ids.outer}/children`, { name: 'inner' });
  ids.inner = (await admin.send('GET', `${master}/groups/${ids.outer}`)).body.subGroups[0].id;
  // somebody who has the role and is disabled, and two who do not and are not
  for (const [username, enabled] of [
    ['former', false],
    ['clerk', true],
    ['keeper', true],
  ] as const) {
    await rest('POST', '/users', { username, enabled, credentials: [{ type: 'password', value: 'pw' }] });
    ids[username] = await idAt(`/users?username=${username}`);
  }
  await rest('POST', `/users/${ids.former}/role-mappings/realm`, [roles.admin]);
  await rest('POST', '/roles', { name: 'plain' });
  ids['role plain'] = (await roleOf('plain')).id;
  const client = await idAt('/clients?clientId=master-realm');
  const managing = (await admin.send('GET', `${master}/clients/${client}/roles/manage-realm`)).body;
  await rest('POST', `/users/${ids.keeper}/role-mappings/clients/${client}`, [managing]);
  keeper = await userOf(server, 'master', 'keeper', 'pw');
});

const direct: [string, () => object][] = [
  ['userDelete', () => ({ id: theUser() })],
  ['userUpdate', () => ({ id: theUser(), isEnabled: false })],
  ['userRemoveRoles', () => ({ id: theUser(), roles: [node('Role', 'role admin')] })],
  ['usersDelete', () => ({ realm: realm(), ids: [node('User', 'former'), theUser(), node('User', 'clerk')] })],
  ['usersDelete', () => ({ realm: realm(), ids: [theUser()], onError: 'CONTINUE' })],
  ['usersUpdate', () => ({ realm: realm(), users: [{ id: theUser(), isEnabled: false }] })],
  ['usersRemoveRoles', () => ({ realm: realm(), users: [theUser()], roles: [node('Role', 'role admin')] })],
  ['usersDeleteMatching', () => ({ realm: realm(), limit: 9, filter: { username: { in: ['admin', 'clerk'] } } })],
  [
    'usersUpdateMatching',
    () => ({
      realm: realm(),
      limit: 9,
      filter: { username: { in: ['admin', 'clerk'] } },
      changes: { isEnabled: false },
    }),
  ],
  [
    'realmPartialImport',
    () => ({
      id: realm(),
      policy: 'OVERWRITE',
      representation: { json: { users: [{ username: 'admin', enabled: false, realmRoles: ['admin'] }] } },
    }),
  ],
];
const cases: [Way, string, () => object][] = [
  ...direct.map(([name, input]) => ['the role itself', name, input] as [Way, string, () => object]),
  ['a composite role', 'userRemoveRoles', () => ({ id: theUser(), roles: [node('Role', 'role boss')] })],
  ['a composite role', 'roleDelete', () => ({ id: node('Role', 'role boss') })],
  ['a composite role', 'rolesDelete', () => ({ realm: realm(), ids: [node('Role', 'role boss')] })],
  [
    'a composite role',
    'roleRemoveComposites',
    () => ({ id: node('Role', 'role boss'), roles: [node('Role', 'role admin')] }),
  ],
  ...(['boss', 'chief'] as const).flatMap((name): [Way, string, () => object][] => [
    ['a composite role within another', 'roleDelete', () => ({ id: node('Role', `role ${name}`) })],
    ['a composite role within another', 'rolesDelete', () => ({ realm: realm(), ids: [node('Role', `role ${name}`)] })],
    [
      'a composite role within another',
      'roleRemoveComposites',
      () => ({
        id: node('Role', `role ${name}`),
        roles: [node('Role', name === 'boss' ? 'role admin' : 'role boss')],
      }),
    ],
  ]),
  [
    'a composite role within another',
    'userRemoveRoles',
    () => ({ id: theUser(), roles: [node('Role', 'role chief')] }),
  ],
  ...(
    [
      ['userLeaveGroups', () => ({ id: theUser(), groups: [node('Group', 'inner')] })],
      ['usersLeaveGroups', () => ({ realm: realm(), users: [theUser()], groups: [node('Group', 'inner')] })],
      ['groupRemoveMembers', () => ({ id: node('Group', 'inner'), users: [theUser()] })],
      ['groupDelete', () => ({ id: node('Group', 'outer') })],
      ['groupsDelete', () => ({ realm: realm(), ids: [node('Group', 'inner')] })],
      ['groupMove', () => ({ id: node('Group', 'inner'), parent: realm() })],
      ['groupsMove', () => ({ ids: [node('Group', 'inner')], parent: realm() })],
      ['groupRemoveRoles', () => ({ id: node('Group', 'outer'), roles: [node('Role', 'role admin')] })],
      [
        'groupsRemoveRoles',
        () => ({ realm: realm(), groups: [node('Group', 'outer')], roles: [node('Role', 'role admin')] }),
      ],
    ] as const
  ).map(([name, input]) => ['a group below one with the role', name, input] as [Way, string, () => object]),
];

describe('the last administrator', () => {
  it.each(cases)('who is one by %s does not lose that by %s', async (way, name, input) => {
    await hold(way);
    for (const directive of ['', '@dryRun']) {
      const { userErrors, adminEvents } = await mutate(name, input(), admin, directive);
      expect(userErrors).toMatchObject([{ code: 'LAST_ADMIN', path: null }]);
      expect(adminEvents).toEqual([]);
    }
    expect((await admin.send('GET', `${master}/users/${ids.admin}`)).body.enabled).toBe(true);
    expect((await admin.send('GET', '/')).status).toBe(200);
  });

  it.each(cases)('by %s is none as long as there is another, for %s', async (way, name, input) => {
    await hold(way);
    await rest('PUT', `/users/${ids.former}`, { enabled: true });
    // of the two in a batch one has to stay
    const given = JSON.stringify(input());
    const takesBoth = given.includes(node('User', 'former'));
    const { userErrors } = await mutate(name, input(), admin, '@dryRun');
    await rest('PUT', `/users/${ids.former}`, { enabled: false });
    expect(userErrors.map(({ code }) => code)).toEqual(takesBoth ? ['LAST_ADMIN'] : []);
  });

  it('costs nothing where nobody can lose a role, and two statements at most where somebody can', async () => {
    await hold('the role itself');
    const count = async (query: string): Promise<number> => {
      const { errors, extensions } = await admin.graphql(query);
      expect(errors).toBeUndefined();
      return extensions?.cost?.statements ?? 0;
    };
    const update = (changes: string) =>
      count(`mutation { userUpdate(input: { id: "${node('User', 'clerk')}", ${changes} }) { userErrors { code } } }`);
    // something that began with the server may read in between, so it is the fewest statements of several that are compared
    const fewest = { name: Infinity, enabled: Infinity, disabled: Infinity };
    for (let round = 0; round < 4; round += 1) {
      fewest.name = Math.min(fewest.name, await update(`lastName: "Name ${round}"`));
      fewest.enabled = Math.min(fewest.enabled, await update(`lastName: "Enabled ${round}", isEnabled: true`));
      fewest.disabled = Math.min(fewest.disabled, await update('isEnabled: false'));
      await update('isEnabled: true');
    }
    expect(fewest.enabled).toBeLessThanOrEqual(fewest.name);
    expect(fewest.disabled - fewest.enabled).toBeLessThanOrEqual(2);
  });

  it('stays when two take the role from each other at the same time', async () => {
    await rest('PUT', `/users/${ids.former}`, { enabled: true });
    const both = { admin, former: await userOf(server, 'master', 'former', 'pw') };
    const disable = (name: 'admin' | 'former') => `mutation { userUpdate(input: {
      id: "${node('User', name)}", isEnabled: false }) { userErrors { code } } }`;
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([both.admin.graphql(disable('former')), both.former.graphql(disable('admin'))]);
      const left = await server.database.read.user.findMany({
        where: { id: { in: [ids.admin ?? '', ids.former ?? ''] }, enabled: true },
        select: { username: true },
      });
      expect(left).toHaveLength(1);
      const survivor = both[left[0]?.username === 'admin' ? 'admin' : 'former'];
      for (const name of ['admin', 'former']) {
        const { status } = await survivor.send('PUT', `${master}/users/${ids[name]}`, { enabled: true });
        expect(status).toBe(204);
      }
    }
    await rest('PUT', `/users/${ids.former}`, { enabled: false });
  });

  it('can be the service account of a client, which then stays', async () => {
    await rest('POST', '/clients', { clientId: 'robot', secret: 'robot', serviceAccountsEnabled: true });
    ids.robot = await idAt('/clients?clientId=robot');
    ids.account = (await admin.send('GET', `${master}/clients/${ids.robot}/service-account-user`)).body.id;
    await rest('POST', `/users/${ids.account}/role-mappings/realm`, [roles.admin]);
    const response = await fetch(`${server.url}/auth/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'robot', client_secret: 'robot' }),
    });
    const robot = callerWith(server, (await response.json()).access_token);
    await rest('DELETE', `/users/${ids.admin}/role-mappings/realm`, [roles.admin]);
    const id = node('Client', 'robot');
    for (const [name, input] of [
      ['clientDelete', { id }],
      ['clientsDelete', { realm: realm(), ids: [id] }],
      ['clientUpdate', { id, flows: { isServiceAccountEnabled: false } }],
      ['clientUpdate', { id, isEnabled: false }],
    ] as const) {
      const { userErrors } = await mutate(name, input, robot);
      expect([name, userErrors]).toMatchObject([name, [{ code: 'LAST_ADMIN' }]]);
    }
    expect(
      (await mutate('userAddRoles', { id: theUser(), roles: [node('Role', 'role admin')] }, robot)).userErrors,
    ).toEqual([]);
    expect((await mutate('clientDelete', { id })).userErrors).toEqual([]);
  });

  it('keeps what the role admin administers the master realm by', async () => {
    const client = async (clientId: string) => idAt(`/clients?clientId=${clientId}`);
    const own = (await admin.send('GET', `${master}/clients/${await client('master-realm')}/roles`)).body as Role[];
    Object.assign(ids, Object.fromEntries(own.map((role) => [`own ${role.name}`, role.id])));
    const id = node('Role', 'role admin');
    const take = (roleIds: string[]) => mutate('roleRemoveComposites', { id, roles: roleIds });
    const all = own.map(({ name }) => node('Role', `own ${name}`));
    expect(all.length).toBeGreaterThan(10);
    const refused = (place: number) => ({ code: 'ADMINISTRATION', path: ['roles', String(place)] });
    const { userErrors } = await take(all);
    expect(userErrors).toHaveLength(all.length);
    expect(userErrors).toEqual(expect.arrayContaining(all.map((_, place) => expect.objectContaining(refused(place)))));
    // what has been added besides can go
    expect((await mutate('roleAddComposites', { id, roles: [node('Role', 'role plain')] })).userErrors).toEqual([]);
    expect((await take([node('Role', 'role plain'), node('Role', 'own manage-realm')])).userErrors).toMatchObject([
      refused(1),
    ]);
    expect((await take([node('Role', 'role plain')])).userErrors).toEqual([]);
    // somebody with these rights alone cannot take them either
    expect(
      (await mutate('roleRemoveComposites', { id, roles: [node('Role', 'own view-users')] }, keeper)).userErrors,
    ).toHaveLength(1);
    expect((await admin.send('PUT', master, { displayName: 'Still administered' })).status).toBe(204);
  });

  it('keeps the master realm open, for callers who manage nothing else too', async () => {
    for (const caller of [admin, keeper]) {
      for (const [change, field] of [
        [{ isEnabled: false }, 'isEnabled'],
        [{ tokens: { notBefore: '2037-01-01T00:00:00Z' } }, 'notBefore'],
      ] as const) {
        const { userErrors } = await mutate('realmUpdate', { id: realm(), ...change }, caller);
        expect(userErrors).toMatchObject([{ code: 'ADMINISTRATION', path: expect.arrayContaining([field]) }]);
      }
    }
    const harmless = { isEnabled: true, tokens: { notBefore: '2001-01-01T00:00:00Z' } };
    expect((await mutate('realmUpdate', { id: realm(), ...harmless })).userErrors).toEqual([]);
    expect((await admin.send('GET', master)).body.enabled).toBe(true);
  });

  it('can log in: accounts of clients and storages that are disabled do not count', async () => {
    await hold('the role itself');
    await rest('POST', '/clients', { clientId: 'resting', secret: 'resting', serviceAccountsEnabled: true });
    ids.resting = await idAt('/clients?clientId=resting');
    const account = (await admin.send('GET', `${master}/clients/${ids.resting}/service-account-user`)).body.id;
    await rest('POST', `/users/${account}/role-mappings/realm`, [roles.admin]);
    const leave = async () => (await mutate('userDelete', { id: theUser() }, admin, '@dryRun')).userErrors;
    expect(await leave()).toEqual([]);
    for (const [off, on] of [
      [{ enabled: false }, { enabled: true }],
      [{ publicClient: true }, { publicClient: false }],
      [{ bearerOnly: true }, { bearerOnly: false }],
    ]) {
      await rest('PUT', `/clients/${ids.resting}`, off);
      expect([off, await leave()]).toMatchObject([off, [{ code: 'LAST_ADMIN' }]]);
      await rest('PUT', `/clients/${ids.resting}`, on);
    }
    await rest('POST', '/components', {
      name: 'directory',
      providerId: 'ldap',
      providerType: 'org.keycloak.storage.UserStorageProvider',
      config: { enabled: ['true'], connectionUrl: ['ldap://127.0.0.1:1'] },
    });
    const storage = await idAt('/components?name=directory');
    ids.directory = storage;
    await rest('DELETE', `/users/${account}/role-mappings/realm`, [roles.admin]);
    await rest('PUT', `/users/${ids.admin}`, { federationLink: storage });
    const disable = { id: node('Component', 'directory'), settings: [{ name: 'enabled', values: ['false'] }] };
    const taking: [string, object][] = [
      ['componentUpdate', disable],
      ['componentDelete', { id: node('Component', 'directory') }],
      ['userStorageRemoveUsers', { id: node('UserStorage', 'directory') }],
    ];
    for (const [name, input] of taking) {
      for (const directive of ['@dryRun', '']) {
        const { userErrors } = await mutate(name, input, admin, directive);
        expect([name, userErrors]).toMatchObject([name, [{ code: 'LAST_ADMIN', path: null }]]);
      }
    }
    await rest('POST', `/users/${account}/role-mappings/realm`, [roles.admin]);
    for (const [name, input] of taking) {
      expect([name, (await mutate(name, input, admin, '@dryRun')).userErrors]).toEqual([name, []]);
    }
    await rest('PUT', `/users/${ids.admin}`, { federationLink: '' });
    await rest('DELETE', `/components/${storage}`);
    await rest('DELETE', `/clients/${ids.resting}`);
  });

  it('can be deleted in REST, as the contract has it', async () => {
    expect((await admin.send('DELETE', `${master}/users/${ids.admin}`)).status).toBe(204);
  });
});
