import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';
import { slowClock } from '../support/server.js';

// Every type of policies and permissions, created and changed by GraphQL and read by REST.
const realm = 'inputs';
let admin: Caller;
let path: string;
let local: Record<string, string>;
const globalId = (type: string, id = '') => Buffer.from(`${type}:${id}`).toString('base64');
const of = (type: string, name: string) => globalId(type, local[name]);

beforeAll(async () => {
  ({ admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      roles: { realm: [{ name: 'clerk' }, { name: 'boss' }] },
      groups: [{ name: 'staff' }],
      clientScopes: ['extra', 'more'].map((name) => ({ name, protocol: 'openid-connect' })),
      clients: [
        {
          clientId: 'api',
          serviceAccountsEnabled: true,
          authorizationServicesEnabled: true,
          authorizationSettings: {
            scopes: [{ name: 'read' }],
            resources: [{ name: 'doc', scopes: [{ name: 'read' }] }],
            policies: [{ name: 'first', type: 'user', config: { users: '["ann"]' } }],
          },
        },
      ],
      users: [{ username: 'ann', enabled: true }],
    },
    {},
    slowClock,
  ));
  const named = async (where: string, key = 'name'): Promise<[string, string][]> =>
    (await admin.send('GET', `/${realm}${where}`)).body.map((one: Record<string, string>) => [
      String(one[key]),
      one.id ?? one._id ?? '',
    ]);
  local = Object.fromEntries(await named('/clients', 'clientId'));
  const server = `/clients/${local.api}/authz/resource-server`;
  path = `/${realm}${server}`;
  local = Object.fromEntries(
    [
      Object.entries(local),
      await named('/roles'),
      await named('/groups'),
      await named('/client-scopes'),
      await named('/users', 'username'),
      await named(`${server}/policy`),
      await named(`${server}/scope`),
      await named(`${server}/resource`),
    ].flat(),
  );
});

interface Result {
  authorizationPolicy: { id: string; __typename: string } | null;
  userErrors: { code: string; path: string[]; message: string }[];
  changes: { path: string[]; before: string | null; after: string | null }[];
}

async function mutate(verb: 'Create' | 'Update', input: object): Promise<Result> {
  const name = `authorizationPolicy${verb}`;
  const { data, errors } = await admin.graphql<Record<string, Result>>(
    `mutation ($input: AuthorizationPolicy${verb}Input!) { ${name}(input: $input) {
      authorizationPolicy { id __typename } userErrors { code path message } changes { path before after } } }`,
    { input: { ...(verb === 'Create' && { client: of('Client', 'api') }), ...input } },
  );
  expect(errors).toBeUndefined();
  return data[name] as Result;
}
const localId = ({ authorizationPolicy }: Result) =>
  Buffer.from(authorizationPolicy?.id ?? '', 'base64')
    .toString()
    .split(':')[1] ?? '';
const inRest = async (kind: string, id: string) => (await admin.send('GET', `${path}/${kind}/${id}`)).body;
const namesIn = async (kind: string, id: string, list: string) =>
  (await inRest(kind, `${id}/${list}`)).map(({ name }: { name: string }) => name);

/** By type: settings, what REST shows of them, a change of one of them, and what REST shows then. */
const types: [
  type: string,
  typename: string,
  () => { settings: object; rest: object; change: object; after: object },
][] = [
  [
    'role',
    'RoleAuthorizationPolicy',
    () => ({
      settings: { role: { roles: [{ role: of('Role', 'clerk'), isRequired: true }] } },
      rest: { roles: [{ id: local.clerk, required: true }] },
      change: { role: { roles: [{ role: of('Role', 'boss') }] } },
      after: { roles: [{ id: local.boss, required: false }] },
    }),
  ],
  [
    'user',
    'UserAuthorizationPolicy',
    () => ({
      settings: { user: { users: [of('User', 'ann')] } },
      rest: { users: [local.ann] },
      change: { user: { users: null } },
      after: { users: [] },
    }),
  ],
  [
    'client',
    'ClientAuthorizationPolicy',
    () => ({
      settings: { client: { clients: [of('Client', 'api')] } },
      rest: { clients: [local.api] },
      change: { client: { clients: [of('Client', 'account')] } },
      after: { clients: [local.account] },
    }),
  ],
  [
    'group',
    'GroupAuthorizationPolicy',
    () => ({
      settings: {
        group: { groups: [{ group: of('Group', 'staff'), extendsToChildren: true }], groupsClaim: 'groups' },
      },
      rest: { groups: [{ id: local.staff, extendChildren: true }], groupsClaim: 'groups' },
      change: { group: { groupsClaim: null } },
      after: { groups: [{ id: local.staff, extendChildren: true }], groupsClaim: '' },
    }),
  ],
  [
    'client-scope',
    'ClientScopeAuthorizationPolicy',
    () => ({
      settings: { clientScope: { clientScopes: [{ clientScope: of('ClientScope', 'extra'), isRequired: true }] } },
      rest: { clientScopes: [{ id: local.extra, required: true }] },
      change: { clientScope: { clientScopes: [{ clientScope: of('ClientScope', 'more') }] } },
      after: { clientScopes: [{ id: local.more, required: false }] },
    }),
  ],
  [
    'time',
    'TimeAuthorizationPolicy',
    () => ({
      settings: {
        time: {
          notBefore: new Date(2031, 0, 31, 12).toISOString(),
          hour: { from: 9, to: 17 },
          dayOfMonth: { from: 5 },
        },
      },
      rest: { notBefore: '2031-01-31 12:00:00', hour: '9', hourEnd: '17', dayMonth: '5' },
      change: { time: { notBefore: null, hour: { from: 8 } } },
      after: { hour: '8', dayMonth: '5' },
    }),
  ],
  [
    'regex',
    'RegexAuthorizationPolicy',
    () => ({
      settings: { regex: { targetClaim: 'sub', pattern: '^a' } },
      rest: { targetClaim: 'sub', pattern: '^a' },
      change: { regex: { pattern: '^b' } },
      after: { targetClaim: 'sub', pattern: '^b' },
    }),
  ],
];

describe('settings of policies in GraphQL', () => {
  it.each(types)('are those of REST: %s', async (type, typename, make) => {
    const { settings, rest, change, after } = make();
    const made = await mutate('Create', { name: `a ${type}`, logic: 'NEGATIVE', settings });
    expect([made.userErrors, made.authorizationPolicy?.__typename]).toEqual([[], typename]);
    const id = localId(made);
    const common = { id, name: `a ${type}`, type, logic: 'NEGATIVE', decisionStrategy: 'UNANIMOUS' };
    expect(await inRest(`policy/${type}`, id)).toEqual({ ...common, ...rest });
    const changed = await mutate('Update', { id: made.authorizationPolicy?.id, settings: change });
    expect(changed.userErrors).toEqual([]);
    expect(await inRest(`policy/${type}`, id)).toEqual({ ...common, ...after });
    expect(changed.changes.map((one) => one.path.slice(0, 2))).toContainEqual(['settings', Object.keys(change)[0]]);
  });

  it.each([
    ['aggregate', 'aggregated', 'policy'],
    ['resource', 'resourcePermission', 'permission'],
    ['scope', 'scopePermission', 'permission'],
  ])('connect policies with others: %s', async (type, member, kind) => {
    const settings = {
      policies: [of('UserAuthorizationPolicy', 'first')],
      ...(kind === 'permission' && { resources: [of('AuthorizationResource', 'doc')] }),
      ...(type === 'scope' && { scopes: [of('AuthorizationScope', 'read')] }),
      ...(type === 'resource' && { resourceType: 'urn:doc' }),
    };
    const made = await mutate('Create', { name: `a ${type}`, settings: { [member]: settings } });
    expect(made.userErrors).toEqual([]);
    const id = localId(made);
    expect(await inRest(`${kind}/${type}`, id)).toMatchObject({
      type,
      ...(type === 'resource' && { resourceType: 'urn:doc' }),
    });
    expect(await namesIn(kind, id, 'associatedPolicies')).toEqual(['first']);
    expect(await namesIn(kind, id, 'resources')).toEqual(kind === 'permission' ? ['doc'] : []);
    expect(await namesIn(kind, id, 'scopes')).toEqual(type === 'scope' ? ['read'] : []);
    const changed = await mutate('Update', {
      id: made.authorizationPolicy?.id,
      settings: { [member]: { policies: null } },
    });
    expect(changed.userErrors).toEqual([]);
    expect(await namesIn(kind, id, 'associatedPolicies')).toEqual([]);
    expect(await namesIn(kind, id, 'resources')).toEqual(kind === 'permission' ? ['doc'] : []);
  });
});

describe('settings that are refused', () => {
  const nowhere = '00000000-0000-4000-8000-000000000000';
  const create = async (settings: object) => (await mutate('Create', { name: 'refused', settings })).userErrors;

  it('name every entry that is wrong', async () => {
    const roles = [
      { role: of('Role', 'clerk') },
      { role: globalId('Role', nowhere) },
      { role: globalId('Role', `${nowhere.slice(0, -1)}1`) },
    ];
    expect(await create({ role: { roles } })).toEqual([
      { code: 'INVALID', path: ['settings', 'role', 'roles', '1'], message: `The role "${nowhere}" does not exist` },
      expect.objectContaining({ path: ['settings', 'role', 'roles', '2'] }),
    ]);
    expect(await create({ role: { roles: [{ role: of('User', 'ann') }, { role: 'nonsense' }] } })).toMatchObject([
      { code: 'BAD_ID', path: ['settings', 'role', 'roles', '0', 'role'] },
      { code: 'BAD_ID', path: ['settings', 'role', 'roles', '1', 'role'] },
    ]);
    expect(
      await create({
        scopePermission: {
          policies: [of('User', 'ann')],
          resources: ['x'],
          scopes: [globalId('AuthorizationScope', nowhere)],
        },
      }),
    ).toMatchObject([
      { code: 'BAD_ID', path: ['settings', 'scopePermission', 'resources', '0'] },
      { code: 'BAD_ID', path: ['settings', 'scopePermission', 'policies', '0'] },
      { code: 'INVALID', path: ['settings', 'scopePermission', 'scopes', '0'] },
    ]);
    expect(await create({ aggregated: { policies: [globalId('TimeAuthorizationPolicy', nowhere)] } })).toMatchObject([
      { code: 'INVALID', path: ['settings', 'aggregated', 'policies', '0'] },
    ]);
  });

  it('name a policy that would say nothing, and values out of range', async () => {
    expect(await create({ group: { groupsClaim: 'groups' } })).toMatchObject([
      { code: 'INVALID', path: ['settings', 'group', 'groups'] },
    ]);
    const time = { hour: { from: 24 }, month: { from: 3, to: 2 }, notBefore: '2031-01-01T00:00:00.500Z' };
    expect((await create({ time })).map((error) => error.path.join('.')).sort()).toEqual([
      'settings.time.hour.from',
      'settings.time.month.to',
      'settings.time.notBefore',
    ]);
  });

  it('are those of another type, null, a circle, and a name that is taken', async () => {
    const policy = of('UserAuthorizationPolicy', 'first');
    const update = async (input: object) => (await mutate('Update', { id: policy, ...input })).userErrors;
    expect(await update({ settings: { regex: { pattern: 'a' } } })).toMatchObject([
      { code: 'INVALID', path: ['settings', 'regex'] },
    ]);
    expect(await update({ settings: null })).toMatchObject([{ code: 'INVALID', path: ['settings'] }]);
    const made = await mutate('Create', { name: 'circle', settings: { aggregated: { policies: [policy] } } });
    const circle = {
      id: made.authorizationPolicy?.id,
      settings: { aggregated: { policies: [made.authorizationPolicy?.id] } },
    };
    expect((await mutate('Update', circle)).userErrors).toMatchObject([
      { code: 'CYCLE', path: ['settings', 'aggregated', 'policies'] },
    ]);
    expect(await update({ name: 'circle' })).toMatchObject([{ code: 'NAME_TAKEN', path: ['name'] }]);
    const wrongType = globalId('RoleAuthorizationPolicy', local.first);
    expect((await mutate('Update', { id: wrongType, name: 'x' })).userErrors).toMatchObject([{ code: 'NOT_FOUND' }]);
  });
});
