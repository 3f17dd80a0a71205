import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm, userOf } from '../support/fixture.js';
import { slowClock, type TestServer } from '../support/server.js';

// What `why` costs, and how much it explains, where policies and roles lead to one another in very many ways.
const realm = 'tangled';
const width = 30;
const levels = 25;
const length = 400;
let server: TestServer;
let admin: Caller;
const ids: Record<string, string> = {};

const nodeId = (name: string) => btoa(`User:${ids[name]}`);
const user = (username: string, more: object) => ({
  username,
  enabled: true,
  credentials: [{ type: 'password', value: 'pw' }],
  ...more,
});

async function send(method: string, path: string, body?: unknown) {
  const answer = await admin.send(method, `/${realm}${path}`, body);
  expect([method, path, answer.status < 300]).toEqual([method, path, true]);
  return answer.body;
}

beforeAll(async () => {
  const manageUsers = { client: { 'realm-management': ['manage-users'] } };
  ({ server, admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      roles: {
        realm: Array.from({ length }, (_, at) => ({
          name: `link ${at}`,
          composite: true,
          composites: at + 1 < length ? { realm: [`link ${at + 1}`] } : manageUsers,
        })),
      },
      users: [
        user('linked', { realmRoles: Array.from({ length }, (_, at) => `link ${at}`) }),
        user('far', { realmRoles: ['link 0'] }),
        user('ann', { clientRoles: { 'realm-management': ['query-users'] } }),
      ],
    },
    {},
    slowClock,
  ));
  for (const { id, username } of await send('GET', '/users')) ids[username] = id;
  const { scopePermissions } = await send('PUT', '/users-management-permissions', { enabled: true });
  const [{ id: client }] = await send('GET', '/clients?clientId=realm-management');
  const path = `/clients/${client}/authz/resource-server`;
  const create = async (type: string, name: string, more: object): Promise<string> =>
    (await send('POST', `${path}/policy/${type}`, { name, logic: 'POSITIVE', ...more })).id;
  const permit = async (scope: string, policies: readonly string[]) => {
    const at = `${path}/permission/scope/${scopePermissions[scope]}`;
    await send('PUT', at, { ...(await send('GET', at)), policies });
  };
  const leaves: string[] = [];
  for (let at = 0; at < width; at++) leaves.push(await create('user', `leaf ${at}`, { users: [ids.ann] }));
  const wide: string[] = [];
  for (let at = 0; at < width; at++) wide.push(await create('aggregate', `wide ${at}`, { policies: leaves }));
  await permit('manage', wide);
  let below = leaves.slice(0, 2);
  for (let level = 0; level < levels; level++) {
    const policies = below;
    below = [];
    for (const side of ['left', 'right']) below.push(await create('aggregate', `${side} ${level}`, { policies }));
  }
  await permit('view', below);
});

interface Decision {
  isPermitted: boolean;
  policies?: Decision[];
}
interface Why {
  isAllowed: boolean;
  hasMore: boolean;
  neededOneOf: unknown[];
  reasons: { isGranting: boolean; roles?: { name: string }[]; policies?: Decision[] }[];
}

const decision = '{ isPermitted policy { name } policies { isPermitted policy { name } } }';

async function why(who: string, permission: string) {
  const { data, errors, extensions } = await admin.graphql<{ why: Why }>(
    `{ why(user: "${nodeId(who)}", action: { permission: ${permission} }, object: "${nodeId('far')}") {
      isAllowed hasMore neededOneOf { roleName role { name } }
      reasons { isGranting ... on RoleExplanation { groups { name } roles { name } }
        ... on FineGrainedExplanation { policies ${decision} } } } }`,
  );
  expect(errors).toBeUndefined();
  const cost = extensions?.cost as { requested: number; actual: number };
  expect(cost.actual).toBeLessThanOrEqual(cost.requested);
  return data.why;
}

const count = (decisions: readonly Decision[] = []): number =>
  decisions.reduce((sum, { policies }) => sum + 1 + count(policies), 0);

describe('policies that are combined in very many ways', () => {
  it('are evaluated for a list of users', async () => {
    const ann = await userOf(server, realm, 'ann', 'pw');
    const { status, body } = await ann.send('GET', `/${realm}/users?max=3`);
    expect([status, body.length]).toEqual([200, 3]);
  });

  it.each(['VIEW_USERS', 'MANAGE_USERS'])('are explained with at most 100 decisions: %s', async (permission) => {
    const { isAllowed, hasMore, reasons } = await why('ann', permission);
    expect([isAllowed, hasMore]).toEqual([true, true]);
    const sum = reasons.reduce((total, { policies }) => total + count(policies), 0);
    expect([sum > 0, sum <= 100]).toEqual([true, true]);
  });
});

describe('a chain of composite roles', () => {
  it('is explained with the shortest ways', async () => {
    const { isAllowed, hasMore, reasons } = await why('linked', 'MANAGE_USERS');
    expect([isAllowed, hasMore]).toEqual([true, true]);
    const lengths = reasons.flatMap(({ roles }) => roles?.length ?? []);
    expect(lengths).toEqual(lengths.map((_, at) => at + 2));
    expect(lengths.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(900);
  });

  it('is explained by its ends where it is the only way', async () => {
    const { isAllowed, hasMore, reasons } = await why('far', 'MANAGE_USERS');
    expect([isAllowed, hasMore]).toEqual([true, true]);
    const roles = reasons.flatMap((reason) => reason.roles ?? []).map(({ name }) => name);
    expect([roles.length, roles[0], roles.at(-1)]).toEqual([100, 'link 0', 'manage-users']);
  });
});
