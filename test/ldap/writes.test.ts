import { Attribute, Change, Client } from 'ldapts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Slapd } from '../../tools/slapd.mjs';
import { administrator, type Caller, login } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import {
  directoryWith,
  group,
  groupDn,
  hasSlapd,
  mapperFor,
  person,
  personDn,
  rootDn,
  rootPassword,
  storageFor,
  suffix,
  synchronise,
} from './directory.js';

describe.skipIf(!hasSlapd)('writing to a directory', () => {
  let server: TestServer;
  let admin: Caller;
  let slapd: Slapd;
  let root: Client;

  const realmWith = async (realm: string, more: object = {}) => {
    const created = await admin.send('POST', '/', { realm, enabled: true, editUsernameAllowed: true, ...more });
    expect(created.status).toBe(201);
    return realm;
  };
  const registering = { editMode: 'WRITABLE', syncRegistrations: 'true' };
  const userNamed = async (realm: string, name: string) =>
    (await admin.send('GET', `/${realm}/users?username=${name}&exact=true&briefRepresentation=false`)).body[0];
  const entryAt = async (dn: string) => {
    const { searchEntries } = await root.search(dn, { scope: 'base' }).catch(() => ({ searchEntries: [] }));
    return searchEntries[0];
  };
  const membersOf = async (name: string) => [(await entryAt(groupDn(name)))?.member ?? []].flat();
  const realmId = async (realm: string) => {
    const { data } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
    return data.realm.id;
  };
  const mutate = async <R = Record<string, unknown>>(name: string, input: object, fields = ''): Promise<R> => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
    const query = `mutation ($input: ${type}) { ${name}(input: $input) { ${fields} userErrors { code path message } } }`;
    const { data, errors } = await admin.graphql<Record<string, R>>(query, { input });
    expect(errors).toBeUndefined();
    return data[name] as R;
  };

  beforeAll(async () => {
    slapd = await directoryWith([
      ...['anna', 'bert', 'cleo', 'dora', 'emil', 'fred', 'gina'].map((name) => person(name)),
      group('staff', [personDn('anna'), personDn('bert')]),
      group('lonely', [personDn('cleo')]),
    ]);
    server = await startServer();
    admin = await administrator(server);
    root = new Client({ url: slapd.url });
    await root.bind(rootDn, rootPassword);
  }, 60_000);

  it('creates users there, with their attributes and passwords', async () => {
    const realm = await realmWith('registering');
    const id = await storageFor(admin, realm, slapd.url, registering);
    await mapperFor(admin, realm, id, 'user-attribute-ldap-mapper', {
      'user.model.attribute': 'phone',
      'ldap.attribute': 'telephoneNumber',
    });
    await mapperFor(admin, realm, id, 'hardcoded-ldap-attribute-mapper', {
      'ldap.attribute.name': 'employeeType',
      'ldap.attribute.value': 'guest',
    });
    const user = {
      username: 'Hanna+1, x',
      email: 'Hanna@example.org',
      enabled: true,
      attributes: { phone: ['+43 1 2345'] },
      credentials: [{ type: 'password', value: 'first secret' }],
    };
    expect((await admin.send('POST', `/${realm}/users`, { ...user, firstName: 'Hanna' })).status).toBe(201);
    const dn = `uid=hanna\\2B1\\2C x,ou=people,${suffix}`;
    expect(await entryAt(dn)).toMatchObject({
      uid: 'hanna+1, x',
      cn: 'Hanna',
      sn: ' ',
      mail: 'hanna@example.org',
      telephoneNumber: '+43 1 2345',
      employeeType: 'guest',
    });
    expect(await login(server, realm, 'hanna+1, x', 'first secret')).toBeTruthy();
    const made = await userNamed(realm, encodeURIComponent('hanna+1, x'));
    expect(made).toMatchObject({ federationLink: id, attributes: { phone: ['+43 1 2345'] } });
    expect(made.attributes.LDAP_ID).toHaveLength(1);
    expect((await admin.send('GET', `/${realm}/users/${made.id}/credentials`)).body).toEqual([]);
    expect((await synchronise(admin, realm, id)).body).toMatchObject({ failed: 0, removed: 0 });
    expect(await userNamed(realm, encodeURIComponent('hanna+1, x'))).toMatchObject({ id: made.id });

    expect(await admin.send('PUT', `/${realm}/users/${made.id}`, { username: 'Hannah' })).toMatchObject({
      status: 204,
      body: '',
    });
    expect(await entryAt(dn)).toBeUndefined();
    expect(await entryAt(personDn('hannah'))).toMatchObject({ uid: 'hannah' });
    expect(await login(server, realm, 'hannah', 'first secret')).toBeTruthy();
    const credentials = [{ type: 'password', value: 'second secret' }];
    expect((await admin.send('PUT', `/${realm}/users/${made.id}`, { credentials })).status).toBe(204);
    expect(await login(server, realm, 'hannah', 'second secret')).toBeTruthy();
    expect((await admin.send('GET', `/${realm}/users/${made.id}/credentials`)).body).toEqual([]);
    expect((await admin.send('DELETE', `/${realm}/users/${made.id}`)).status).toBe(204);
    expect(await entryAt(personDn('hannah'))).toBeUndefined();
  });

  it('keeps nothing of users whom the directory refuses, nor there of whom the realm refuses', async () => {
    const realm = await realmWith('refusing');
    const id = await storageFor(admin, realm, slapd.url, {
      ...registering,
      userObjectClasses: 'inetOrgPerson,account',
    });
    const refused = await admin.send('POST', `/${realm}/users`, { username: 'ines' });
    expect(refused.status).toBe(400);
    expect(refused.body.errorMessage).toContain('User storage "directory"');
    expect(await userNamed(realm, 'ines')).toBeUndefined();
    const config = { userObjectClasses: ['inetOrgPerson'] };
    expect((await admin.send('PUT', `/${realm}/components/${id}`, { config })).status).toBe(204);
    const long = { username: 'ines', federatedIdentities: [{ identityProvider: 'x' }] };
    expect((await admin.send('POST', `/${realm}/users`, long)).status).toBe(400);
    expect(await entryAt(personDn('ines'))).toBeUndefined();
    expect(await admin.send('POST', `/${realm}/users`, { username: 'anna' })).toMatchObject({ status: 409 });
    expect(await entryAt(personDn('anna'))).toMatchObject({ cn: 'anna' });
    const [gina] = [await userNamed(realm, 'gina'), await userNamed(realm, 'fred')];
    const taken = { email: 'fred@example.org', firstName: 'Changed' };
    expect((await admin.send('PUT', `/${realm}/users/${gina.id}`, taken)).status).toBe(409);
    expect(await entryAt(personDn('gina'))).toMatchObject({ cn: 'gina', mail: 'gina@example.org' });
    await slapd.kill();
    expect((await admin.send('POST', `/${realm}/users`, { username: 'ines' })).status).toBe(503);
    await slapd.start();
    root = new Client({ url: slapd.url });
    await root.bind(rootDn, rootPassword);
    expect((await admin.send('GET', `/${realm}/users/count`)).body).toBe(2);
  });

  it('writes batches, all or what may be', async () => {
    const realm = await realmWith('batches');
    const storage = await storageFor(admin, realm, slapd.url, registering);
    const owner = await realmId(realm);
    const newUsers = (...names: string[]) =>
      names.map((username) => ({
        username,
        email: `${username}@x.org`,
        isEnabled: true,
        password: { value: `${username} secret` },
      }));
    const fields = 'users { id username federationLinkId }';
    interface Batch {
      users: { id: string; username: string; federationLinkId: string | null }[];
      userErrors: { path: string[]; message: string }[];
    }
    const failed = await mutate<Batch>('usersCreate', { realm: owner, users: newUsers('jana', 'anna') }, fields);
    expect(failed.userErrors).toMatchObject([{ path: ['users', '1', 'username'] }]);
    expect(await entryAt(personDn('jana'))).toBeUndefined();
    const input = { realm: owner, users: newUsers('jana', 'anna', 'kurt'), onError: 'CONTINUE' };
    const some = await mutate<Batch>('usersCreate', input, fields);
    expect(some.users.map(({ username }) => username)).toEqual(['jana', 'kurt']);
    expect(await entryAt(personDn('kurt'))).toMatchObject({ mail: 'kurt@x.org' });
    expect(await login(server, realm, 'kurt', 'kurt secret')).toBeTruthy();
    const [jana, kurt] = some.users as [Batch['users'][0], Batch['users'][0]];
    const component = (await admin.send('GET', `/${realm}/components/${storage}`)).body;
    expect(Buffer.from(jana.federationLinkId ?? '', 'base64').toString()).toContain(component.id);
    const changes = [
      { id: jana.id, firstName: 'Jana', password: { value: 'new secret' } },
      { id: kurt.id, lastName: 'Kurz' },
    ];
    await mutate('usersUpdate', { realm: owner, users: changes }, 'users { id }');
    expect(await entryAt(personDn('jana'))).toMatchObject({ cn: 'Jana' });
    expect(await entryAt(personDn('kurt'))).toMatchObject({ sn: 'Kurz' });
    expect(await login(server, realm, 'jana', 'new secret')).toBeTruthy();
    await admin.send('PUT', `/${realm}/components/${storage}`, { config: { editMode: ['READ_ONLY'] } });
    const readOnly = await mutate<Batch>(
      'usersUpdate',
      { realm: owner, users: [{ id: kurt.id, firstName: 'K' }] },
      fields,
    );
    expect(readOnly.userErrors).toMatchObject([
      { path: ['users', '0', 'firstName'], message: 'Could not update user!' },
    ]);
    await admin.send('PUT', `/${realm}/components/${storage}`, { config: { editMode: ['WRITABLE'] } });
    await mutate('usersDelete', { realm: owner, ids: [jana.id, kurt.id] }, 'deletedIds');
    expect(await entryAt(personDn('kurt'))).toBeUndefined();
  });

  it('writes who joins and leaves groups and roles, and creates those that are missing', async () => {
    const realm = await realmWith('members');
    const filter = '(|(uid=anna)(uid=bert)(uid=cleo))';
    const id = await storageFor(admin, realm, slapd.url, { editMode: 'WRITABLE', customUserSearchFilter: filter });
    const groups = await mapperFor(admin, realm, id, 'group-ldap-mapper', {
      'groups.dn': `ou=groups,${suffix}`,
      mode: 'LDAP_ONLY',
    });
    await admin.send('POST', `/${realm}/user-storage/${id}/mappers/${groups}/sync?direction=fedToService`);
    await synchronise(admin, realm, id);
    const [anna, cleo] = [await userNamed(realm, 'anna'), await userNamed(realm, 'cleo')];
    const all = (await admin.send('GET', `/${realm}/groups`)).body as { id: string; name: string }[];
    const idOf = (name: string) => all.find((one) => one.name === name)?.id;
    expect((await admin.send('PUT', `/${realm}/users/${cleo.id}/groups/${idOf('staff')}`)).status).toBe(204);
    expect(await membersOf('staff')).toContain(personDn('cleo'));
    expect((await admin.send('DELETE', `/${realm}/users/${cleo.id}/groups/${idOf('lonely')}`)).status).toBe(204);
    expect(await membersOf('lonely')).toEqual(['cn=empty-membership-placeholder']);
    expect((await admin.send('PUT', `/${realm}/users/${anna.id}/groups/${idOf('lonely')}`)).status).toBe(204);
    expect(await membersOf('lonely')).toEqual([personDn('anna')]);
    expect((await synchronise(admin, realm, id)).body).toMatchObject({ added: 0, failed: 0 });

    // a hierarchy that only the realm has as yet
    const created = await admin.send('POST', `/${realm}/groups`, { name: 'outer' });
    const outer = created.headers.get('location')?.split('/').at(-1);
    const child = await admin.send('POST', `/${realm}/groups/${outer}/children`, { name: 'inner' });
    expect((await admin.send('PUT', `/${realm}/users/${anna.id}/groups/${child.body.id}`)).status).toBe(204);
    expect(await membersOf('inner')).toEqual([personDn('anna')]);
    expect(await membersOf('outer')).toEqual([groupDn('inner')]);
    expect((await synchronise(admin, realm, id)).body).toMatchObject({ added: 0, failed: 0 });
    const joined = await admin.send('GET', `/${realm}/users/${anna.id}/groups`);
    expect(joined.body.map(({ path }: { path: string }) => path)).toContain('/outer/inner');

    await mapperFor(admin, realm, id, 'role-ldap-mapper', {
      'roles.dn': `ou=groups,${suffix}`,
      'use.realm.roles.mapping': 'true',
      mode: 'LDAP_ONLY',
    });
    await admin.send('POST', `/${realm}/roles`, { name: 'cook' });
    const role = (await admin.send('GET', `/${realm}/roles/cook`)).body;
    const roles = `/${realm}/users/${anna.id}/role-mappings/realm`;
    expect((await admin.send('POST', roles, [role])).status).toBe(204);
    expect(await membersOf('cook')).toEqual([personDn('anna')]);
    expect((await admin.send('DELETE', roles, [role])).status).toBe(204);
    expect(await membersOf('cook')).toEqual(['cn=empty-membership-placeholder']);

    await admin.send('PUT', `/${realm}/components/${id}`, { config: { syncRegistrations: ['true'] } });
    await admin.send('PUT', `/${realm}/default-groups/${idOf('staff')}`);
    const lina = { username: 'lina', groups: ['/outer/inner'] };
    expect((await admin.send('POST', `/${realm}/users`, lina)).status).toBe(201);
    expect(await membersOf('staff')).toContain(personDn('lina'));
    expect(await membersOf('inner')).toEqual([personDn('anna'), personDn('lina')]);

    const config = { mode: ['READ_ONLY'] };
    await admin.send('PUT', `/${realm}/components/${groups}`, { config });
    const refused = await admin.send('DELETE', `/${realm}/users/${anna.id}/groups/${idOf('staff')}`);
    expect(refused.status).toBe(400);
    expect(refused.body.error).toBe('Not possible to delete LDAP group mappings as mapper mode is READ_ONLY');
    expect(await membersOf('staff')).toContain(personDn('anna'));
    // what is given here stays beside what the directory says, and only that goes with the directory
    const groupsOf = async (user: string) =>
      ((await admin.send('GET', `/${realm}/users/${user}/groups`)).body as { name: string }[]).map(({ name }) => name);
    const before = await groupsOf(cleo.id);
    expect((await admin.send('PUT', `/${realm}/users/${cleo.id}/groups/${idOf('lonely')}`)).status).toBe(204);
    expect(await membersOf('lonely')).toEqual([personDn('anna')]);
    const modification = new Attribute({ type: 'member', values: [personDn('anna')] });
    await root.modify(groupDn('inner'), new Change({ operation: 'delete', modification }));
    await root.modify(groupDn('staff'), new Change({ operation: 'delete', modification }));
    await synchronise(admin, realm, id);
    expect((await groupsOf(cleo.id)).toSorted()).toEqual([...before, 'lonely'].toSorted());
    expect(await groupsOf(anna.id)).toEqual(['lonely']);
  });

  it('has people of a storage that does not import them', async () => {
    const realm = await realmWith('passing');
    const id = await storageFor(admin, realm, slapd.url, { importEnabled: 'false' });
    const own = `f:${id}:emil`;
    const found = await admin.send('GET', `/${realm}/users/${encodeURIComponent(own)}`);
    expect(found).toMatchObject({ status: 200, body: { id: own, username: 'emil', origin: id } });
    expect(found.body.federationLink).toBeUndefined();
    expect(await userNamed(realm, 'fred')).toMatchObject({ id: `f:${id}:fred`, origin: id });
    expect(await login(server, realm, 'gina', 'gina')).toBeTruthy();
    expect((await admin.send('GET', `/${realm}/users/${encodeURIComponent(`f:${id}:nobody`)}`)).status).toBe(404);
    expect((await synchronise(admin, realm, id)).body).toMatchObject({ ignored: true });
    const query = `{ realm(name: "${realm}") { user(username: "dora") { id origin { name } originId federationLinkId } } }`;
    const { data } = await admin.graphql<{ realm: { user: Record<string, string> } }>(query);
    expect(data.realm.user).toMatchObject({ federationLinkId: null, origin: { name: expect.any(String) } });
    expect(data.realm.user.originId).toBeTruthy();
  });

  it('is looked into by GraphQL as by REST', async () => {
    const realm = await realmWith('looking');
    await storageFor(admin, realm, slapd.url);
    const users = async (filter: string) => {
      const query = `{ realm(name: "${realm}") { users(filter: ${filter}) { totalCount edges { node { username } } } } }`;
      const { data, errors } = await admin.graphql<{
        realm: { users: { totalCount: number; edges: { node: { username: string } }[] } };
      }>(query);
      expect(errors).toBeUndefined();
      return [data.realm.users.totalCount, ...data.realm.users.edges.map(({ node }) => node.username)];
    };
    expect(await users('{ search: "cle" }')).toEqual([1, 'cleo']);
    expect(await users('{ username: { startsWith: "ber" } }')).toEqual([1, 'bert']);
    expect(await users('{ username: { equals: "nobody" } }')).toEqual([0]);
  });
});
