import { beforeAll, describe, expect, it } from 'vitest';
import type { Slapd } from '../../tools/slapd.mjs';
import { realmAdmin, singleRoleUsers } from '../permissions/rules.js';
import { administrator, type Caller, login, userOf } from '../support/fixture.js';
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

const rights = { clientRoles: { 'realm-management': ['realm-admin'] } };

describe.skipIf(!hasSlapd)('the place of a mapper of groups', () => {
  let server: TestServer;
  let slapd: Slapd;
  let boss: Caller;
  let manager: Caller;
  const realm = 'places';

  beforeAll(async () => {
    slapd = await directoryWith([person('eve'), group('admins', [personDn('eve')])]);
    server = await startServer();
    const created = await (await administrator(server)).send('POST', '/', {
      realm,
      enabled: true,
      groups: [
        { name: 'admins', ...rights },
        { name: 'team', subGroups: [{ name: 'admins', ...rights }] },
        { name: '%' },
        { name: '____' },
      ],
      users: [realmAdmin, ...singleRoleUsers],
    });
    expect(created.status).toBe(201);
    boss = await userOf(server, realm, 'boss', 'pw');
    manager = await userOf(server, realm, 'manage-realm', 'pw');
  }, 60_000);

  const mapperAt = (parentId: string, path: string, more = {}) =>
    mapperFor(manager, realm, parentId, 'group-ldap-mapper', {
      'groups.dn': `ou=groups,${suffix}`,
      mode: 'READ_ONLY',
      'preserve.group.inheritance': 'false',
      'groups.path': path,
      ...more,
    });
  const groupsOf = async (username: string): Promise<string[]> => {
    const [user] = (await boss.send('GET', `/${realm}/users?username=${username}&exact=true`)).body;
    const { body } = await boss.send('GET', `/${realm}/users/${user.id}/groups`);
    return body.map(({ path }: { path: string }) => path);
  };

  it.each(['%', '/%/%', '_', '/admin_', '/nothing', 'admins', '\\'])(
    'is refused where no group is: %s',
    async (path) => {
      const id = await storageFor(manager, realm, slapd.url);
      await expect(mapperAt(id, path)).rejects.toThrow('Groups path group does not exist');
      await manager.send('DELETE', `/${realm}/components/${id}`);
    },
  );

  it('is refused to callers who may not hand out what is there', async () => {
    const id = await storageFor(manager, realm, slapd.url);
    for (const path of ['/', '/admins', '/team', '/team/admins/']) {
      await expect(mapperAt(id, path)).rejects.toThrow();
    }
    await manager.send('DELETE', `/${realm}/components/${id}`);
  });

  it.each(['/%', '/____'])('is taken literally in logins and synchronisations: %s', async (path) => {
    const id = await storageFor(manager, realm, slapd.url);
    await mapperAt(id, path, { 'drop.non.existing.groups.during.sync': 'true' });
    const eve = await login(server, realm, 'eve', 'eve');
    expect(eve).toBeTruthy();
    expect(await groupsOf('eve')).toEqual([`${path}/admins`]);
    expect((await synchronise(boss, realm, id)).body).toMatchObject({ failed: 0 });
    expect(await groupsOf('eve')).toEqual([`${path}/admins`]);
    for (const kept of ['/admins', '/team/admins']) {
      expect((await boss.send('GET', `/${realm}/group-by-path${kept}`)).status).toBe(200);
    }
    expect((await (await userOf(server, realm, 'eve', 'eve')).send('GET', `/${realm}/users`)).status).toBe(403);
    await boss.send('DELETE', `/${realm}/components/${id}`);
  });
});
