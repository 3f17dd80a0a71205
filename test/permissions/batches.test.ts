import { beforeAll, describe, expect, it } from 'vitest';
import { type Ids, makeHostileRealm } from '../administration/fixture.js';
import { type Caller, userOf } from '../support/fixture.js';
import { sampled } from '../support/sample.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { singleRoleUsers } from './rules.js';

// What many are refused for is what each of them is refused for alone, whoever asks.
const realm = 'batched';
let server: TestServer;
let admin: Caller;
let ids: Ids;

const node = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64');

const send = async (method: string, path: string, body?: object) => {
  const answer = await admin.send(method, `/${realm}${path}`, body);
  expect([method, path, answer.status < 300, answer.body]).toEqual([method, path, true, answer.body]);
  return answer.body;
};

/** Switches the management permissions of an object on, and lets who fulfils the policies do these things with it. */
async function allow(path: string, policies: string[], ...scopes: string[]): Promise<void> {
  const at = `/clients/${ids.clients['realm-management']}/authz/resource-server/permission/scope`;
  const { scopePermissions } = await send('PUT', `${path}/management/permissions`, { enabled: true });
  for (const scope of scopes) {
    const place = `${at}/${scopePermissions[scope]}`;
    const known = await send('GET', place);
    await send('PUT', place, { ...known, decisionStrategy: 'AFFIRMATIVE', policies });
  }
}

beforeAll(async () => {
  server = await startServer({}, slowClock);
  ({ admin, ids } = await makeHostileRealm(server, realm));
  const policies = `/clients/${ids.clients['realm-management']}/authz/resource-server/policy`;
  await send('POST', `${policies}/user`, { name: 'is victim', users: [ids.users.victim], logic: 'POSITIVE' });
  const decides = { name: 'decides', roles: [{ id: ids.roles.plain }], logic: 'POSITIVE' };
  await send('POST', `${policies}/role`, decides);
  const inStaff = { name: 'in team', groups: [{ id: ids.groups.team, extendChildren: false }], logic: 'POSITIVE' };
  await send('POST', `${policies}/group`, inStaff);
  await send('POST', '/groups', { name: 'harmless' });
  await send('POST', '/clients', { clientId: 'harmless' });
  const harmless = (await send('GET', '/clients?clientId=harmless'))[0].id;
  ids.clients.harmless = harmless;
  ids.groups.harmless = (await send('GET', '/groups?search=harmless'))[0].id;
  await allow(`/groups/${ids.groups.harmless}`, ['is victim'], 'view', 'manage');
  await allow(`/groups/${ids.groups.admins}`, ['is victim'], 'manage');
  await allow(`/groups/${ids.groups.inner}`, ['is victim'], 'view');
  await allow(`/clients/${harmless}`, ['is victim'], 'manage');
  await allow(`/clients/${ids.clients.robot}`, ['is victim'], 'configure');
  await allow(`/clients/${ids.clients.app}`, ['decides', 'in team'], 'manage');
});

interface Answer {
  userErrors: { code: string; path: string[] | null }[];
}

async function ask(caller: Caller, mutation: string, input: object): Promise<Answer['userErrors']> {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  const { data, errors } = await caller.graphql<Record<string, Answer>>(
    `mutation ($input: ${type}!) @dryRun { ${mutation}(input: $input) { userErrors { code path } } }`,
    { input },
  );
  expect(errors).toBeUndefined();
  return data[mutation]?.userErrors ?? [];
}

const callers = [...singleRoleUsers.map(({ username }) => username), 'boss', 'victim'];

/** The ids of all objects of a kind, of another realm, and of nothing. */
const objects: Record<string, () => Promise<string[]>> = {
  Group: async () => [...Object.values(ids.groups), 'nowhere'],
  Client: async () => [...Object.values(ids.clients), 'nowhere'],
  Role: async () => {
    const ofApp = await send('GET', `/clients/${ids.clients.app}/roles`);
    const elsewhere = (await admin.send('GET', '/master/roles')).body;
    return [...Object.values(ids.roles), ...Object.values(ids.rights), ofApp[0].id, elsewhere[0].id];
  },
};

const renamed = (at: number) => ({ name: `renamed${at}` });
const open = () => ({ allowsFullScope: false, flows: { isServiceAccountEnabled: true } });
const administering = (at: number) => ({ clientId: at === 0 ? 'security-admin-console' : `renamed${at}` });
const below = () => ({ parent: node('Group', ids.groups.staff ?? '') });
const plainRole = () => ({ roles: [node('Role', ids.roles.plain ?? '')] });
const higherRole = () => ({ roles: [node('Role', Object.values(ids.rights)[0] ?? '')] });
const marked = () => ({ setAttributes: [{ name: 'a', values: ['1'] }] });

describe.each([
  ['groupDelete', 'groupsDelete', 'Group', undefined],
  ['roleDelete', 'rolesDelete', 'Role', undefined],
  ['clientDelete', 'clientsDelete', 'Client', undefined],
  ['groupUpdate', 'groupsUpdate', 'Group', renamed],
  ['groupUpdate', 'groupsUpdate', 'Group', marked],
  ['roleUpdate', 'rolesUpdate', 'Role', renamed],
  ['roleUpdate', 'rolesUpdate', 'Role', marked],
  ['clientUpdate', 'clientsUpdate', 'Client', renamed],
  ['clientUpdate', 'clientsUpdate', 'Client', open],
  ['clientUpdate', 'clientsUpdate', 'Client', administering],
  ['groupMove', 'groupsMove', 'Group', below],
  ['groupCreate', 'groupsCreate', 'Group', renamed],
  ['roleCreate', 'rolesCreate', 'Client', renamed],
  ['groupAddRoles', 'groupsAddRoles', 'Group', plainRole],
  ['groupRemoveRoles', 'groupsRemoveRoles', 'Group', higherRole],
] as const)('%s and %s', (one, many, type, changed) => {
  const key = { groupsCreate: 'parent', rolesCreate: 'container' }[many as string] ?? 'id';
  it.each(sampled(callers, 5))('refuse the same to %s', async (username) => {
    const caller = await userOf(server, realm, username, 'pw');
    const all = ((await objects[type]?.()) ?? []).map((id) => node(type, id));
    const list = /Delete|Move/.test(many) ? 'ids' : `${many.replace(/[A-Z].*/, '')}`;
    const hasFields = /Update|Create/.test(many);
    const items = hasFields ? all.map((id, at) => ({ [key]: id, ...changed?.(at) })) : all;
    const common = !hasFields && changed ? changed(0) : {};
    const place = one === 'groupMove' ? common : { realm: node('Realm', ids.realm), ...common };
    const refused = await ask(caller, many, { ...place, [list]: items, onError: 'CONTINUE' });
    const whole = refused.find(({ path }) => path?.[0] !== list);
    for (const [at, id] of all.entries()) {
      const alone = (await ask(caller, one, { [key]: id, ...changed?.(at) })).map(({ code }) => code);
      const together = refused.filter(({ path }) => path?.[1] === String(at)).map(({ code }) => code);
      if (whole) expect([id, alone]).toEqual([id, [expect.stringMatching('FORBIDDEN|NOT_FOUND')]]);
      else expect([id, together]).toEqual([id, alone]);
    }
    expect(all.length).toBeGreaterThan(5);
  });
});
