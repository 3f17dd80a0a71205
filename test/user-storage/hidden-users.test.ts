// @both-databases
import { randomUUID } from 'node:crypto';
import { getNamedType, isObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { type Caller, startWithRealm, userOf } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

// A storage that is switched off and does not import its users has none of them shown, wherever users are.
const password = [{ type: 'password', value: 'pw' }];
const realm = {
  realm: 'hidden',
  enabled: true,
  eventsEnabled: true,
  adminEventsEnabled: true,
  passwordPolicy: 'hashIterations(1)',
  roles: { realm: [{ name: 'clerk' }] },
  groups: [{ name: 'team' }],
  clients: [{ clientId: 'shop', authorizationServicesEnabled: true }],
  users: ['ann', 'local'].map((username) => ({
    username,
    enabled: true,
    credentials: password,
    groups: ['/team'],
    realmRoles: ['clerk'],
    clientRoles: username === 'ann' ? { 'realm-management': ['realm-admin'] } : {},
  })),
};
const nodeId = (typename: string, id: string) => btoa(`${typename}:${id}`);
const list = (name: string) => `${name} { totalCount edges { node { username } } }`;

/** The fields of the schema that lead to users, except those of payloads, which have what was just written. */
function fieldsWithUsers(): string[] {
  const types = Object.values(graphqlSchema().getTypeMap()).filter(isObjectType);
  const owners = types.filter(({ name }) => !/(Payload|Connection|Edge)$/.test(name));
  return owners.flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => /^(Effective)?User(Connection)?$/.test(getNamedType(field.type).name))
      .map((field) => `${type.name}.${field.name}`),
  );
}

/** Policies that name a user: one for everybody who asks, and one by which the user shares a resource. */
async function policiesAbout(database: TestServer['database'], userId: string): Promise<string[]> {
  const server = await database.read.resourceServer.findFirstOrThrow({
    where: { client: { clientId: 'shop' } },
    select: { id: true },
  });
  const policies = ['user', 'uma'].map((type) => ({
    id: randomUUID(),
    resourceServerId: server.id,
    name: type,
    type,
    ...(type === 'uma' && { ownerId: userId }),
  }));
  await database.transaction(async (tx) => {
    for (const policy of policies) await tx.authorizationPolicy.createMany({ data: [policy] });
    const subjects = policies.map(({ id }) => ({ policyId: id, subjectId: userId, userId }));
    await tx.authorizationPolicySubject.createMany({ data: subjects });
  });
  return policies.map(({ id }) => id);
}

async function idsOf(admin: Caller) {
  const [user] = (await admin.send('GET', '/hidden/users?username=ann')).body;
  const [group] = (await admin.send('GET', '/hidden/groups')).body;
  const role = (await admin.send('GET', '/hidden/roles/clerk')).body;
  return { user: user.id, group: group.id, role: role.id };
}

it('shows nobody of such a storage, on either surface and in no field', async () => {
  const { server, admin } = await startWithRealm(realm);
  const ids = await idsOf(admin);
  await userOf(server, 'hidden', 'local', 'pw');
  const ann = await userOf(server, 'hidden', 'ann', 'pw');
  expect((await ann.send('POST', '/hidden/roles', { name: 'made' })).status).toBe(201);
  const file = { desired: { roles: { realm: [{ name: 'applied' }] } }, modes: { roles: 'KEEP' } };
  expect((await ann.send('POST', '/hidden/apply', file)).status).toBe(200);
  const [policy = '', shared = ''] = await policiesAbout(server.database, ids.user);
  const session = await server.database.read.userSession.findFirstOrThrow({
    where: { userId: ids.user },
    select: { id: true },
  });
  const credential = await server.database.read.credential.findFirstOrThrow({
    where: { userId: ids.user },
    select: { id: true },
  });
  const onNode = (typename: string, id: string, field: string) =>
    `{ node(id: "${nodeId(typename, id)}") { ... on ${typename} { ${field} } } }`;
  const onRealm = (field: string) => `{ realm(name: "hidden") { ${field} } }`;
  const fields: Record<string, string> = {
    'Realm.users': onRealm(list('users')),
    'Realm.user': onRealm('user(username: "ann") { username }'),
    'Role.users': onNode('Role', ids.role, list('users')),
    'Role.effectiveUsers': onNode('Role', ids.role, list('effectiveUsers')),
    'Group.members': onNode('Group', ids.group, `memberCount ${list('members')}`),
    'UserSession.user': onNode('UserSession', session.id, 'user { username }'),
    'AdminEvent.actor': onRealm('adminEvents(first: 1) { edges { node { actor { username } } } }'),
    'ChangeAuthor.actor': onRealm('applies { nodes { appliedBy { actor { username } } } }'),
    'UserAuthorizationPolicy.users': onNode('UserAuthorizationPolicy', policy, list('users')),
    'UmaAuthorizationPermission.users': onNode('UmaAuthorizationPermission', shared, list('users')),
    'UmaAuthorizationPermission.owner': onNode('UmaAuthorizationPermission', shared, 'owner { username }'),
    'LoginEvent.user': onRealm('loginEvents { edges { node { user { username } } } }'),
  };
  // a service account comes from no storage, the viewer is the caller, and `why` finds its user as `node` does
  const others = ['Client.serviceAccountUser', 'Viewer.user', 'Explanation.user'];
  expect(
    fieldsWithUsers()
      .filter((name) => !others.includes(name))
      .sort(),
  ).toEqual(Object.keys(fields).sort());
  const queries = { ...fields, node: onNode('User', ids.user, 'username') };
  const paths = ['/users', '/users/count', '/roles/clerk/users', `/groups/${ids.group}/members`];
  const seen = async () => {
    const answers = await Promise.all(
      Object.entries(queries).map(async ([name, query]) => {
        const { data, errors } = await admin.graphql(query);
        expect([name, errors]).toEqual([name, undefined]);
        return [name, (JSON.stringify(data).match(/"username":"ann"/g) ?? []).length];
      }),
    );
    const lists = await Promise.all(paths.map((path) => admin.send('GET', `/hidden${path}`)));
    const counts = lists.map(({ body }) => (typeof body === 'number' ? body : body.length));
    return { ...Object.fromEntries(answers), rest: counts };
  };
  const counted = async () => {
    const of = ['Realm.users', 'Role.users', 'Role.effectiveUsers', 'Group.members'].map((name) => fields[name] ?? '');
    const answers = await Promise.all(of.map((query) => admin.graphql(query)));
    return answers.flatMap(({ data }) =>
      [...JSON.stringify(data).matchAll(/"(?:totalCount|memberCount)":(\d+)/g)].map(([, number]) => Number(number)),
    );
  };

  const ofAnn = onNode('Credential', credential.id, 'type');
  expect((await admin.graphql(ofAnn)).data).toEqual({ node: { type: 'password' } });
  const all = Object.fromEntries(Object.keys(queries).map((name) => [name, 1]));
  expect(await seen()).toEqual({ ...all, rest: [2, 2, 2, 2] });
  // one of all users is the service account of the client
  expect(await counted()).toEqual([3, 2, 2, 2, 2]);

  const storage = { name: 'gone', providerId: 'ldap', providerType: 'org.keycloak.storage.UserStorageProvider' };
  const config = { enabled: ['false'], importEnabled: ['false'] };
  const { headers } = await admin.send('POST', '/hidden/components', { ...storage, config });
  const federationLink = headers.get('location')?.split('/').at(-1) ?? '';
  await server.database.transaction((tx) => tx.user.updateMany({ where: { id: ids.user }, data: { federationLink } }));

  const none = Object.fromEntries(Object.keys(queries).map((name) => [name, 0]));
  expect(await seen()).toEqual({ ...none, rest: [1, 1, 1, 1] });
  expect(await counted()).toEqual([2, 1, 1, 1, 1]);
  expect((await admin.send('GET', `/hidden/users/${ids.user}`)).status).toBe(404);

  expect((await admin.graphql(ofAnn)).data).toEqual({ node: null });
  const { data } = await admin.graphql<{ realm: { id: string } }>(onRealm('id'));
  const input = (users: string) => `(input: { realm: "${data.realm.id}", ${users} })`;
  const annId = nodeId('User', ids.user);
  const missing = { userErrors: [{ code: 'NOT_FOUND' }] };
  const refused = '{ userErrors { code } }';
  const batches = await admin.graphql(`mutation {
    update: usersUpdate${input(`users: [{ id: "${annId}", firstName: "Ann" }]`)} ${refused}
    delete: usersDelete${input(`ids: ["${annId}"]`)} ${refused}
  }`);
  expect(batches.data).toEqual({ update: missing, delete: missing });
});
