import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, login, startWithRealm } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import {
  directoryWith,
  group,
  hasSlapd,
  mapperFor,
  person,
  personDn,
  storageFor,
  suffix,
  synchronise,
} from './directory.js';

interface Component {
  id: string;
  name: string;
  parentId: string;
  config: Record<string, string[]>;
}

const kerberos = {
  allowKerberosAuthentication: 'true',
  kerberosRealm: 'EXAMPLE.ORG',
  serverPrincipal: 'HTTP/id.example.org@EXAMPLE.ORG',
  keyTab: '/etc/id.keytab',
  useKerberosForPasswordAuthentication: 'false',
};

describe.skipIf(!hasSlapd)('a realm with a directory that is exported', () => {
  const realm = 'moved';
  let server: TestServer;
  let admin: Caller;
  let storage: string;

  const components = async (): Promise<Component[]> => {
    const { body } = await admin.send('GET', `/${realm}/components`);
    const below = (body as Component[]).filter(({ id, parentId }) => id === storage || parentId === storage);
    return below.toSorted((one, other) => one.id.localeCompare(other.id));
  };
  const annaOf = async () =>
    (await admin.send('GET', `/${realm}/users?username=anna&exact=true&briefRepresentation=false`)).body[0];

  beforeAll(async () => {
    const slapd = await directoryWith([person('anna'), person('berta'), group('staff', [personDn('anna')])]);
    ({ server, admin } = await startWithRealm({ realm, enabled: true }));
    storage = await storageFor(admin, realm, slapd.url, { ...kerberos, fullSyncPeriod: '3600', priority: '3' });
    await mapperFor(admin, realm, storage, 'group-ldap-mapper', {
      'groups.dn': `ou=groups,${suffix}`,
      mode: 'READ_ONLY',
    });
    expect((await synchronise(admin, realm, storage)).body).toMatchObject({ added: 2 });
  }, 60_000);

  it.each([true, false])(
    'is the same after an import, with secrets: %s',
    async (secrets) => {
      const before = { components: await components(), anna: await annaOf() };
      const config = before.components.find(({ id }) => id === storage)?.config;
      expect(config).toMatchObject(
        Object.fromEntries(Object.entries(kerberos).map(([name, value]) => [name, [value]])),
      );
      const file = (await admin.send('GET', `/${realm}/export${secrets ? '?secrets=true' : ''}`)).body;
      expect(JSON.stringify(file).includes('directory-secret')).toBe(secrets);
      expect((await admin.send('DELETE', `/${realm}`)).status).toBe(204);
      admin = await administrator(server);
      expect((await admin.send('POST', '/', file)).status).toBe(201);
      admin = await administrator(server);
      expect(await components()).toEqual(before.components);
      const anna = await annaOf();
      expect(anna).toMatchObject({ id: before.anna.id, federationLink: storage, attributes: before.anna.attributes });
      const groups = (await admin.send('GET', `/${realm}/users/${anna.id}/groups`)).body;
      expect(groups).toMatchObject([{ path: '/staff' }]);
      if (!secrets) {
        await expect(login(server, realm, 'anna', 'anna')).rejects.toThrow();
        return;
      }
      expect(await login(server, realm, 'anna', 'anna')).toBeTruthy();
      expect((await synchronise(admin, realm, storage)).body).toMatchObject({
        added: 0,
        removed: 0,
        failed: 0,
      });
    },
    60_000,
  );
});

describe.skipIf(!hasSlapd)('what was changed here of a user whom the directory must not write over', () => {
  const realm = 'kept';
  const changed = { firstName: 'Here', attributes: { phone: ['2'] } };

  it.each([true, false])('stays after an export and an import, with secrets: %s', async (secrets) => {
    const slapd = await directoryWith([person('anna', { more: ['telephoneNumber: 1'] }), person('berta')]);
    const server = await startServer();
    let admin = await administrator(server);
    expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
    const id = await storageFor(admin, realm, slapd.url, { editMode: 'UNSYNCED' });
    await mapperFor(admin, realm, id, 'user-attribute-ldap-mapper', {
      'user.model.attribute': 'phone',
      'ldap.attribute': 'telephoneNumber',
      'read.only': 'true',
    });
    expect((await synchronise(admin, realm, id)).body).toMatchObject({ added: 2 });
    const annaOf = async () =>
      (await admin.send('GET', `/${realm}/users?username=anna&exact=true&briefRepresentation=false`)).body[0];
    expect((await admin.send('PUT', `/${realm}/users/${(await annaOf()).id}`, changed)).status).toBe(204);

    const file = (await admin.send('GET', `/${realm}/export${secrets ? '?secrets=true' : ''}`)).body;
    const users: { username: string; access?: object }[] = file.users;
    expect(users.map(({ username, access }) => [username, access])).toEqual([
      ['anna', { 'overwrite:firstName': false, 'overwrite:phone': false }],
      ['berta', undefined],
    ]);
    if (!secrets) {
      for (const component of Object.values(file.components as Record<string, { config: object }[]>).flat()) {
        if ('bindCredential' in component.config) component.config.bindCredential = ['directory-secret'];
      }
    }
    expect((await admin.send('DELETE', `/${realm}`)).status).toBe(204);
    admin = await administrator(server);
    expect((await admin.send('POST', '/', file)).status).toBe(201);
    admin = await administrator(server);
    for (const read of [
      () => admin.send('GET', `/${realm}/users?search=anna`),
      () => synchronise(admin, realm, id, 'triggerChangedUsersSync'),
      () => synchronise(admin, realm, id),
    ]) {
      expect((await read()).status).toBe(200);
      expect(await annaOf()).toMatchObject({ ...changed, lastName: 'Example', federationLink: id });
    }
  });
});
