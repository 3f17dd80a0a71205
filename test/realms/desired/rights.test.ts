import { beforeAll, describe, expect, it } from 'vitest';
import { type Ids, makeHostileRealm } from '../../administration/fixture.js';
import { roleNames } from '../../permissions/rules.js';
import { type Caller, userOf } from '../../support/fixture.js';
import { sampled } from '../../support/sample.js';
import { startServer, type TestServer } from '../../support/server.js';

// A file gives nobody more than the operations on single objects: every set of administration roles, every kind of object.
const realm = 'hostile';
const rights = roleNames.filter((name) => name !== 'realm-admin');
const viewing = rights.filter((name) => /^(view|query)-/.test(name));
const without = (roles: readonly string[], role: string) => roles.filter((one) => one !== role);
const callers: Readonly<Record<string, readonly string[]>> = Object.fromEntries([
  ['all', rights],
  ['all-views', viewing],
  ...rights.map((role) => [`only-${role}`, [role]]),
  ...rights.map((role) => [`all-but-${role}`, without(rights, role)]),
  ...viewing.map((role) => [`all-views-but-${role}`, without(viewing, role)]),
]);

// the roles to view bring these
const brought = ['query-clients', 'query-groups', 'query-users'];
const isWhole = (username: string) => username === 'all' || brought.some((role) => username === `all-but-${role}`);

let server: TestServer;
let ids: Ids;

beforeAll(async () => {
  server = await startServer();
  const made = await makeHostileRealm(server, realm);
  ids = made.ids;
  const users = Object.entries(callers).map(([username, roles]) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'pw' }],
    clientRoles: { 'realm-management': roles },
  }));
  expect((await made.admin.send('POST', `/${realm}/partialImport`, { users })).status).toBe(200);
});

type Request = readonly [method: string, path: string, body?: object];

interface Kind {
  /** the operations on single objects that do the same as the files */
  create: () => Request;
  update: () => Request;
  remove: () => Request;
  /** what shows objects of the kind, as a plan does */
  read: () => Request;
  /** a file with these objects of the kind */
  file: (objects: object[]) => object;
  mode: string;
  /** the key of an object that is there */
  known: object;
}

const kind = (
  path: string,
  file: Kind['file'],
  mode: string,
  known: object,
  fresh: object,
  item: () => string,
): Kind => ({
  create: () => ['POST', path, fresh],
  update: () => ['PUT', item(), { ...known, description: 'other' }],
  remove: () => ['DELETE', item()],
  read: () => ['GET', item()],
  file,
  mode,
  known,
});

const oidc = {
  providerId: 'oidc',
  config: { authorizationUrl: 'https://idp.example/a', tokenUrl: 'https://idp.example/t' },
};
const policies = (): string => `/clients/${ids.clients.app}/authz/resource-server`;

const kinds: Readonly<Record<string, Kind>> = {
  roles: kind(
    '/roles',
    (realmRoles) => ({ roles: { realm: realmRoles } }),
    'roles',
    { name: 'plain' },
    { name: 'new' },
    () => '/roles/plain',
  ),
  groups: kind(
    '/groups',
    (groups) => ({ groups }),
    'groups',
    { name: 'staff' },
    { name: 'new' },
    () => `/groups/${ids.groups.staff}`,
  ),
  clients: kind(
    '/clients',
    (clients) => ({ clients }),
    'clients',
    { clientId: 'app' },
    { clientId: 'new' },
    () => `/clients/${ids.clients.app}`,
  ),
  clientScopes: kind(
    '/client-scopes',
    (clientScopes) => ({ clientScopes }),
    'clientScopes',
    { name: 'email' },
    { name: 'new', protocol: 'openid-connect' },
    () => `/client-scopes/${ids.scope}`,
  ),
  identityProviders: kind(
    '/identity-provider/instances',
    (identityProviders) => ({ identityProviders }),
    'identityProviders',
    { alias: 'corporate', ...oidc },
    { alias: 'new', ...oidc },
    () => '/identity-provider/instances/corporate',
  ),
  users: kind(
    '/users',
    (users) => ({ users }),
    'users',
    { username: 'victim' },
    { username: 'new' },
    () => `/users/${ids.users.victim}`,
  ),
  components: kind(
    '/components',
    (components) => ({ components: { 'org.keycloak.storage.UserStorageProvider': components } }),
    'components',
    { name: 'directory', providerId: 'ldap', config: { enabled: ['false'] } },
    { name: 'new', providerId: 'ldap', providerType: 'org.keycloak.storage.UserStorageProvider' },
    () => `/components/${ids.storage}`,
  ),
  policies: {
    create: () => ['POST', `${policies()}/policy/client`, { name: 'new', clients: [ids.clients.app] }],
    update: () => ['PUT', policies(), { policyEnforcementMode: 'PERMISSIVE' }],
    remove: () => ['PUT', policies(), { policyEnforcementMode: 'DISABLED' }],
    read: () => ['GET', `${policies()}/policy`],
    file: (policies) => ({ clients: [{ clientId: 'app', authorizationSettings: { policies } }] }),
    mode: 'clients',
    known: { name: 'always', type: 'client', config: { clients: '["app"]' } },
  },
};

const dryRun = { prefer: 'dry-run' };
const isDone = ({ status }: { status: number }): boolean => status < 300;

async function alone(caller: Caller, [method, path, body]: Request): Promise<number> {
  return (await caller.send(method, `/admin/realms/${realm}${path}`, body, method === 'GET' ? {} : dryRun)).status;
}
const byFile = (caller: Caller, action: 'plan' | 'apply', desired: object, mode: string, kept = 'KEEP') =>
  caller.send(
    'POST',
    `/admin/realms/${realm}/${action}`,
    { desired, modes: { [mode]: kept }, allowDeletes: 1000 },
    action === 'apply' ? dryRun : {},
  );

describe.each(sampled(Object.keys(callers), 12))('%s', (username) => {
  it('applies and plans by a file no more than by operations on single objects', async () => {
    const caller = await userOf(server, realm, username, 'pw');
    const more: unknown[] = [];
    let applied = 0;
    for (const [name, { create, update, remove, read, file, mode, known }] of Object.entries(kinds)) {
      const isPolicy = name === 'policies';
      const fresh = isPolicy ? { ...known, name: 'new' } : (create()[2] as object);
      const ways = [
        { what: 'create', request: create(), desired: file([known, fresh]), kept: 'KEEP' },
        { what: 'update', request: update(), desired: file([{ ...known, description: 'other' }]), kept: 'KEEP' },
        { what: 'delete', request: remove(), desired: file([]), kept: 'FULL' },
      ];
      for (const { what, request, desired, kept } of ways) {
        const answer = await byFile(caller, 'apply', desired, mode, isPolicy ? 'KEEP' : kept);
        if (!isDone(answer)) {
          expect([name, what, answer.status, answer.body]).toEqual([name, what, 403, expect.anything()]);
          continue;
        }
        applied += 1;
        const single = await alone(caller, request);
        if (single === 403) more.push([name, what, single]);
      }
      const planned = await byFile(caller, 'plan', file([known]), mode);
      if (isDone(planned)) {
        const shown = await alone(caller, read());
        if (shown >= 400) more.push([name, 'plan', shown]);
      } else expect([name, planned.status]).toEqual([name, 403]);
    }
    expect(more).toEqual([]);
    expect(applied).toBe(isWhole(username) ? 3 * Object.keys(kinds).length : 0);
  });
});

describe('a plan', () => {
  it('is for those who may view all of the realm', async () => {
    const planned: string[] = [];
    for (const username of Object.keys(callers)) {
      const caller = await userOf(server, realm, username, 'pw');
      if (isDone(await byFile(caller, 'plan', { users: [{ username: 'victim' }] }, 'users'))) planned.push(username);
    }
    // who may manage something may view it; nothing that a plan shows depends on the roles to ask
    const needless = rights.filter((role) => !/^view-(authorization|users|clients|identity|events|realm)/.test(role));
    expect(planned.filter((name) => name.startsWith('all-views'))).toEqual([
      'all-views',
      ...viewing.filter((role) => needless.includes(role)).map((role) => `all-views-but-${role}`),
    ]);
    expect(planned.filter((name) => name.startsWith('only-'))).toEqual([]);
  });
});
