import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Caller, startWithRealm, userOf } from '../../support/fixture.js';
import { slowClockAhead, type TestServer } from '../../support/server.js';
import { countStatements } from '../../support/statements.js';

// A realm that follows a file says so, and so does every change by hand of what the file describes.
const realm = 'managed';
let server: TestServer;
let admin: Caller;
let node: string;
/** how far the clock of the server is ahead, in milliseconds */
let ahead = 0;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      adminEventsEnabled: true,
      adminEventsDetailsEnabled: true,
      roles: { realm: [{ name: 'by-hand' }] },
      users: [
        { username: 'ann', enabled: true },
        {
          username: 'boss',
          enabled: true,
          credentials: [{ type: 'password', value: 'pw' }],
          clientRoles: { 'realm-management': ['realm-admin'] },
        },
      ],
    },
    {},
    slowClockAhead(() => ahead),
  ));
  node = btoa(`Realm:${(await admin.send('GET', `/${realm}`)).body.id}`);
});

const desired = {
  roles: { realm: [{ name: 'buyer' }] },
  clients: [{ clientId: 'shop', protocolMappers: [] }],
  groups: [{ name: 'staff' }],
  authenticationFlows: [
    {
      alias: 'own',
      providerId: 'basic-flow',
      topLevel: true,
      builtIn: false,
      authenticationExecutions: [{ authenticator: 'auth-cookie', requirement: 'ALTERNATIVE', priority: 10 }],
    },
  ],
};
const modes = { roles: 'KEEP', clients: 'KEEP', groups: 'KEEP', authenticationFlows: 'KEEP' };
const origin = { source: 'https://git.example/käse realm', revision: '4f53cda' };
const apply = (more: object = origin): Promise<Answer> =>
  admin.send('POST', `/${realm}/apply`, { desired, modes, allowDeletes: 10, ...more });
const headerOf = ({ headers }: Answer) => headers.get('realmgate-managed');
const header = 'https://git.example/k%C3%A4se%20realm 4f53cda';
const find = async (path: string) => (await admin.send('GET', `/${realm}/${path}`)).body[0];

it('follows no file until one is applied with its source', async () => {
  expect((await apply({})).status).toBe(200);
  expect((await admin.send('GET', `/${realm}/managed`)).status).toBe(404);
  expect(headerOf(await admin.send('PUT', `/${realm}/roles/buyer`, { name: 'buyer', description: 'A' }))).toBeNull();
  expect((await apply()).status).toBe(200);
  expect((await admin.send('GET', `/${realm}/managed`)).body).toMatchObject({
    ...origin,
    appliedBy: { clientId: 'admin-cli' },
  });
  const events = await server.database.read.adminEvent.count();
  expect((await apply()).body.changes).toEqual([]);
  // a revision that changes nothing is noted, once
  expect((await apply({ ...origin, revision: 'next' })).body.changes).toEqual([]);
  expect(await server.database.read.adminEvent.count()).toBe(events + 1);
  expect((await admin.send('GET', `/${realm}/managed`)).body.revision).toBe('next');
  expect((await apply()).status).toBe(200);
  const { data } = await admin.graphql<{ node: object }>(
    `{ node(id: "${node}") { ... on Realm { managed { source revision appliedBy { clientId } }
      applies(first: 1) { totalCount nodes: edges { node { number source created revertPlan { warnings summary { delete } } } } } } } }`,
  );
  expect(data.node).toMatchObject({
    managed: { ...origin, appliedBy: { clientId: 'admin-cli' } },
    applies: {
      totalCount: 1,
      nodes: [{ node: { number: 1, source: null, created: 4, revertPlan: { summary: { delete: 3 } } } }],
    },
  });
});

describe('a change by hand', () => {
  it('of what the file describes, or of a part of it, is answered with the source', async () => {
    const { id: client } = await find('clients?clientId=shop');
    const { id: group } = await find('groups?search=staff');
    const [step] = (await admin.send('GET', `/${realm}/authentication/flows/own/executions`)).body;
    const mapper = { name: 'm', protocol: 'openid-connect', protocolMapper: 'oidc-hardcoded-claim-mapper', config: {} };
    for (const [method, path, body] of [
      ['PUT', `roles/buyer`, { name: 'buyer', description: 'B' }],
      ['PUT', `clients/${client}`, { description: 'By hand' }],
      ['POST', `clients/${client}/protocol-mappers/models`, mapper],
      ['PUT', `groups/${group}`, { name: 'staff', attributes: { a: ['b'] } }],
      ['PUT', 'authentication/flows/own/executions', { ...step, requirement: 'REQUIRED' }],
    ] as const) {
      const answer = await admin.send(method, `/${realm}/${path}`, body);
      expect([path, Math.floor(answer.status / 100), headerOf(answer)]).toEqual([path, 2, header]);
    }
  });

  it('of anything else is answered as ever', async () => {
    const { id: ann } = await find('users?username=ann');
    for (const [method, path, body] of [
      ['PUT', 'roles/by-hand', { name: 'by-hand', description: 'C' }],
      ['POST', 'roles', { name: 'more' }],
      ['PUT', `users/${ann}`, { firstName: 'Ann' }],
      ['PUT', '', { displayName: 'By hand' }],
      ['POST', 'logout-all', undefined],
    ] as const) {
      const answer = await admin.send(method, `/${realm}${path && '/'}${path}`, body);
      expect([path, Math.floor(answer.status / 100), headerOf(answer)]).toEqual([path, 2, null]);
    }
  });

  it('warns in GraphQL', async () => {
    const id = btoa(`Role:${(await admin.send('GET', `/${realm}/roles/buyer`)).body.id}`);
    const { data } = await admin.graphql<{ roleUpdate: { warnings: string[] } }>(
      `mutation { roleUpdate(input: { id: "${id}", description: "D" }) { warnings userErrors { message } } }`,
    );
    expect(data.roleUpdate.warnings).toEqual([expect.stringContaining(origin.source)]);
  });

  it('shows in the plan, with who has made it', async () => {
    const { body } = await admin.send('POST', `/${realm}/plan`, {
      desired: { ...desired, roles: { realm: [{ name: 'buyer', description: 'As in the file' }] } },
      modes,
    });
    const changes = body.changes as { kind: string; lastChangedAt: number; lastChangedBy: { clientId: string } }[];
    expect(changes.map(({ kind, lastChangedBy }) => [kind, lastChangedBy?.clientId])).toEqual(
      expect.arrayContaining([
        ['AUTH_FLOW', 'admin-cli'],
        ['CLIENT', 'admin-cli'],
        ['REALM_ROLE', 'admin-cli'],
      ]),
    );
    const deleted = await admin.send('DELETE', `/${realm}/roles/buyer`);
    expect([deleted.status, headerOf(deleted)]).toEqual([204, header]);
    const after = await admin.send('POST', `/${realm}/plan`, { desired: { roles: desired.roles }, modes });
    expect(after.body.changes).toMatchObject([
      { action: 'CREATE', key: 'buyer', lastChangedBy: { clientId: 'admin-cli', username: 'admin' } },
    ]);
  });

  it('shows the name of who has made it only to those who may view the users of that realm', async () => {
    const boss = await userOf(server, realm, 'boss', 'pw');
    const { id: client } = await find('clients?clientId=shop');
    const names = async (changer: Caller) => {
      // the last change is found by its time
      ahead += 1;
      const description = `By hand ${changer.token.length} ${Math.random()}`;
      expect((await changer.send('PUT', `/admin/realms/${realm}/clients/${client}`, { description })).status).toBe(204);
      const file = { desired: { clients: [{ clientId: 'shop', description: '' }] }, modes };
      const plans = [admin, boss].map((caller) => caller.send('POST', `/admin/realms/${realm}/plan`, file));
      return (await Promise.all(plans)).map(({ body }) => body.changes[0]?.lastChangedBy?.username);
    };
    expect(await names(boss)).toEqual(['boss', 'boss']);
    // the administrator is a user of another realm
    expect(await names(admin)).toEqual(['admin', undefined]);
  });

  it('is refused where the attribute of the realm says so, and answered as ever where that says it too', async () => {
    const { id: client } = await find('clients?clientId=shop');
    const change = () => admin.send('PUT', `/${realm}/clients/${client}`, { description: `${Math.random()}` });
    const { attributes } = (await admin.send('GET', `/${realm}`)).body;
    const says = (managedChanges: string) =>
      admin.send('PUT', `/${realm}`, { attributes: { ...attributes, managedChanges } });
    const wrong = await says('sometimes');
    expect([wrong.status, wrong.body.errorMessage]).toEqual([
      400,
      '`managedChanges` must be one of warn, refuse, ignore, got sometimes',
    ]);
    expect((await says('refuse')).status).toBe(204);
    const refused = await change();
    expect([refused.status, refused.body.errorMessage]).toEqual([409, expect.stringContaining(origin.source)]);
    const id = btoa(`Client:${client}`);
    const { data } = await admin.graphql<{ clientUpdate: { userErrors: object[] } }>(
      `mutation { clientUpdate(input: { id: "${id}", description: "E" }) { userErrors { code } } }`,
    );
    expect(data.clientUpdate.userErrors).toEqual([{ code: 'MANAGED' }]);
    // the file itself may change it, and take that back
    expect((await apply()).status).toBe(200);
    const [{ id: last }] = (await admin.send('GET', `/${realm}/applies`)).body;
    expect((await admin.send('POST', `/${realm}/applies/${last}/revert`, { allowDeletes: 10 })).status).toBe(200);
    expect((await says('ignore')).status).toBe(204);
    const ignored = await change();
    expect([ignored.status, headerOf(ignored)]).toEqual([204, null]);
    expect((await says('warn')).status).toBe(204);
    expect(headerOf(await change())).toBe(header);
    expect((await admin.send('DELETE', `/${realm}/managed`)).status).toBe(204);
    expect(headerOf(await change())).toBeNull();
    expect((await admin.send('GET', `/${realm}/managed`)).status).toBe(404);
  });
});

it('costs at most one statement in a realm that follows a file, and none in others', async () => {
  let changes = 0;
  const change = async (path: string) => {
    changes += 1;
    const body = { name: path.split('/').at(-1), description: `Change ${changes}` };
    expect((await admin.send('PUT', `/${realm}/${path}`, body)).status).toBe(204);
  };
  const costOf = async (path: string): Promise<number> => {
    // caches have to be as they are after a change of the same role
    await change(path);
    return countStatements(server, () => change(path));
  };
  expect((await apply({})).status).toBe(200);
  const free = await costOf('roles/buyer');
  expect((await apply()).status).toBe(200);
  expect(await costOf('roles/buyer')).toBe(free + 1);
  expect(await costOf('roles/by-hand')).toBe(free + 1);
  const { attributes } = (await admin.send('GET', `/${realm}`)).body;
  await admin.send('PUT', `/${realm}`, { attributes: { ...attributes, managedChanges: 'ignore' } });
  expect(await costOf('roles/buyer')).toBe(free);
  expect((await admin.send('DELETE', `/${realm}/managed`)).status).toBe(204);
  expect(await costOf('roles/buyer')).toBe(free);
});
