// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';
import { slowClock } from '../support/server.js';

// What many objects become together is what each becomes alone: errors, changes, audit records and what is stored.
const realms = ['together', 'alone'] as const;
let admin: Caller;
const ids: Record<string, Record<string, string>> = {};

const node = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64');

const content = {
  enabled: true,
  adminEventsEnabled: true,
  roles: {
    realm: [
      { name: 'r0', description: 'First', attributes: { kept: ['1'], gone: ['2'] } },
      { name: 'r1' },
      { name: 'r2', description: 'Third' },
      { name: 'r3' },
    ],
    client: { c0: [{ name: 'own' }] },
  },
  groups: [
    { name: 'g0', attributes: { kept: ['1'] }, subGroups: [{ name: 'below' }] },
    { name: 'g1', realmRoles: ['r1'] },
    { name: 'g2' },
    { name: 'g3' },
  ],
  clients: [0, 1, 2, 3].map((at) => ({
    clientId: `c${at}`,
    secret: `secret ${at}`,
    redirectUris: [`https://c${at}.example/*`],
    serviceAccountsEnabled: at < 2,
    publicClient: at === 3,
  })),
  users: [0, 1, 2, 3].map((at) => ({
    username: `u${at}`,
    email: `u${at}@x.org`,
    enabled: at > 0,
    requiredActions: ['VERIFY_EMAIL'],
    attributes: { kept: ['1'], level: [String(at)] },
    groups: at === 0 ? ['/g2'] : [],
  })),
};

const at = (realm: string, path: string) => admin.send('GET', `/${realm}${path}`).then(({ body }) => body);

interface Named {
  id: string;
  name?: string;
  clientId?: string;
  username?: string;
  subGroups?: Named[];
}

async function idsOf(realm: string): Promise<Record<string, string>> {
  const found: Record<string, string> = { realm: node('Realm', (await at(realm, '')).id) };
  const groups = (await at(realm, '/groups')) as Named[];
  const clients = (await at(realm, '/clients')) as Named[];
  for (const { id, name } of groups.flatMap((group) => [group, ...(group.subGroups ?? [])])) {
    found[name ?? ''] = node('Group', id);
  }
  for (const { id, name } of (await at(realm, '/roles')) as Named[]) found[name ?? ''] = node('Role', id);
  for (const { id, username } of (await at(realm, '/users')) as Named[]) found[username ?? ''] = node('User', id);
  for (const { id, clientId } of clients) found[clientId ?? ''] = node('Client', id);
  const c0 = clients.find(({ clientId }) => clientId === 'c0')?.id;
  found.own = node('Role', (await at(realm, `/clients/${c0}/roles/own`)).id);
  return found;
}

const timesAndIds = /"(_?id|containerId|secret|createdTimestamp|client\.secret\.creation\.time)":("[^"]*"|\d+),?/g;

/** Without the ids that are none of those known. */
function withoutNewIds(value: unknown, known: Readonly<Record<string, string>>): unknown {
  const locals = Object.values(known).map((id) => Buffer.from(id, 'base64').toString().split(':')[1] ?? '');
  const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  const text = JSON.stringify(value, (name, item) =>
    name === 'resourceId' ? Buffer.from(String(item), 'base64').toString() : item,
  );
  const times = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
  return JSON.parse(text.replace(uuid, (id) => (locals.includes(id) ? id : 'new')).replace(times, 'now'));
}

/** What is stored of a realm, without what is different anyhow. */
async function stateOf(realm: string): Promise<unknown> {
  const exported = await admin.send('POST', `/${realm}/partial-export?exportClients=true&exportGroupsAndRoles=true`);
  const people = ((await at(realm, '/users?briefRepresentation=false')) as Named[]).map(async (user) => ({
    ...user,
    roles: await at(realm, `/users/${user.id}/role-mappings`),
    groups: await at(realm, `/users/${user.id}/groups`),
  }));
  const { clients, roles, groups } = exported.body;
  const whole = { clients, roles, groups, people: await Promise.all(people) };
  return JSON.parse(JSON.stringify(whole).replaceAll(realm, 'realm').replace(timesAndIds, '').replaceAll(',}', '}'));
}

beforeAll(async () => {
  ({ admin } = await startWithRealm({ ...content, realm: 'together' }, {}, slowClock));
  expect((await admin.send('POST', '/', { ...content, realm: 'alone' })).status).toBe(201);
  for (const realm of realms) ids[realm] = await idsOf(realm);
});

interface Payload {
  userErrors: { code: string }[];
  changes: { resourceId: string; path: string[]; before: string | null; after: string | null }[];
  adminEvents: object[];
}

async function mutate(name: string, input: object, directive = ''): Promise<Payload> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const { data, errors } = await admin.graphql<Record<string, Payload>>(
    `mutation ($input: ${type}!) ${directive} { ${name}(input: $input) { userErrors { code message path }
      changes { resourceId path before after } adminEvents { operationType resourceType resourcePath resourceId } } }`,
    { input },
  );
  expect(errors).toBeUndefined();
  return data[name] as Payload;
}

type Ids = Record<string, string>;
interface Case {
  together: (ids: Ids) => object;
  one: string;
  alone: (ids: Ids) => object[];
}

const set = [{ name: 'level', values: ['9'] }];
const linkCase = (list: string, one: string, of: readonly string[], linked: string, links: readonly string[]): Case => {
  const idsIn = (known: Ids, names: readonly string[]) => names.map((name) => known[name]);
  return {
    together: (known) => ({ realm: known.realm, [list]: idsIn(known, of), [linked]: idsIn(known, links) }),
    one,
    alone: (known) => of.map((name) => ({ id: known[name], [linked]: idsIn(known, links) })),
  };
};
const updateCase = (list: string, one: string, items: (ids: Ids) => object[]): Case => ({
  together: (known) => ({ realm: known.realm, [list]: items(known) }),
  one,
  alone: items,
});
const deleteCase = (one: string, name: string): Case => ({
  together: (known) => ({ realm: known.realm, ids: [known[name]] }),
  one,
  alone: (known) => [{ id: known[name] }],
});

const newGroups = (realm: string | undefined, group: string | undefined) => [
  { parent: realm, name: 'new', attributes: set },
  { parent: group, name: 'new' },
  { parent: group, name: 'newer' },
];
const newRoles = (realm: string | undefined, client: string | undefined) => [
  { container: realm, name: 'new', description: 'New', attributes: set },
  { container: client, name: 'new' },
];

const userChanges = { isEnabled: false, setAttributes: set, addRequiredActions: ['UPDATE_PASSWORD'] };

const cases: Record<string, Case> = {
  usersUpdate: updateCase('users', 'userUpdate', ({ u0, u1 }) => [
    { id: u0, ...userChanges, isEnabled: true, lastName: 'Last', email: null },
    { id: u1, removeAttributes: ['kept'], removeRequiredActions: ['VERIFY_EMAIL'], username: 'U1' },
  ]),
  usersUpdateMatching: {
    together: (known) => ({
      realm: known.realm,
      filter: { username: { in: ['u2', 'u3'] } },
      limit: 2,
      changes: userChanges,
    }),
    one: 'userUpdate',
    alone: ({ u2, u3 }) => [u2, u3].map((id) => ({ id, ...userChanges })),
  },
  usersJoinGroups: linkCase('users', 'userJoinGroups', ['u0', 'u1'], 'groups', ['below', 'g3']),
  usersLeaveGroups: linkCase('users', 'userLeaveGroups', ['u0'], 'groups', ['g2', 'g3']),
  usersAddRoles: linkCase('users', 'userAddRoles', ['u0', 'u1'], 'roles', ['r0', 'own']),
  usersRemoveRoles: linkCase('users', 'userRemoveRoles', ['u0'], 'roles', ['r0']),
  groupsUpdate: updateCase('groups', 'groupUpdate', ({ g0, g1 }) => [
    { id: g0, name: 'G0', attributes: [] },
    { id: g1, setAttributes: set },
  ]),
  rolesUpdate: updateCase('roles', 'roleUpdate', ({ r0, r2 }) => [
    { id: r0, description: null, removeAttributes: ['gone'] },
    { id: r2, name: 'R2', setAttributes: set },
  ]),
  clientsUpdate: updateCase('clients', 'clientUpdate', ({ c0, c1, c2, c3 }) => [
    {
      id: c0,
      clientId: 'C0',
      hasAuthorizationServices: true,
      addRedirectUris: ['https://new.example/*'],
      removeRedirectUris: ['https://c0.example/*'],
      attributes: [{ name: 'kept', value: '1' }],
    },
    { id: c1, flows: { isServiceAccountEnabled: false, isDirectAccessEnabled: false }, secret: 'chosen' },
    {
      id: c2,
      flows: { isServiceAccountEnabled: true },
      hasAuthorizationServices: true,
      kind: 'CONFIDENTIAL',
      name: 'Second',
      webOrigins: ['+'],
    },
    { id: c3, kind: 'CONFIDENTIAL', isEnabled: false, description: null, notBefore: '2026-01-01T00:00:00Z' },
  ]),
  'clientsUpdate, back': updateCase('clients', 'clientUpdate', ({ c0, c2, c3 }) => [
    { id: c0, clientId: 'c0', hasAuthorizationServices: false, attributes: [{ name: 'kept', value: null }] },
    { id: c2, kind: 'PUBLIC', flows: { isServiceAccountEnabled: false }, name: null },
    { id: c3, kind: 'BEARER_ONLY', isEnabled: true, redirectUris: [] },
  ]),
  groupsCreate: {
    together: ({ realm, g2 }) => ({ realm, groups: newGroups(realm, g2) }),
    one: 'groupCreate',
    alone: ({ realm, g2 }) => newGroups(realm, g2),
  },
  rolesCreate: {
    together: ({ realm, c0 }) => ({ realm, roles: newRoles(realm, c0) }),
    one: 'roleCreate',
    alone: ({ realm, c0 }) => newRoles(realm, c0),
  },
  groupsAddRoles: linkCase('groups', 'groupAddRoles', ['g0', 'g1'], 'roles', ['r1', 'own']),
  groupsRemoveRoles: linkCase('groups', 'groupRemoveRoles', ['g0', 'g1'], 'roles', ['r1']),
  groupsMove: {
    together: ({ g3, g2, g0 }) => ({ ids: [g3, g2], parent: g0 }),
    one: 'groupMove',
    alone: ({ g3, g2, g0 }) => [g3, g2].map((id) => ({ id, parent: g0 })),
  },
  usersDelete: deleteCase('userDelete', 'u3'),
  usersDeleteMatching: {
    together: ({ realm }) => ({ realm, filter: { username: { equals: 'u2' } }, limit: 5 }),
    one: 'userDelete',
    alone: ({ u2 }) => [{ id: u2 }],
  },
  groupsDelete: deleteCase('groupDelete', 'g1'),
  rolesDelete: deleteCase('roleDelete', 'r3'),
  clientsDelete: deleteCase('clientDelete', 'c1'),
};

describe.each(Object.entries(cases))('%s', (title, { together, one, alone }) => {
  const [many = ''] = title.split(',');
  it('answers, records and stores what each mutation of one does', async () => {
    const known = ids.together as Ids;
    const dry = await mutate(many, together(known), '@dryRun');
    const singles: Payload[] = [];
    for (const input of alone(known)) singles.push(await mutate(one, input, '@dryRun'));
    const joined = (field: 'userErrors' | 'changes' | 'adminEvents') => singles.flatMap((payload) => payload[field]);
    expect(dry.userErrors).toEqual([]);
    expect(joined('userErrors')).toEqual([]);
    expect(dry.changes.length).toBeGreaterThan(0);
    // new objects have other ids each time, as mappers of new service accounts do
    const makesObjects = many.endsWith('Create') || many === 'clientsUpdate';
    const told = (value: unknown) => (makesObjects ? withoutNewIds(value, known) : value);
    expect(told(dry.changes)).toEqual(told(joined('changes')));
    expect(told(dry.adminEvents)).toEqual(told(joined('adminEvents')));
    const done = await mutate(many, together(known));
    expect(told(done)).toEqual(told(dry));
    for (const input of alone(ids.alone as Ids)) expect((await mutate(one, input)).userErrors).toEqual([]);
    expect(await stateOf('together')).toEqual(await stateOf('alone'));
  });
});
