import { beforeAll, describe, expect, it } from 'vitest';
import type { Slapd } from '../../tools/slapd.mjs';
import { administrator, type Caller, login } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { directoryWith, hasSlapd, mapperFor, person, storageFor, synchronise } from './directory.js';

interface UserError {
  code: string;
  path: string[] | null;
  message: string;
}

describe.skipIf(!hasSlapd)('edit modes', () => {
  let server: TestServer;
  let admin: Caller;
  let slapd: Slapd;

  const realmWith = async (realm: string, config: Record<string, string>, more: object = {}) => {
    const created = await admin.send('POST', '/', { realm, enabled: true, editUsernameAllowed: true, ...more });
    expect(created.status).toBe(201);
    const storage = await storageFor(admin, realm, slapd.url, config);
    return { realm, storage };
  };
  const userNamed = async (realm: string, name: string) =>
    (await admin.send('GET', `/${realm}/users?username=${name}&exact=true&briefRepresentation=false`)).body[0];
  const put = (realm: string, id: string, input: object) => admin.send('PUT', `/${realm}/users/${id}`, input);
  const localUser = async (realm: string, input: object): Promise<string> => {
    const created = await admin.send('POST', `/${realm}/users`, { enabled: true, ...input });
    expect(created.status).toBe(201);
    return created.headers.get('location')?.split('/').at(-1) ?? '';
  };
  const errorsOf = async (name: string, input: object): Promise<UserError[]> => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
    const query = `mutation ($input: ${type}) { ${name}(input: $input) { userErrors { code path message } } }`;
    const { data, errors } = await admin.graphql<Record<string, { userErrors: UserError[] }>>(query, { input });
    expect(errors).toBeUndefined();
    return data[name]?.userErrors ?? [];
  };
  const realmId = async (realm: string) => {
    const { data } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
    return data.realm.id;
  };
  const nodeOf = async (realm: string, username: string) => {
    const query = `{ realm(name: "${realm}") { user(username: "${username}") { id } } }`;
    const { data } = await admin.graphql<{ realm: { user: { id: string } } }>(query);
    return data.realm.user.id;
  };

  beforeAll(async () => {
    slapd = await directoryWith(['anna', 'bert', 'cleo'].map((name) => person(name)));
    server = await startServer();
    admin = await administrator(server);
  }, 60_000);

  it('leave the names and addresses of the directory to its people', async () => {
    const { realm } = await realmWith('taken', {});
    const id = await localUser(realm, { username: 'local' });
    const same = { errorMessage: 'User exists with same username or email' };
    expect(await put(realm, id, { email: 'Anna@example.org' })).toMatchObject({ status: 409, body: same });
    expect(await put(realm, id, { username: 'bert' })).toMatchObject({ status: 409, body: same });
    expect(await put(realm, id, { firstName: 'Local' })).toMatchObject({ status: 204 });
    // a user name that is somebody's address would get in the way of a login with that address
    const asName = { username: 'cleo@example.org' };
    expect(await admin.send('POST', `/${realm}/users`, asName)).toMatchObject({ status: 409 });
    const owner = await realmId(realm);
    const wanted = { realm: owner, username: 'other', email: 'cleo@example.org' };
    expect(await errorsOf('userCreate', wanted)).toMatchObject([{ message: 'User exists with same email' }]);
    const change = { id: await nodeOf(realm, 'local'), email: 'cleo@example.org' };
    expect(await errorsOf('userUpdate', change)).toMatchObject([{ message: same.errorMessage }]);
    for (const ifResourceExists of ['FAIL', 'SKIP', 'OVERWRITE']) {
      const users = [{ username: 'other', email: 'cleo@example.org' }];
      const imported = await admin.send('POST', `/${realm}/partialImport`, { ifResourceExists, users });
      expect(imported.status).toBe(409);
    }
    for (const name of ['anna', 'bert', 'cleo']) {
      expect(await login(server, realm, `${name}@example.org`, name)).toBeTruthy();
    }
    const own = await userNamed(realm, 'anna');
    expect(await put(realm, own.id, { email: own.email, username: own.username })).toMatchObject({ status: 204 });
  });

  it('let addresses be shared where the realm does', async () => {
    const shared = { duplicateEmailsAllowed: true, loginWithEmailAllowed: false };
    const { realm } = await realmWith('shared', {}, shared);
    await localUser(realm, { username: 'local', email: 'anna@example.org' });
    expect(await login(server, realm, 'anna', 'anna')).toBeTruthy();
  });

  it('protect what storages set', async () => {
    const { realm } = await realmWith('protected', {});
    const owner = await realmId(realm);
    const message = 'updateReadOnlyAttributesRejectedMessage';
    const attributes = [{ name: 'ldap_entry_dn', values: ['x'] }];
    expect(await errorsOf('userCreate', { realm: owner, username: 'local', attributes })).toMatchObject([{ message }]);
    await localUser(realm, { username: 'local' });
    const id = await nodeOf(realm, 'local');
    expect(await errorsOf('userUpdate', { id, attributes })).toMatchObject([{ message }]);
    const anna = await userNamed(realm, 'anna');
    const [given] = anna.attributes.LDAP_ID;
    const more = { ...anna, attributes: { ...anna.attributes, LDAP_ID: [given, 'more'] } };
    expect(await put(realm, anna.id, more)).toMatchObject({ status: 400, body: { errorMessage: message } });
    expect(await put(realm, anna.id, anna)).toMatchObject({ status: 204 });
    expect((await userNamed(realm, 'anna')).attributes).toEqual(anna.attributes);
  });

  it('name the field that a storage which is only read refuses', async () => {
    const { realm } = await realmWith('reading', {});
    await userNamed(realm, 'anna');
    const id = await nodeOf(realm, 'anna');
    const message = 'Could not update user!';
    const [error] = await errorsOf('userUpdate', { id, lastName: 'Changed' });
    expect(error).toMatchObject({ message });
    expect(String(error?.path)).toContain('lastName');
    const attributes = [{ name: 'color', values: ['red'] }];
    expect(await errorsOf('userUpdate', { id, attributes })).toMatchObject([{ message }]);
    expect(await errorsOf('userUpdate', { id, isEnabled: false })).toEqual([]);
    expect(await userNamed(realm, 'anna')).toMatchObject({ enabled: false, lastName: 'Example' });
  });

  it('keep here what was changed of users that are not synchronised', async () => {
    const { realm, storage } = await realmWith('unsynced', { editMode: 'UNSYNCED' });
    await mapperFor(admin, realm, storage, 'user-attribute-ldap-mapper', {
      'user.model.attribute': 'surname',
      'ldap.attribute': 'sn',
    });
    const anna = await userNamed(realm, 'anna');
    const changed = {
      username: 'hanna',
      email: 'hanna@example.org',
      lastName: 'Huber',
      attributes: { surname: ['x'] },
    };
    expect(await put(realm, anna.id, changed)).toMatchObject({ status: 204 });
    await synchronise(admin, realm, storage);
    await admin.send('GET', `/${realm}/users?search=anna`);
    const kept = await userNamed(realm, 'hanna');
    expect(kept).toMatchObject({ id: anna.id, email: 'hanna@example.org', lastName: 'Huber', firstName: 'anna' });
    expect(kept.attributes).toMatchObject({ surname: ['x'], LDAP_ID: anna.attributes.LDAP_ID });
    expect(await login(server, realm, 'hanna', 'anna')).toBeTruthy();
    // the address is free in the realm, but it is that of the user's own entry
    expect(await put(realm, anna.id, { email: 'anna@example.org' })).toMatchObject({ status: 204 });
  });

  it('have one password, the one that was set last', async () => {
    const { realm, storage } = await realmWith('passwords', { editMode: 'UNSYNCED' });
    const { id } = await userNamed(realm, 'cleo');
    const set = (value: string) =>
      admin.send('PUT', `/${realm}/users/${id}/reset-password`, { type: 'password', value, temporary: false });
    expect((await set('kept here')).status).toBe(204);
    expect(await login(server, realm, 'cleo', 'kept here')).toBeTruthy();
    await expect(login(server, realm, 'cleo', 'cleo')).rejects.toThrow();
    await admin.send('PUT', `/${realm}/components/${storage}`, { config: { editMode: ['WRITABLE'] } });
    expect((await set('written there')).status).toBe(204);
    expect(await login(server, realm, 'cleo', 'written there')).toBeTruthy();
    await expect(login(server, realm, 'cleo', 'kept here')).rejects.toThrow();
    expect((await admin.send('GET', `/${realm}/users/${id}/credentials`)).body).toEqual([]);
  });
});
