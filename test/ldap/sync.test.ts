// @both-databases
import { Attribute, Change, Client } from 'ldapts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Slapd } from '../../tools/slapd.mjs';
import { administrator, type Caller, login } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { countStatements } from '../support/statements.js';
import {
  directoryWith,
  group,
  groupDn,
  hasSlapd,
  manyPeople,
  mapperFor,
  person,
  personDn,
  rootDn,
  rootPassword,
  storageFor,
  suffix,
  synchronise,
} from './directory.js';

if (!hasSlapd) console.warn('slapd is not installed: the tests of LDAP are skipped (apt-get install slapd)');

const count = 2500;
/** The clock of the server is slow: those who count as changed are those who change in a test. */
const more = ['createTimestamp: 20200101000000Z', 'modifyTimestamp: 20200101000000Z'];

describe.skipIf(!hasSlapd)('LDAP', () => {
  let server: TestServer;
  let admin: Caller;
  let slapd: Slapd;
  let root: Client;

  const realmWith = async (realm: string) => {
    const created = await admin.send('POST', '/', { realm, enabled: true, loginWithEmailAllowed: true });
    expect(created.status).toBe(201);
    return realm;
  };
  const usersOf = async (realm: string, query: string) => (await admin.send('GET', `/${realm}/users?${query}`)).body;

  beforeAll(async () => {
    slapd = await directoryWith([
      ...manyPeople(count, { more }),
      person('star', { firstName: 'Star * (x) \\ )(uid=*', lastName: 'Ünïcödé', more }),
      person('änne', { firstName: 'Änne', dn: `uid=\\C3\\A4nne,ou=people,${suffix}`, more }),
      group('staff', [groupDn('kitchen'), personDn('user0')]),
      group('kitchen', [personDn('user1'), personDn('user2')]),
    ]);
    server = await startServer({}, slowClock);
    admin = await administrator(server);
    root = new Client({ url: slapd.url });
    await root.bind(rootDn, rootPassword);
  }, 60_000);

  it('synchronises all, then nothing, then what changed, and removes who is gone', async () => {
    const realm = await realmWith('whole');
    const id = await storageFor(admin, realm, slapd.url);
    const first = await synchronise(admin, realm, id);
    expect(first.body).toMatchObject({ ignored: false, added: count + 2, updated: 0, removed: 0, failed: 0 });
    expect((await admin.send('GET', `/${realm}/users/count`)).body).toBe(count + 2);
    const second = await synchronise(admin, realm, id);
    expect(second.body).toMatchObject({ added: 0, updated: count + 2, removed: 0, failed: 0 });

    await root.modify(
      personDn('user7'),
      new Change({ operation: 'replace', modification: new Attribute({ type: 'sn', values: ['Changed'] }) }),
    );
    await root.modifyDN(personDn('user8'), 'uid=renamed8');
    await root.del(personDn('user9'));
    const changed = await synchronise(admin, realm, id, 'triggerChangedUsersSync');
    expect(changed.body).toMatchObject({ added: 0, updated: 2, removed: 0, failed: 0 });
    const [user] = await usersOf(realm, 'username=user7&exact=true&briefRepresentation=false');
    expect(user).toMatchObject({ firstName: 'First7', lastName: 'Changed', federationLink: id, enabled: true });
    expect(user.attributes).toMatchObject({ LDAP_ENTRY_DN: [personDn('user7')] });
    expect(await usersOf(realm, 'username=renamed8&exact=true')).toHaveLength(1);

    const last = await synchronise(admin, realm, id);
    expect(last.body).toMatchObject({ added: 0, updated: count + 1, removed: 1, failed: 0 });
    expect(await usersOf(realm, 'username=user9&exact=true')).toHaveLength(0);
  }, 60_000);

  it('lets people log in with the password of the directory, found by name or address', async () => {
    const realm = await realmWith('logins');
    await storageFor(admin, realm, slapd.url);
    expect(await login(server, realm, 'user11', 'user11')).toBeTruthy();
    expect(await login(server, realm, 'user12@example.org', 'user12')).toBeTruthy();
    expect(await login(server, realm, 'ÄNNE', 'änne')).toBeTruthy();
    await expect(login(server, realm, 'user13', 'wrong')).rejects.toThrow('invalid_grant');
    await expect(login(server, realm, 'user13', '')).rejects.toThrow();
    await expect(login(server, realm, 'user1*', 'user13')).rejects.toThrow('invalid_grant');
    await expect(login(server, realm, 'x)(uid=*', 'x')).rejects.toThrow('invalid_grant');
    expect((await admin.send('GET', `/${realm}/users/count`)).body).toBe(4);
    const [user] = await usersOf(realm, 'username=user11&exact=true');
    const types = await admin.send('GET', `/${realm}/users/${user.id}/configured-user-storage-credential-types`);
    expect(types.body).toEqual(['password']);
  });

  it('finds exactly those whom a search means, with special characters and beyond ASCII', async () => {
    const realm = await realmWith('searches');
    await storageFor(admin, realm, slapd.url);
    expect(await usersOf(realm, `search=${encodeURIComponent(')(uid=*')}`)).toMatchObject([{ username: 'star' }]);
    expect(await usersOf(realm, `firstName=${encodeURIComponent('Änne')}`)).toMatchObject([{ username: 'änne' }]);
    expect((await admin.send('GET', `/${realm}/users/count`)).body).toBe(2);
    expect(await usersOf(realm, 'search=user1234')).toMatchObject([{ username: 'user1234' }]);
    const taken = await admin.send('POST', `/${realm}/users`, { username: 'user99' });
    expect(taken).toMatchObject({ status: 409, body: { errorMessage: 'User exists with same username' } });
  });

  it('writes passwords to a directory that may be written, and refuses to where it may not', async () => {
    const realm = await realmWith('passwords');
    const id = await storageFor(admin, realm, slapd.url, { editMode: 'WRITABLE' });
    await login(server, realm, 'user21', 'user21');
    const [user] = await usersOf(realm, 'username=user21&exact=true');
    const path = `/${realm}/users/${user.id}/reset-password`;
    expect((await admin.send('PUT', path, { value: 'näw password' })).status).toBe(204);
    expect(await login(server, realm, 'user21', 'näw password')).toBeTruthy();
    await expect(login(server, realm, 'user21', 'user21')).rejects.toThrow('invalid_grant');
    expect((await admin.send('GET', `/${realm}/users/${user.id}/credentials`)).body).toEqual([]);
    const profile = { firstName: 'Zoë', lastName: 'Löw, Jr.', email: 'zoe@example.org' };
    expect((await admin.send('PUT', `/${realm}/users/${user.id}`, profile)).status).toBe(204);
    const { searchEntries } = await root.search(personDn('user21'), { scope: 'base' });
    expect(searchEntries).toMatchObject([{ cn: 'Zoë', sn: 'Löw, Jr.', mail: 'zoe@example.org' }]);
    await login(server, realm, 'user22', 'user22');
    const [other] = await usersOf(realm, 'username=user22&exact=true');
    expect((await admin.send('DELETE', `/${realm}/users/${other.id}`)).status).toBe(204);
    await expect(root.search(personDn('user22'), { scope: 'base' })).rejects.toThrow();
    const mode = (editMode: string) =>
      admin.send('PUT', `/${realm}/components/${id}`, { config: { editMode: [editMode] } });
    await mode('READ_ONLY');
    expect(await admin.send('PUT', path, { value: 'other' })).toMatchObject({ status: 400 });
    const readOnly = await admin.send('PUT', `/${realm}/users/${user.id}`, { firstName: 'Other' });
    expect(readOnly).toMatchObject({ status: 400, body: { errorMessage: 'Could not update user!' } });
    await mode('UNSYNCED');
    expect((await admin.send('PUT', path, { value: 'local' })).status).toBe(204);
    expect(await login(server, realm, 'user21', 'local')).toBeTruthy();
  });

  it('maps groups with their hierarchy, roles and what all users get', async () => {
    const realm = await realmWith('mappers');
    const id = await storageFor(admin, realm, slapd.url, {
      customUserSearchFilter: '(|(uid=user0)(uid=user1)(uid=user2))',
    });
    await admin.send('POST', `/${realm}/roles`, { name: 'employee' });
    const groups = await mapperFor(admin, realm, id, 'group-ldap-mapper', {
      'groups.dn': `ou=groups,${suffix}`,
      mode: 'READ_ONLY',
    });
    await mapperFor(admin, realm, id, 'role-ldap-mapper', {
      'roles.dn': `ou=groups,${suffix}`,
      'use.realm.roles.mapping': 'true',
      mode: 'READ_ONLY',
    });
    await mapperFor(admin, realm, id, 'hardcoded-ldap-role-mapper', { role: 'employee' });
    await mapperFor(admin, realm, id, 'hardcoded-attribute-mapper', {
      'user.model.attribute': 'site',
      'attribute.value': 'Linz',
    });
    const sync = await admin.send('POST', `/${realm}/user-storage/${id}/mappers/${groups}/sync?direction=fedToService`);
    expect(sync.body).toMatchObject({ added: 2, updated: 0, failed: 0 });
    expect((await synchronise(admin, realm, id)).body).toMatchObject({ added: 3, failed: 0 });
    const [user] = await usersOf(realm, 'username=user1&exact=true&briefRepresentation=false');
    expect(user.attributes.site).toEqual(['Linz']);
    const joined = await admin.send('GET', `/${realm}/users/${user.id}/groups`);
    expect(joined.body).toMatchObject([{ path: '/staff/kitchen' }]);
    const roles = await admin.send('GET', `/${realm}/users/${user.id}/role-mappings/realm`);
    expect(roles.body.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['employee', 'kitchen']),
    );
    await root.modify(
      groupDn('kitchen'),
      new Change({ operation: 'delete', modification: new Attribute({ type: 'member', values: [personDn('user1')] }) }),
    );
    expect((await synchronise(admin, realm, id)).body).toMatchObject({ added: 0, updated: 3 });
    expect((await admin.send('GET', `/${realm}/users/${user.id}/groups`)).body).toEqual([]);
  });

  it('counts people with a name or address of somebody else as failed, and leaves local users alone', async () => {
    const realm = await realmWith('clashes');
    await admin.send('POST', `/${realm}/users`, { username: 'user3', enabled: true });
    const id = await storageFor(admin, realm, slapd.url, { customUserSearchFilter: '(|(uid=user3)(uid=user4))' });
    expect((await synchronise(admin, realm, id)).body).toMatchObject({ added: 1, failed: 1 });
    const [user] = await usersOf(realm, 'username=user3&exact=true');
    expect(user.federationLink).toBeUndefined();
    expect((await admin.send('POST', `/${realm}/user-storage/${id}/remove-imported-users`)).status).toBe(204);
    expect((await admin.send('GET', `/${realm}/users/count`)).body).toBe(1);
  });

  it('takes the same number of statements for batches of any size', async () => {
    const statements = async (realm: string, filter: string) => {
      await realmWith(realm);
      const id = await storageFor(admin, realm, slapd.url, { customUserSearchFilter: filter });
      return countStatements(server, () => synchronise(admin, realm, id));
    };
    const few = await statements('few', '(uid=user30)');
    const many = await statements('many', '(uid=user3*)');
    expect(many).toBe(few);
  });
});
