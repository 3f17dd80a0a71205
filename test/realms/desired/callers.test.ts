import { beforeAll, describe, expect, it } from 'vitest';
import { makeHostileRealm } from '../../administration/fixture.js';
import { roleNames } from '../../permissions/rules.js';
import { administrator, type Caller, userOf } from '../../support/fixture.js';
import { startServer, type TestServer } from '../../support/server.js';

// Who may plan and apply, what a plan tells to whom, and what nobody gets by a file.
const realm = 'hostile';
const password = [{ type: 'password', value: 'pw' }];
const viewers = [
  'view-realm',
  'view-users',
  'view-clients',
  'view-identity-providers',
  'view-events',
  'view-authorization',
];

let server: TestServer;
let admin: Caller;
let boss: Caller;
let ids: Awaited<ReturnType<typeof makeHostileRealm>>['ids'];

beforeAll(async () => {
  server = await startServer();
  ({ admin, ids } = await makeHostileRealm(server, realm));
  const user = (username: string, more: object = {}) => ({ username, enabled: true, credentials: password, ...more });
  const made = await admin.send('POST', '/', {
    realm: 'elsewhere',
    enabled: true,
    roles: { realm: [{ name: 'theirs' }] },
    users: [user('boss', { clientRoles: { 'realm-management': ['realm-admin'] } })],
  });
  expect(made.status).toBe(201);
  const auditors = await admin.send('POST', `/${realm}/partialImport`, {
    users: [
      user('auditor', { clientRoles: { 'realm-management': viewers } }),
      user('no-users', { clientRoles: { 'realm-management': viewers.filter((name) => name !== 'view-users') } }),
    ],
  });
  expect(auditors.status).toBe(200);
  for (const [username, roles] of [
    ['half', ['manage-realm', 'manage-users', 'manage-clients']],
    ['outsider', []],
  ] as const) {
    const master = await admin.send('POST', '/master/partialImport', {
      users: [user(username, { clientRoles: { [`${realm}-realm`]: roles } })],
    });
    expect(master.status).toBe(200);
  }
  boss = await userOf(server, realm, 'boss', 'pw');
});

const plan = (caller: Caller, desired: object, more: object = {}) =>
  caller.send('POST', `/admin/realms/${realm}/plan`, { desired, ...more });
const apply = (caller: Caller, desired: object, more: object = {}) =>
  caller.send('POST', `/admin/realms/${realm}/apply`, { desired, ...more });
const exported = async (name = realm) =>
  (await admin.send('GET', `/admin/realms/${name}/export?secrets=true`)).body as object;

interface ApplyAnswer {
  realmApply: { userErrors: { code: string }[]; plan: { summary: { create: number } } | null };
}
const applied = (caller: Caller, json: object) =>
  caller.graphql<ApplyAnswer>(
    `mutation ($input: RealmApplyInput!) {
      realmApply(input: $input) { userErrors { code } plan { summary { create } } }
    }`,
    { input: { id: btoa(`Realm:${ids.realm}`), desired: { json } } },
  );

const aRole = { roles: { realm: [{ name: 'from a file' }] } };
const kept = { modes: { roles: 'KEEP' } };

describe('an apply', () => {
  it.each([...roleNames, 'auditor', 'victim'])(
    'is refused to %s, on both surfaces, and leaves no trace',
    async (name) => {
      const before = await exported();
      const caller = await userOf(server, realm, name, 'pw');
      expect((await apply(caller, aRole, kept)).status).toBe(403);
      expect((await apply(caller, {}, kept)).status).toBe(403);
      const { data } = await applied(caller, aRole);
      expect(['FORBIDDEN', 'NOT_FOUND']).toContain(data.realmApply.userErrors[0]?.code);
      expect(data.realmApply.plan).toBeNull();
      expect(await exported()).toEqual(before);
    },
  );

  it('is refused to administrators of another realm, and to those of master without all roles of this one', async () => {
    const others = [
      await userOf(server, 'elsewhere', 'boss', 'pw'),
      await userOf(server, 'master', 'half', 'pw'),
      await userOf(server, 'master', 'outsider', 'pw'),
    ];
    for (const caller of others) {
      expect((await apply(caller, aRole, kept)).status).toBe(403);
      expect((await plan(caller, aRole, kept)).status).toBe(403);
    }
  });

  it('is refused to a token of a client whose scope lacks a role', async () => {
    const made = await admin.send('POST', `/${realm}/clients`, {
      clientId: 'narrow',
      publicClient: true,
      directAccessGrantsEnabled: true,
      fullScopeAllowed: false,
    });
    expect(made.status).toBe(201);
    const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', client_id: 'narrow', username: 'boss', password: 'pw' }),
    });
    const { access_token: token } = (await response.json()) as { access_token: string };
    const answer = await admin.send(
      'POST',
      `/admin/realms/${realm}/apply`,
      { desired: aRole },
      {
        authorization: `Bearer ${token}`,
      },
    );
    expect(answer.status).toBe(403);
  });

  it('is for those with all permissions of the realm', async () => {
    const { status, body } = await apply(boss, aRole, kept);
    expect([status, body.summary]).toEqual([200, expect.objectContaining({ create: 1, update: 0, delete: 0 })]);
  });
});

describe('a plan', () => {
  it.each(roleNames.filter((name) => name !== 'realm-admin'))('is refused to %s alone', async (name) => {
    const caller = await userOf(server, realm, name, 'pw');
    expect((await plan(caller, aRole)).status).toBe(403);
  });

  it('of users is refused to those who may not view users', async () => {
    const caller = await userOf(server, realm, 'no-users', 'pw');
    const file = { users: [{ username: 'boss', firstName: 'guess' }] };
    expect((await plan(caller, file)).status).toBe(403);
    expect((await plan(await userOf(server, realm, 'auditor', 'pw'), file)).status).toBe(200);
  });

  it('tells nobody who may not export secrets whether a guess at one is right', async () => {
    const caller = await userOf(server, realm, 'auditor', 'pw');
    const guess = (secret: string, clientSecret: string) => ({
      clients: [{ clientId: 'app', secret }],
      identityProviders: [{ alias: 'corporate', config: { clientSecret } }],
      smtpServer: { host: 'mail.example', from: 'a@shop.example', user: 'x', password: secret },
    });
    const modes = { modes: { clients: 'KEEP', identityProviders: 'KEEP' } };
    const [right, wrong] = [
      await plan(caller, guess('app-secret', 'y'), modes),
      await plan(caller, guess('a-guess', 'z'), modes),
    ];
    expect([right.status, wrong.status]).toEqual([200, 200]);
    expect(right.body).toEqual(wrong.body);
    expect(JSON.stringify(wrong.body)).not.toMatch(/app-secret|a-guess/);
    // who may export them sees that they differ, and neither value
    const [same, other] = [
      await plan(boss, guess('app-secret', 'y'), modes),
      await plan(boss, guess('a-guess', 'z'), modes),
    ];
    expect(same.body.digest).not.toBe(other.body.digest);
    const secrets = other.body.changes.flatMap(({ fields }: { fields: { isSecret: boolean }[] }) =>
      fields.filter(({ isSecret }) => isSecret),
    );
    expect(secrets.length).toBeGreaterThanOrEqual(2);
    for (const { before, after } of secrets) {
      expect([before, after].filter((value) => value !== undefined && value !== '**********')).toEqual([]);
    }
    expect(JSON.stringify(other.body)).not.toMatch(/app-secret|a-guess/);
  });
});

describe('a file', () => {
  it('changes no object of another realm whose ID it has', async () => {
    const elsewhere = await exported('elsewhere');
    const [role] = (await admin.send('GET', '/elsewhere/roles?search=theirs')).body as { id: string }[];
    const [user] = (await admin.send('GET', '/elsewhere/users?username=boss')).body as { id: string }[];
    const answer = await apply(
      boss,
      {
        roles: { realm: [{ id: role?.id, name: 'taken over' }] },
        users: [{ id: user?.id, username: 'taken over', enabled: false }],
      },
      { modes: { roles: 'KEEP', users: 'KEEP' } },
    );
    expect([200, 400, 409]).toContain(answer.status);
    expect(await exported('elsewhere')).toEqual(elsewhere);
  });

  it.each([
    ['another name of the realm', { realm: 'renamed' }, 'describes the realm "renamed"'],
    [
      'roles of master',
      { users: [{ username: 'victim', clientRoles: { [`${realm}-realm`]: ['manage-realm'] } }] },
      'not found',
    ],
    [
      'the administration role under another name',
      () => ({ roles: { client: { 'realm-management': [{ id: ids.rights['manage-users'], name: 'harmless' }] } } }),
      'cannot be removed or renamed',
    ],
    ['a webhook to this machine', { webhooks: [{ name: 'inside', url: 'http://127.0.0.1:9/x' }] }, ''],
    ['a webhook to a file', { webhooks: [{ name: 'inside', url: 'file:///etc/passwd' }] }, 'http or https'],
    ['a flow that contains itself', { authenticationFlows: cycle() }, ''],
  ] as [string, object | (() => object), string][])('with %s is refused', async (_what, file, text) => {
    const before = await exported();
    const desired = typeof file === 'function' ? (file as () => object)() : file;
    const modes = { modes: { webhooks: 'KEEP', authenticationFlows: 'KEEP', clientRoles: 'KEEP', users: 'KEEP' } };
    const answer = await apply(boss, desired, modes);
    expect(answer.status).toBe(400);
    expect(answer.body.errorMessage).toContain(text);
    expect((await plan(boss, desired, modes)).status).toBe(400);
    expect(await exported()).toEqual(before);
  });

  it('links a user to a directory only by an ID that is one', async () => {
    const before = await exported();
    const answer = await plan(boss, { users: [{ username: 'victim', federationLink: 'no-such-directory' }] });
    const linked = await plan(boss, { users: [{ username: 'victim', federationLink: ids.storage }] });
    expect([answer.status, linked.status].every((status) => status === 200 || status === 400)).toBe(true);
    if (answer.status === 200 && linked.status === 200) expect(answer.body.digest).not.toBe(linked.body.digest);
    expect(await exported()).toEqual(before);
  });

  it('may have roles that contain each other', async () => {
    const ring = ['one', 'two', 'three'].map((name, at, all) => ({
      name,
      composites: { realm: [all[(at + 1) % all.length]] },
    }));
    const { status, body } = await apply(boss, { roles: { realm: ring } }, kept);
    expect([status, body.summary]).toEqual([200, expect.objectContaining({ create: 3 })]);
    const dependsOn = Object.fromEntries(
      body.changes.map((change: { key: string; dependsOn: { key: string }[] }) => [
        change.key,
        change.dependsOn.map(({ key }) => key),
      ]),
    );
    expect(dependsOn).toEqual({ one: ['two'], two: ['three'], three: ['one'] });
  });

  it('is refused if it is nested too deeply, names the prototype, or is none', async () => {
    const deep = `{"desired":${'{"a":'.repeat(300)}1${'}'.repeat(301)}`;
    const bodies = [deep, '{"desired":{"__proto__":{"enabled":false}}}', '{}', '[]', '{"desired":[]}', '{"desired":7}'];
    for (const body of bodies) {
      const answer = await boss.send('POST', `/admin/realms/${realm}/apply`, body, {
        'content-type': 'application/json',
      });
      expect([body.slice(0, 40), answer.status]).toEqual([body.slice(0, 40), 400]);
    }
    const groups = Array.from({ length: 190 }).reduce<object[]>((subGroups) => [{ name: 'g', subGroups }], []);
    expect((await plan(boss, { groups }, { modes: { groups: 'KEEP' } })).status).toBeLessThan(500);
  });

  it('with administration roles is for those with all of them', async () => {
    const robot = {
      username: 'service-account-robot',
      serviceAccountClientId: 'robot',
      clientRoles: { 'realm-management': ['manage-users'] },
    };
    expect((await apply(boss, { users: [robot] })).status).toBe(200);
    expect((await apply(await userOf(server, realm, 'manage-users', 'pw'), { users: [robot] })).status).toBe(403);
  });
});

describe('the master realm', () => {
  const onMaster = async (desired: object, more: object = {}) =>
    (await administrator(server)).send('POST', '/admin/realms/master/apply', { desired, allowDeletes: 99, ...more });

  it('keeps what realms are administered by', async () => {
    const before = await exported('master');
    const roles = (await admin.send('GET', '/master/roles')).body as { id: string; name: string }[];
    const administratorRole = roles.find(({ name }) => name === 'admin');
    const clients = (await admin.send('GET', '/master/clients')).body as { id: string; clientId: string }[];
    const standing = clients.find(({ clientId }) => clientId === `${realm}-realm`);
    for (const [desired, modes] of [
      [{ enabled: false }, {}],
      [{ notBefore: 2_000_000_000 }, {}],
      [{ roles: { realm: [{ id: administratorRole?.id, name: 'other' }] } }, { roles: 'KEEP' }],
      [{ roles: { realm: [{ name: 'admin', composites: {} }] } }, { roles: 'KEEP' }],
      [{ clients: [{ id: standing?.id, clientId: 'other' }] }, { clients: 'KEEP' }],
      [{ users: [] }, { users: 'FULL' }],
      [{ users: [{ username: 'admin', enabled: false }] }, {}],
      [{ users: [{ username: 'admin', realmRoles: [] }] }, {}],
    ] as const) {
      const answer = await onMaster(desired, { modes });
      expect([desired, answer.body]).toEqual([
        desired,
        expect.objectContaining({ errorMessage: expect.stringMatching(/master|renamed|admin/) }),
      ]);
      expect([400, 409]).toContain(answer.status);
    }
    expect(await exported('master')).toEqual(before);
  });
});

function cycle(): object[] {
  const flow = (alias: string, flowAlias: string) => ({
    alias,
    providerId: 'basic-flow',
    topLevel: true,
    builtIn: false,
    authenticationExecutions: [{ flowAlias, autheticatorFlow: true, requirement: 'REQUIRED', priority: 1 }],
  });
  return [flow('ring one', 'ring two'), flow('ring two', 'ring one')];
}
