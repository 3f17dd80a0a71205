import { beforeAll, describe, expect, it } from 'vitest';
import type { Slapd } from '../../tools/slapd.mjs';
import { type Answer, administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import {
  directoryWith,
  group,
  hasSlapd,
  mapperFor,
  person,
  personDn,
  rootDn,
  storageFor,
  suffix,
} from './directory.js';

/** A realm with a user of the directory, as REST and as GraphQL identify what is in it. */
interface Scene {
  realm: string;
  realmId: string;
  anna: { rest: string; node: string };
  groups: Map<string, { rest: string; node: string }>;
  roles: Map<string, { rest: string; node: string }>;
}

interface Case {
  name: string;
  rest(scene: Scene): Promise<Answer>;
  mutation: string;
  input(scene: Scene): object;
  status: number;
  /** the text of the REST answer */
  text: string;
  code: string;
  field: string | null;
  /** the text of GraphQL, where REST has to have one that does not say why */
  message?: string;
  switchedOff?: true;
}

const notUpdated = { status: 400, text: 'Could not update user!', code: 'READ_ONLY' } as const;
const codes: Record<string, string> = { username: 'USERNAME_TAKEN', email: 'EMAIL_TAKEN' };

describe.skipIf(!hasSlapd).each(['true', 'false'])('refusals about people of a directory, imports: %s', (imports) => {
  let server: TestServer;
  let admin: Caller;
  let slapd: Slapd;
  let count = 0;

  const put = ({ realm, anna }: Scene, input: object) => admin.send('PUT', `/${realm}/users/${anna.rest}`, input);
  const readOnly = (field: string, input: object, given: object = input, named = field): Case => ({
    name: `a change of ${field} where the storage is only read`,
    rest: (scene) => put(scene, input),
    mutation: 'userUpdate',
    input: ({ anna }) => ({ id: anna.node, ...given }),
    ...notUpdated,
    field: named,
  });
  const create = (name: string, field: string, text: string, input: object): Case => ({
    name,
    rest: ({ realm }) => admin.send('POST', `/${realm}/users`, input),
    mutation: 'userCreate',
    input: ({ realmId }) => ({ realm: realmId, ...input }),
    status: 409,
    code: codes[field] ?? 'INVALID',
    text,
    field,
  });
  const leaveGroup = (name: string, path: string, text: string): Case => ({
    name,
    rest: ({ realm, anna, groups }) =>
      admin.send('DELETE', `/${realm}/users/${anna.rest}/groups/${groups.get(path)?.rest}`),
    mutation: 'userLeaveGroups',
    input: ({ anna, groups }) => ({ id: anna.node, groups: [groups.get(path)?.node] }),
    status: 400,
    text,
    code: 'INVALID',
    field: 'groups',
  });
  const loseRole = (name: string, role: string, message: string): Case => ({
    name,
    rest: ({ realm, anna, roles }) =>
      admin.send('DELETE', `/${realm}/users/${anna.rest}/role-mappings/realm`, [
        { id: roles.get(role)?.rest, name: role },
      ]),
    mutation: 'userRemoveRoles',
    input: ({ anna, roles }) => ({ id: anna.node, roles: [roles.get(role)?.node] }),
    status: 400,
    text: 'Could not remove user role mappings!',
    code: 'INVALID',
    field: 'roles',
    message,
  });
  const protectedText = 'updateReadOnlyAttributesRejectedMessage';
  const fixed = (kind: string) => `Not possible to delete ${kind}. It's hardcoded by LDAP mapper`;
  const onlyRead = (kind: string) => `Not possible to delete LDAP ${kind} mappings as mapper mode is READ_ONLY`;
  const attributesOf = (name: string, value: string): [object, object] => [
    { attributes: { [name]: [value] } },
    { attributes: [{ name, values: [value] }] },
  ];

  const cases: Case[] = [
    ...['username', 'firstName', 'lastName'].map((field) => readOnly(field, { [field]: 'other' })),
    readOnly('email', { email: 'other@example.org' }),
    readOnly('attributes', ...attributesOf('color', 'red'), 'attributes.0'),
    {
      ...readOnly('attributes', ...attributesOf('LDAP_ENTRY_DN', rootDn), 'attributes.0'),
      name: 'a change of an attribute that the storage sets',
      text: protectedText,
    },
    leaveGroup('leaving a hard-coded group', '/everybody', fixed('group')),
    leaveGroup('leaving a group that is only read', '/staff', onlyRead('group')),
    loseRole('losing a hard-coded role', 'guest', fixed('role')),
    loseRole('losing a role that is only read', 'cook', onlyRead('role')),
    {
      ...readOnly('firstName', { firstName: 'other' }),
      name: 'a change of a name while the storage is switched off',
      switchedOff: true,
    },
    {
      ...readOnly('enabled', { enabled: true }, { isEnabled: true }, 'isEnabled'),
      name: 'enabling a user whose storage is switched off',
      status: 409,
      code: 'READ_ONLY',
      text: 'User is read only!',
      switchedOff: true,
    },
    create('a new user with the user name of somebody there', 'username', 'User exists with same username', {
      username: 'Bert',
    }),
    create('a new user with the address of somebody there', 'email', 'User exists with same email', {
      username: 'newcomer',
      email: 'Bert@example.org',
    }),
  ];

  const errorsOf = async (name: string, input: object) => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
    const query = `mutation ($input: ${type}) { ${name}(input: $input) { userErrors { code path message } } }`;
    const { data, errors } = await admin.graphql<Record<string, { userErrors: object[] }>>(query, { input });
    expect(errors).toBeUndefined();
    return data[name]?.userErrors;
  };

  /** Everything about the people of a realm that a refused request could have changed. */
  const stateOf = async ({ realm, anna }: Scene) => {
    const paths = ['', '/groups', '/role-mappings/realm'].map((path) => `/${realm}/users/${anna.rest}${path}`);
    const answers = await Promise.all(
      [...paths, `/${realm}/users/count`].map(async (path) => {
        const { status, body } = await admin.send('GET', path);
        expect([path, status]).toEqual([path, 200]);
        return body;
      }),
    );
    return answers;
  };

  const sceneOf = async (): Promise<{ scene: Scene; storage: string }> => {
    count += 1;
    const realm = `refusals-${imports}-${count}`;
    const created = await admin.send('POST', '/', {
      realm,
      enabled: true,
      editUsernameAllowed: true,
      groups: [{ name: 'everybody' }],
      roles: { realm: [{ name: 'guest' }] },
    });
    expect(created.status).toBe(201);
    const storage = await storageFor(admin, realm, slapd.url, { editMode: 'READ_ONLY', importEnabled: imports });
    await mapperFor(admin, realm, storage, 'hardcoded-ldap-group-mapper', { group: '/everybody' });
    await mapperFor(admin, realm, storage, 'hardcoded-ldap-role-mapper', { role: 'guest' });
    for (const [kind, name] of [
      ['group', 'staff'],
      ['role', 'cook'],
    ]) {
      await mapperFor(admin, realm, storage, `${kind}-ldap-mapper`, {
        [`${kind}s.dn`]: `ou=groups,${suffix}`,
        [`${kind}s.ldap.filter`]: `(cn=${name})`,
        ...(kind === 'role' && { 'use.realm.roles.mapping': 'true' }),
        mode: 'READ_ONLY',
      });
    }
    const [{ id }] = (await admin.send('GET', `/${realm}/users?username=anna&exact=true`)).body;
    const query = `{ realm(name: "${realm}") {
      id user(username: "anna") { id }
      groups(first: 50) { edges { node { id path } } } roles(first: 50) { edges { node { id name } } } } }`;
    const { data } = await admin.graphql<{
      realm: {
        id: string;
        user: { id: string };
        groups: { edges: { node: { id: string; path: string } }[] };
        roles: { edges: { node: { id: string; name: string } }[] };
      };
    }>(query);
    const restGroups: { id: string; path: string }[] = (await admin.send('GET', `/${realm}/groups`)).body;
    const restRoles: { id: string; name: string }[] = (await admin.send('GET', `/${realm}/roles`)).body;
    const groups = data.realm.groups.edges.map(
      ({ node: { id: node, path } }) =>
        [path, { node, rest: restGroups.find((one) => one.path === path)?.id ?? '' }] as const,
    );
    const roles = data.realm.roles.edges.map(
      ({ node: { id: node, name } }) =>
        [name, { node, rest: restRoles.find((one) => one.name === name)?.id ?? '' }] as const,
    );
    const anna = { rest: id, node: data.realm.user.id };
    return {
      scene: { realm, realmId: data.realm.id, anna, groups: new Map(groups), roles: new Map(roles) },
      storage,
    };
  };

  let shared: Scene;
  let offline: Scene;

  beforeAll(async () => {
    const members = [personDn('anna')];
    slapd = await directoryWith([person('anna'), person('bert'), group('staff', members), group('cook', members)]);
    server = await startServer();
    admin = await administrator(server);
    shared = (await sceneOf()).scene;
    const other = await sceneOf();
    offline = other.scene;
    const off = await admin.send('PUT', `/${offline.realm}/components/${other.storage}`, {
      config: { enabled: ['false'] },
    });
    expect(off.status).toBe(204);
  }, 60_000);

  // who is not imported does not exist while the storage is switched off
  const known = cases.filter(({ switchedOff }) => !switchedOff || imports === 'true');
  it.each(known)('$name', async ({ rest, mutation, input, status, text, code, field, message = text, switchedOff }) => {
    const scene = switchedOff ? offline : shared;
    const before = await stateOf(scene);
    const answer = await rest(scene);
    const { errorMessage, error, error_description } = answer.body;
    expect([answer.status, errorMessage ?? (error === 'invalid_request' ? error_description : error)]).toEqual([
      status,
      text,
    ]);
    expect(await errorsOf(mutation, input(scene))).toEqual([{ code, path: field?.split('.') ?? null, message }]);
    expect(await stateOf(scene)).toEqual(before);
  });
});
