import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, login } from '../support/fixture.js';
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
    server = await startServer();
    admin = await administrator(server);
    expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
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
