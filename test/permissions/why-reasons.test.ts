import { beforeAll, describe, expect, it } from 'vitest';
import { callerWith, userOf } from '../support/fixture.js';
import { admin, ask, ids, makeHelpedRealm, nodeId, realm, send, server, user, type Why, why } from './helped-realm.js';

// The reasons of `why`: by which role, group, composite or policy a user may do something or not, and what of it is shown to whom.
beforeAll(makeHelpedRealm);

const manage = 'permission: MANAGE_USERS';
const update = 'mutation: USER_UPDATE';
const bob = () => nodeId('User', 'bob');

/** The reasons that are roles of the user. */
const rolesIn = ({ reasons }: Why) => reasons.filter(({ origin }) => origin !== undefined);

describe('a role that lets a user do something', () => {
  it('is shown with the groups and roles by which the user has it', async () => {
    const through = {
      isGranting: true,
      roleName: 'manage-users',
      origin: 'GROUP',
      roles: [{ name: 'helpdesk' }, { name: 'lead' }, { name: 'manage-users' }],
    };
    const needed = { roleName: 'manage-users', clientId: 'realm-management', role: { name: 'manage-users' } };
    const { reasons: _, ...answer } = await why('anna', update, bob());
    expect(answer).toEqual({
      isAllowed: true,
      refusal: null,
      permission: 'MANAGE_USERS',
      hasHidden: false,
      hasMore: false,
      neededOneOf: [needed],
    });
    const annas = rolesIn(await why('anna', update, bob()));
    expect(annas).toEqual([{ ...through, groups: [{ path: '/support/eu' }, { path: '/support' }] }]);
    const paths = ['/support/eu/north', '/support/eu', '/support'].map((path) => ({ path }));
    expect(rolesIn(await why('nora', update, bob()))).toEqual([{ ...through, groups: paths }]);
    const own = {
      isGranting: true,
      roleName: 'manage-users',
      origin: 'DIRECT',
      groups: [],
      roles: [{ name: 'manage-users' }],
    };
    expect(rolesIn(await why('direct', update, bob()))).toEqual([own]);
  });

  it('can come with the default role', async () => {
    const { reasons } = await why('fresh', 'permission: QUERY_REALM', nodeId('Realm', 'realm'));
    expect(reasons).toMatchObject([
      { roleName: 'query-realms', origin: 'DEFAULT_ROLE', roles: [{}, { name: 'query-realms' }] },
    ]);
  });

  it('can be one of the realm master', async () => {
    const answer = await why('outer', update, bob());
    expect(answer).toMatchObject({
      isAllowed: true,
      reasons: [{ origin: 'DIRECT', roles: [{ name: 'manage-users' }] }],
    });
    expect(answer.neededOneOf).toEqual([
      { roleName: 'manage-users', clientId: `${realm}-realm`, role: { name: 'manage-users' } },
    ]);
    const own = await userOf(server, 'master', 'outer', 'pw');
    const { data } = await own.graphql(
      `{ node(id: "${bob()}") { ... on User { viewerCan { update { isAllowed } } } } }`,
    );
    expect(data).toEqual({ node: { viewerCan: { update: { isAllowed: true } } } });
  });

  it('is found by as many statements however many ways there are', async () => {
    const statements = async (who: string) => {
      const { data, errors, extensions } = await ask(admin, who, update, bob());
      expect(errors).toBeUndefined();
      return { reasons: data.why ? rolesIn(data.why).length : 0, statements: extensions?.cost?.statements };
    };
    for (const who of ['direct', 'anna', 'many']) await statements(who);
    const [one, many] = [await statements('anna'), await statements('many')];
    expect([one.reasons, many.reasons > 30]).toEqual([1, true]);
    expect(many.statements).toBe(one.statements);
    expect(many.statements).toBeLessThan(30);
  });
});

describe('a token without the role', () => {
  it('does not let a service account or a user do anything by it', async () => {
    const held = { isGranting: false, roleName: 'manage-users' };
    const narrow = await why('service-account-narrow', manage, bob());
    expect([narrow.isAllowed, rolesIn(narrow)]).toMatchObject([false, [held]]);
    expect(await why('service-account-wide', manage, bob())).toMatchObject({ isAllowed: true });
    // a service account gets tokens by its own client alone
    const byOther = await why('service-account-wide', manage, bob(), `, client: "${nodeId('Client', 'narrow')}"`);
    expect(byOther).toMatchObject({ isAllowed: false, refusal: 'CANNOT_LOG_IN' });
    const client = (name: string) => `, client: "${nodeId('Client', name)}"`;
    const limited = await why('anna', manage, bob(), client('narrow'));
    expect([limited.refusal, rolesIn(limited)]).toMatchObject(['LACKS_PERMISSION', [held]]);
    expect(await why('anna', manage, bob(), client('wide'))).toMatchObject({ isAllowed: true });
    for (const name of ['narrow', 'wide']) {
      const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: name, client_secret: 's' });
      const answer = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
        method: 'POST',
        body,
      });
      const { access_token: token } = (await answer.json()) as { access_token: string };
      const { data } = await callerWith(server, token).graphql(`{ node(id: "${bob()}") { id } }`);
      expect([name, data]).toEqual([name, { node: name === 'wide' ? { id: bob() } : null }]);
    }
  });

  it('is none at all for users who cannot log in', async () => {
    const off = await why('off', update, bob());
    expect([off.isAllowed, off.refusal, rolesIn(off).length]).toEqual([false, 'CANNOT_LOG_IN', 1]);
    const storage = (more: object) =>
      send('POST', `/${realm}/components`, {
        name: 'directory',
        providerId: 'ldap',
        providerType: 'org.keycloak.storage.UserStorageProvider',
        config: { enabled: ['false'], ...more },
      });
    const hidden = { federationLink: (await storage({ importEnabled: ['false'] })).id };
    ids.hidden = (await send('POST', `/${realm}/users`, user('hidden', hidden))).id;
    expect((await ask(admin, 'hidden', update, bob())).errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    const linked = { federationLink: (await storage({})).id };
    ids.linked = (await send('POST', `/${realm}/users`, user('linked', linked))).id;
    expect(await why('linked', update, bob())).toMatchObject({ refusal: 'CANNOT_LOG_IN' });
    expect(await why('anna', 'permission: VIEW_REALM', nodeId('Realm', 'master'))).toMatchObject({
      refusal: 'OTHER_REALM',
      reasons: [],
      neededOneOf: [],
    });
  });
});

describe('a fine-grained permission', () => {
  const both = {
    policy: { name: 'both' },
    isPermitted: false,
    policies: [
      { policy: { name: 'is boss' }, isPermitted: false },
      { policy: { name: 'at desk' }, isPermitted: true },
    ],
  };

  it('is shown with what its policies decide', async () => {
    const view = await why('dora', 'permission: VIEW_USERS', bob());
    expect(view).toMatchObject({ isAllowed: true, hasHidden: false });
    expect(view.reasons).toContainEqual({
      isGranting: true,
      scopeName: 'view',
      object: { __typename: 'Realm' },
      authorizationPermission: { name: 'view.permission.users' },
      policies: [{ policy: { name: 'at desk' }, isPermitted: true, policies: [] }],
    });
    const refused = await why('dora', update, bob());
    expect(refused).toMatchObject({ isAllowed: false, refusal: 'LACKS_PERMISSION' });
    const [{ policies: decisions } = {}] = refused.reasons;
    expect(decisions).toHaveLength(2);
    expect(decisions).toEqual(expect.arrayContaining([both]));
    const dora = await userOf(server, realm, 'dora', 'pw');
    const { data } = await dora.graphql(`{ node(id: "${bob()}") { ... on User { viewerCan { update { reason } } } } }`);
    expect(data).toEqual({ node: { viewerCan: { update: { reason: 'LACKS_PERMISSION' } } } });
  });

  it('can be about a group that the object is in', async () => {
    for (const member of ['anna', 'nora']) {
      const { reasons } = await why('dora', 'permission: VIEW_USERS', nodeId('User', member));
      expect(reasons).toContainEqual(
        expect.objectContaining({ scopeName: 'manage-members', object: { __typename: 'Group' } }),
      );
    }
  });

  it('can refuse that a user is impersonated by anybody', async () => {
    const refused = await why('boss', 'mutation: USER_IMPERSONATE', bob());
    expect(refused).toMatchObject({ isAllowed: false, refusal: 'REFUSED_BY_POLICY' });
    expect(refused.reasons).toContainEqual(
      expect.objectContaining({ scopeName: 'user-impersonated', isGranting: false }),
    );
  });
});

it('shows the roles of the object that the user does not have', async () => {
  const { refusal, reasons } = await why('direct', update, nodeId('User', 'boss'));
  expect(refusal).toBe('BEYOND_OWN_PERMISSIONS');
  const beyond = reasons.filter(({ role }) => role).map(({ roleName }) => roleName);
  expect(beyond).toEqual(expect.arrayContaining(['realm-admin', 'manage-realm', 'view-events']));
  expect(beyond).not.toContain('manage-users');
});

describe('the caller', () => {
  it('is not shown what it may not view', async () => {
    const viewer = await userOf(server, realm, 'viewer', 'pw');
    const { data } = await ask(viewer, 'anna', update, bob());
    const groups = [{ path: '/support/eu' }, { path: '/support' }];
    expect(data.why).toMatchObject({ isAllowed: true, hasHidden: true, neededOneOf: [{ role: null }] });
    expect(rolesIn(data.why as Why)).toMatchObject([{ roleName: 'manage-users', groups, roles: [] }]);
    const about = await ask(viewer, 'dora', update, bob());
    const hidden = { authorizationPermission: null, policies: [], object: { __typename: 'Realm' } };
    expect(about.data.why).toMatchObject({ hasHidden: true, reasons: [hidden] });
    expect(JSON.stringify(about)).not.toContain('desk');
  });

  it('may ask about itself as about others', async () => {
    const [viewer, bobs] = [await userOf(server, realm, 'viewer', 'pw'), await userOf(server, realm, 'bob', 'pw')];
    expect((await ask(viewer, 'viewer', update, bob())).data.why).toMatchObject({ refusal: 'LACKS_PERMISSION' });
    const { data, errors } = await ask(bobs, 'bob', update, bob());
    expect([data, errors?.[0]?.extensions?.code]).toEqual([{ why: null }, 'NOT_FOUND']);
  });

  it.each([
    ['NOT_FOUND', 'direct', update, () => nodeId('Realm', 'master'), ''],
    ['NOT_FOUND', 'outer', update, bob, ''],
    ['BAD_ID', 'direct', update, () => 'nonsense', ''],
    ['NOT_FOUND', 'direct', update, () => btoa('Nothing:1'), ''],
    ['INVALID', 'direct', 'mutation: ROLE_UPDATE', bob, ''],
    ['BAD_ID', 'direct', update, bob, ', client: "x"'],
    ['NOT_FOUND', 'direct', update, bob, `, client: "${btoa('Client:x')}"`],
  ])('is told of a mistake: %s of %s', async (code, who, action, object, more) => {
    const direct = await userOf(server, realm, 'direct', 'pw');
    const { data, errors } = await ask(direct, who, action, object(), more);
    expect(data).toEqual({ why: null });
    expect(errors).toMatchObject([{ path: ['why'], extensions: { code } }]);
  });
});
