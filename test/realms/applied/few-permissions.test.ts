import { beforeAll, describe, expect, it } from 'vitest';
import { type Ids, makeHostileRealm } from '../../administration/fixture.js';
import { subscribe } from '../../events/sse.js';
import { may, roleNames } from '../../permissions/rules.js';
import { type Answer, type Caller, userOf } from '../../support/fixture.js';
import { sampled } from '../../support/sample.js';
import { startServer, type TestServer } from '../../support/server.js';

// What callers with few permissions get of the applies of a realm: the whole of an answer for those who may see all that is in it, on both
// surfaces, and nothing of it for others, whatever management permissions they have about single objects.
const realm = 'hostile';
const rights = roleNames.filter((name) => name !== 'realm-admin');
const viewing = rights.filter((name) => name.startsWith('view-'));
const queries = ['query-users', 'query-groups', 'query-clients', 'query-realms'];
/** Those with management permissions about everything of a kind. */
const delegates = ['of-client', 'of-role', 'of-group', 'of-users', 'of-provider'];

const callers: Readonly<Record<string, readonly string[]>> = Object.fromEntries([
  ['all', rights],
  ['all-views', viewing],
  ['realm-and-events', ['view-realm', 'view-events']],
  ['all-but-view-users', rights.filter((role) => !['view-users', 'manage-users'].includes(role))],
  ...rights.map((role) => [`only-${role}`, [role]]),
  ...viewing.map((role) => [`all-views-but-${role}`, viewing.filter((one) => one !== role)]),
  ...rights.map((role) => [`all-but-${role}`, rights.filter((one) => one !== role)]),
  ...delegates.map((name) => [name, queries]),
]);

let server: TestServer;
let admin: Caller;
let ids: Ids;
let apply: string;
let digest: string;
/** The callers by their names, and somebody with all permissions of another realm. */
const known = new Map<string, Caller>();
let stranger: Caller;
const origin = { source: 'https://git.example/of-the-realm', revision: '4f53cda' };

const send = async (method: string, path: string, body?: unknown): Promise<Answer> => {
  const answer = await admin.send(method, `/admin/realms/${realm}${path}`, body);
  expect([method, path, answer.status < 300, answer.body]).toEqual([method, path, true, answer.body]);
  return answer;
};
const idIn = ({ headers }: Answer) => headers.get('location')?.split('/').at(-1) ?? '';

/** Lets a user do to an object all that management permissions can be about. */
async function delegate(username: string, path: string): Promise<void> {
  const { body } = await send('PUT', path, { enabled: true });
  const at = `/clients/${ids.clients['realm-management']}/authz/resource-server`;
  const users = [idIn(await send('POST', '/users', { username: `${username}-id`, enabled: true }))];
  const [own] = (await send('GET', `/users?username=${username}&exact=true`)).body;
  const policy = await send('POST', `${at}/policy/user`, { name: username, users: [own.id, ...users] });
  for (const id of Object.values<string>(body.scopePermissions)) {
    const known = (await send('GET', `${at}/permission/scope/${id}`)).body;
    await send('PUT', `${at}/permission/scope/${id}`, { ...known, policies: [policy.body.id] });
  }
}

beforeAll(async () => {
  server = await startServer();
  ({ admin, ids } = await makeHostileRealm(server, realm));
  const user = (username: string, roles: readonly string[]) => ({
    ...{ username, enabled: true, credentials: [{ type: 'password', value: 'pw' }] },
    clientRoles: { 'realm-management': roles },
  });
  const users = Object.entries(callers).map(([username, roles]) => user(username, roles));
  await send('POST', '/partialImport', { users });
  await delegate('of-client', `/clients/${ids.clients.app}/management/permissions`);
  await delegate('of-role', `/roles-by-id/${ids.roles.plain}/management/permissions`);
  await delegate('of-group', `/groups/${ids.groups.staff}/management/permissions`);
  await delegate('of-users', '/users-management-permissions');
  await delegate('of-provider', '/identity-provider/instances/corporate/management/permissions');
  const made = await admin.send('POST', '/', { realm: 'elsewhere', enabled: true, users: [user('boss', [])] });
  expect(made.status).toBe(201);
  const [boss] = (await admin.send('GET', '/admin/realms/elsewhere/users?username=boss')).body;
  const [client] = (await admin.send('GET', '/admin/realms/elsewhere/clients?clientId=realm-management')).body;
  const role = (await admin.send('GET', `/admin/realms/elsewhere/clients/${client.id}/roles/realm-admin`)).body;
  const path = `/admin/realms/elsewhere/users/${boss.id}/role-mappings/clients/${client.id}`;
  expect((await admin.send('POST', path, [role])).status).toBe(204);
  const desired = {
    clients: [{ clientId: 'app', description: 'From the file' }],
    groups: [{ name: 'staff', attributes: { of: ['the-file'] } }],
    users: [{ username: 'victim', email: 'guess.at.me@shop.example' }],
  };
  const input = { desired, modes: { clients: 'KEEP', groups: 'KEEP' }, progressId: 'theirs', ...origin };
  ({ digest } = (await send('POST', '/apply', input)).body);
  [{ id: apply }] = (await send('GET', '/applies')).body;
  for (const name of Object.keys(callers)) known.set(name, await userOf(server, realm, name, 'pw'));
  stranger = await userOf(server, 'elsewhere', 'boss', 'pw');
}, 120_000);
const callerOf = (name: string): Caller => {
  const caller = known.get(name);
  if (!caller) throw new Error(`Nobody is called ${name}`);
  return caller;
};

type Ask = (caller: Caller) => Promise<{ isShown: boolean; text: string }>;

const rest =
  (method: string, path: () => string, body?: object): Ask =>
  async (caller) => {
    const headers: Record<string, string> = method === 'GET' ? {} : { prefer: 'dry-run' };
    const answer = await caller.send(method, `/admin/realms/${realm}${path()}`, body, headers);
    if (answer.status >= 300) expect([path(), answer.status]).toEqual([path(), 403]);
    return { isShown: answer.status < 300, text: JSON.stringify(answer.body) };
  };
const node = (type: string, id: string) => btoa(`${type}:${id}`);
/** A field of a node, which shows anything unless it is null. */
const graph =
  (of: () => string, type: string, field: string): Ask =>
  async (caller) => {
    const query = `query ($id: ID!) { node(id: $id) { ... on ${type} { it: ${field} } } }`;
    const answer = await caller.graphql<{ node: { it?: unknown } | null }>(query, { id: of() });
    const it = answer.data?.node?.it;
    return { isShown: it !== null && it !== undefined, text: JSON.stringify(answer) };
  };
const ofRealm = () => node('Realm', ids.realm);
const ofApply = () => node('RealmApply', apply);
/** A mutation that is refused for another reason where the caller may make it. */
const mutation =
  (name: string, input: () => object): Ask =>
  async (caller) => {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    const query = `mutation ($input: ${type}!) { it: ${name}(input: $input) { userErrors { code message } } }`;
    const answer = await caller.graphql<{ it: { userErrors: { code: string }[] } }>(query, { input: input() });
    const codes = answer.data.it.userErrors.map(({ code }) => code);
    expect(['FORBIDDEN', 'NOT_FOUND', 'STALE']).toContain(codes[0]);
    return { isShown: codes.includes('STALE'), text: JSON.stringify(answer) };
  };
const progress: Ask = async (caller) => {
  const query = 'subscription ($realm: ID!) { it: realmApplyProgress(realm: $realm, progressId: "theirs") { status } }';
  const seen = await subscribe(server, caller.token, query, { realm: ofRealm() });
  await expect.poll(() => seen.ended(), { timeout: 20_000, interval: 20 }).toBe(true);
  const isShown = seen.messages.some(({ data }) => data?.it);
  return { isShown, text: JSON.stringify(seen.messages) };
};

/** What a caller must be allowed, each of it. */
const everything = 'everything';
const plans = [
  'view:realm',
  'view:groups',
  'view:clients',
  'view:identity-providers',
  'view:events',
  'view:authorization',
];
const file = { clients: [{ clientId: 'app', description: 'Guess' }] };
const files = { desired: file, modes: { clients: 'KEEP' } };
const withUsers = { desired: { users: [{ username: 'victim', email: 'guess.at.me@shop.example' }] } };
const json = (desired: object) => `plan(desired: { json: ${JSON.stringify(desired).replace(/"(\w+)":/g, '$1: ')} })`;
const asked: Readonly<Record<string, { needs: readonly string[]; ask: Ask }>> = {
  'the list over REST': { needs: ['view:events'], ask: rest('GET', () => '/applies') },
  'an apply over REST': { needs: ['view:events'], ask: rest('GET', () => `/applies/${apply}`) },
  'the list in GraphQL': {
    needs: ['view:events'],
    ask: graph(ofRealm, 'Realm', 'applies { totalCount edges { node { digest appliedBy { clientId } } } }'),
  },
  'an apply in GraphQL': { needs: ['view:events'], ask: graph(ofApply, 'RealmApply', 'digest') },
  'the file over REST': { needs: ['view:realm'], ask: rest('GET', () => '/managed') },
  'the file in GraphQL': { needs: ['view:realm'], ask: graph(ofRealm, 'Realm', 'managed { source revision }') },
  'a plan over REST': { needs: plans, ask: rest('POST', () => '/plan', files) },
  'a plan in GraphQL': { needs: plans, ask: graph(ofRealm, 'Realm', `${json(file)} { digest }`) },
  'a plan of users over REST': { needs: [...plans, 'view:users'], ask: rest('POST', () => '/plan', withUsers) },
  'a plan of users in GraphQL': {
    needs: [...plans, 'view:users'],
    ask: graph(ofRealm, 'Realm', `${json(withUsers.desired)} { digest }`),
  },
  'the plan of a revert over REST': {
    needs: [...plans, 'view:users'],
    ask: rest('GET', () => `/applies/${apply}/revert-plan`),
  },
  'the plan of a revert in GraphQL': {
    needs: [...plans, 'view:users'],
    ask: graph(ofApply, 'RealmApply', 'revertPlan { digest }'),
  },
  'a file over REST': { needs: [everything], ask: rest('POST', () => '/apply', files) },
  'a file in GraphQL': {
    needs: [everything],
    ask: mutation('realmApply', () => ({ id: ofRealm(), desired: { json: file }, expectedDigest: 'other' })),
  },
  'a revert over REST': { needs: [everything], ask: rest('POST', () => `/applies/${apply}/revert`, {}) },
  'a revert in GraphQL': {
    needs: [everything],
    ask: mutation('realmApplyRevert', () => ({ id: ofApply(), expectedDigest: 'other' })),
  },
  'the end of following over REST': { needs: [everything], ask: rest('DELETE', () => '/managed') },
  'the end of following in GraphQL': {
    needs: [everything],
    ask: mutation('realmUnmanage', () => ({ id: ofRealm(), expectedVersion: 9999 })),
  },
  'progress of an apply': { needs: [everything], ask: progress },
};

/** What only those get to see who are shown something. */
const hidden = () => [origin.source, digest, 'From the file', 'the-file', 'guess.at.me', 'victim'];
const holds = (roles: readonly string[], needs: string): boolean =>
  needs === everything
    ? rights.every((right) => roles.includes(right) || /^query-(users|groups|clients)$/.test(right))
    : roles.some((role) => may(role, needs));

describe.each(sampled(Object.keys(asked), 15))('%s', (what) => {
  const { needs, ask } = asked[what] as (typeof asked)[string];

  it('is for callers who may see or do all of it', async () => {
    const wrong: unknown[] = [];
    let shown = 0;
    for (const [username, roles] of Object.entries(callers)) {
      const { isShown, text } = await ask(callerOf(username));
      const isDue = needs.every((need) => holds(roles, need));
      shown += isShown ? 1 : 0;
      const told = isShown ? [] : hidden().filter((one) => text.includes(one));
      if (isShown !== isDue || told.length > 0) wrong.push([username, { isShown, isDue, told }, text.slice(0, 300)]);
    }
    expect(wrong).toEqual([]);
    expect(shown).toBeGreaterThan(0);
  });

  it('is for nobody of another realm', async () => {
    const { isShown, text } = await ask(stranger);
    expect([isShown, hidden().filter((one) => text.includes(one))]).toEqual([false, []]);
  });
});

describe('who applied the file that a realm follows', () => {
  it('is shown to those who may view events, on both surfaces', async () => {
    const seen: Record<string, boolean[]> = {};
    for (const username of ['only-view-realm', 'realm-and-events', 'only-manage-realm', 'all']) {
      const caller = callerOf(username);
      const { body } = await caller.send('GET', `/admin/realms/${realm}/managed`);
      const query = `{ node(id: "${ofRealm()}") { ... on Realm { managed { source appliedBy { clientId } } } } }`;
      const { data, errors } = await caller.graphql<{
        node: { managed: { source: string; appliedBy: object | null } };
      }>(query);
      expect([body.source, data.node.managed.source, errors]).toEqual([origin.source, origin.source, undefined]);
      seen[username] = [body.appliedBy !== undefined, data.node.managed.appliedBy !== null];
    }
    expect(seen).toEqual({
      'only-view-realm': [false, false],
      'realm-and-events': [true, true],
      'only-manage-realm': [false, false],
      all: [true, true],
    });
  });
});
