// @thorough
import { Attribute, Change, Client } from 'ldapts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, login, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';
import { mapperFor, storageFor, synchronise } from './directory.js';
import { hasSamba, type Samba, startSamba } from './samba.js';

const realm = 'office';
const quoted = (password: string): Buffer => Buffer.from(`"${password}"`, 'utf16le');

if (!hasSamba) console.info('skipped: tests with Samba need the packages samba-ad-dc and samba-ad-provision, and root');

describe.skipIf(!hasSamba)('the Active Directory of Samba', () => {
  let server: TestServer;
  let admin: Caller;
  let root: Client;
  let samba: Samba;
  let storage: string;

  const dnOf = (name: string) => `CN=${name},${samba.users}`;
  const passwordOf = (name: string) => `Secret.${name}.1`;
  const addPerson = (name: string, control: number) =>
    root.add(dnOf(name), {
      objectClass: ['user'],
      sAMAccountName: [name],
      givenName: [name],
      sn: ['Example'],
      mail: [`${name}@example.test`],
      userAccountControl: [String(control)],
      unicodePwd: [quoted(passwordOf(name))] as unknown as string[],
    });
  const change = (name: string, type: string, values: string[]) =>
    root.modify(dnOf(name), new Change({ operation: 'replace', modification: new Attribute({ type, values }) }));
  const entryOf = async (name: string) => {
    const filter = `(sAMAccountName=${name})`;
    const { searchEntries } = await root.search(samba.users, { scope: 'one', filter });
    return searchEntries[0];
  };
  const userNamed = async (name: string) =>
    (await admin.send('GET', `/${realm}/users?username=${name}&exact=true&briefRepresentation=false`)).body[0];

  beforeAll(async () => {
    samba = await startSamba();
    root = new Client({ url: samba.url });
    await root.bind(samba.bindDn, samba.bindPassword);
    for (const name of ['anna', 'carl', 'dora']) await addPerson(name, 512);
    await addPerson('bert', 514);
    await change('carl', 'pwdLastSet', ['0']);
    await root.add(dnOf('staff'), { objectClass: ['group'], sAMAccountName: ['staff'], member: [dnOf('anna')] });
    ({ server, admin } = await startWithRealm({ realm, enabled: true }));
    storage = await storageFor(admin, realm, samba.url, {
      vendor: 'ad',
      bindDn: samba.bindDn,
      bindCredential: samba.bindPassword,
      usersDn: samba.users,
      userObjectClasses: 'person, organizationalPerson, user',
      usernameLDAPAttribute: 'sAMAccountName',
      rdnLDAPAttribute: 'cn',
      uuidLDAPAttribute: 'objectGUID',
      customUserSearchFilter: '(sn=*)',
      editMode: 'WRITABLE',
      syncRegistrations: 'true',
      connectionTimeout: '10000',
      readTimeout: '20000',
    });
    await mapperFor(admin, realm, storage, 'group-ldap-mapper', {
      'groups.dn': samba.users,
      'group.object.classes': 'group',
      'groups.ldap.filter': '(|(cn=staff)(cn=Domain Users))',
      mode: 'READ_ONLY',
    });
  }, 300_000);

  it('gives its accounts with their state, their identifiers and their groups', async () => {
    expect((await synchronise(admin, realm, storage)).body).toMatchObject({ added: 4, failed: 0 });
    const anna = await userNamed('anna');
    expect(anna).toMatchObject({ enabled: true, requiredActions: [], email: 'anna@example.test' });
    expect(anna.attributes.LDAP_ID[0]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await userNamed('bert')).toMatchObject({ enabled: false });
    expect(await userNamed('carl')).toMatchObject({ enabled: true, requiredActions: ['UPDATE_PASSWORD'] });
    const groups = (await admin.send('GET', `/${realm}/users/${anna.id}/groups`)).body;
    expect(groups.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Domain Users', 'staff']);
    expect((await synchronise(admin, realm, storage)).body).toMatchObject({ added: 0, removed: 0 });
  }, 60_000);

  it('decides about logins, and says why it refuses them', async () => {
    expect(await login(server, realm, 'anna', passwordOf('anna'))).toBeTruthy();
    await expect(login(server, realm, 'anna', 'wrong')).rejects.toThrow('Invalid user credentials');
    await expect(login(server, realm, 'bert', passwordOf('bert'))).rejects.toThrow('Invalid user credentials');
    await expect(login(server, realm, 'carl', passwordOf('carl'))).rejects.toThrow('Account is not fully set up');
    // what has changed there since the last synchronisation is found out by the login
    await change('dora', 'userAccountControl', ['514']);
    await expect(login(server, realm, 'dora', passwordOf('dora'))).rejects.toThrow();
    expect(await userNamed('dora')).toMatchObject({ enabled: false });
  }, 60_000);

  it('is told of accounts that are disabled, and of passwords that are new or have to be changed', async () => {
    const path = `/${realm}/users/${(await userNamed('anna')).id}`;
    expect((await admin.send('PUT', path, { enabled: false })).status).toBe(204);
    expect(await entryOf('anna')).toMatchObject({ userAccountControl: '514' });
    expect((await admin.send('PUT', path, { enabled: true })).status).toBe(204);
    expect(await entryOf('anna')).toMatchObject({ userAccountControl: '512' });
    expect((await admin.send('PUT', path, { requiredActions: ['UPDATE_PASSWORD'] })).status).toBe(204);
    expect(await entryOf('anna')).toMatchObject({ pwdLastSet: '0' });
    const reset = (value: string) => admin.send('PUT', `${path}/reset-password`, { type: 'password', value });
    expect((await reset('a')).status).toBe(400);
    expect((await reset('Another.Pass.2')).status).toBe(204);
    expect((await admin.send('PUT', path, { requiredActions: [] })).status).toBe(204);
    expect((await entryOf('anna'))?.pwdLastSet).not.toBe('0');
    expect(await login(server, realm, 'anna', 'Another.Pass.2')).toBeTruthy();
  }, 60_000);

  it('gets new users, whose accounts are enabled with their passwords', async () => {
    const created = await admin.send('POST', `/${realm}/users`, {
      username: 'emil',
      firstName: 'Emil',
      lastName: 'Example',
      enabled: true,
      credentials: [{ type: 'password', value: passwordOf('emil') }],
    });
    expect(created.status).toBe(201);
    expect(await entryOf('emil')).toMatchObject({ userAccountControl: '512' });
    expect(await login(server, realm, 'emil', passwordOf('emil'))).toBeTruthy();
  }, 60_000);

  it('says what has changed', async () => {
    await change('anna', 'mail', ['other@example.test']);
    await synchronise(admin, realm, storage, 'triggerChangedUsersSync');
    expect(await userNamed('anna')).toMatchObject({ email: 'other@example.test' });
  }, 60_000);
});
