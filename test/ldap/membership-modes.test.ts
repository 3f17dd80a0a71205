import { Client } from 'ldapts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Slapd } from '../../tools/slapd.mjs';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';
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
} from './directory.js';

const storages = [
  { editMode: 'READ_ONLY', importEnabled: 'true' },
  { editMode: 'READ_ONLY', importEnabled: 'false' },
  { editMode: 'UNSYNCED', importEnabled: 'true' },
  { editMode: 'WRITABLE', importEnabled: 'true' },
  { editMode: 'WRITABLE', importEnabled: 'false' },
];

describe.skipIf(!hasSlapd)('the mode of a mapper decides about memberships', () => {
  let admin: Caller;
  let slapd: Slapd;
  let root: Client;

  const membersOf = async (name: string) => {
    const { searchEntries } = await root.search(groupDn(name), { scope: 'base' });
    return [searchEntries[0]?.member ?? []].flat();
  };
  const named = async (realm: string, path: string, name: string): Promise<string> => {
    const { body } = await admin.send('GET', `/${realm}/${path}`);
    return (body as { id: string; name?: string; username?: string }[]).find(
      (one) => (one.name ?? one.username) === name,
    )?.id as string;
  };

  beforeAll(async () => {
    const staff = ['staff', 'board'].map((name) => group(name, [personDn('bert')]));
    slapd = await directoryWith([person('anna'), person('bert'), ...staff]);
    admin = await administrator(await startServer());
    root = new Client({ url: slapd.url });
    await root.bind(rootDn, rootPassword);
    return () => root.unbind();
  }, 60_000);

  for (const [at, config] of storages.entries()) {
    it(`LDAP_ONLY writes to the directory: ${config.editMode}, importEnabled=${config.importEnabled}`, async () => {
      const realm = `members-${at}`;
      expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
      const storage = await storageFor(admin, realm, slapd.url, config);
      const groups = await mapperFor(admin, realm, storage, 'group-ldap-mapper', {
        'groups.dn': `ou=groups,${suffix}`,
        mode: 'LDAP_ONLY',
      });
      const sync = `/${realm}/user-storage/${storage}/mappers/${groups}/sync`;
      expect((await admin.send('POST', `${sync}?direction=fedToKeycloak`)).status).toBe(200);
      const anna = await named(realm, 'users?search=anna', 'anna');
      const memberships = `/${realm}/users/${anna}/groups`;
      const board = `${memberships}/${await named(realm, 'groups', 'board')}`;
      expect((await admin.send('PUT', board)).status).toBe(204);
      expect(await membersOf('board')).toContain(personDn('anna'));
      expect((await admin.send('GET', memberships)).body).toMatchObject([{ name: 'board' }]);
      expect((await admin.send('DELETE', board)).status).toBe(204);
      expect(await membersOf('board')).not.toContain(personDn('anna'));
      expect((await admin.send('GET', memberships)).body).toEqual([]);

      // a group that the directory does not have is created there
      const name = `new-${at}`;
      expect((await admin.send('POST', `/${realm}/groups`, { name })).status).toBe(201);
      const exported = await admin.send('POST', `${sync}?direction=keycloakToFed`);
      expect(exported.body).toMatchObject({ added: 1, failed: 0 });
      expect(await membersOf(name)).not.toContain(personDn('anna'));
    });
  }
});
