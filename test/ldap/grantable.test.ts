import { beforeAll, describe, expect, it } from 'vitest';
import { mapperComponent, type Slapd, storageComponent } from '../../tools/slapd.mjs';
import { realmAdmin } from '../permissions/rules.js';
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

const all = { clientRoles: { 'realm-management': ['realm-admin'] } };
const chief = { composite: true, composites: { client: { 'realm-management': ['realm-admin'] } } };
const fewer = ['manage-realm', 'manage-users', 'manage-clients', 'manage-identity-providers'];

const inGroups = { 'groups.dn': `ou=groups,${suffix}`, mode: 'READ_ONLY', 'preserve.group.inheritance': 'false' };
const inRoles = { 'use.realm.roles.mapping': 'true', 'roles.dn': `ou=groups,${suffix}`, mode: 'READ_ONLY' };
const ofClient = (clientId: string) => ({ ...inRoles, 'use.realm.roles.mapping': 'false', 'client.id': clientId });

/** A component as files have it. */
const inFile = ({ name, providerId, config }: { name: string; providerId: string; config: object }) => ({
  name,
  providerId,
  config,
});

/** A realm with an administrator (`boss`), and somebody with most rights (`manager`); eve is in the directory. */
interface Stage {
  realm: string;
  boss: Caller;
  manager: Caller;
  /** a storage of the manager for the directory */
  storage: string;
}

describe.skipIf(!hasSlapd)('administration roles by directories', () => {
  let server: TestServer;
  let slapd: Slapd;
  let count = 0;

  beforeAll(async () => {
    slapd = await directoryWith([
      person('eve'),
      ...['admins', 'crew', 'realm-admin'].map((name) => group(name, [personDn('eve')])),
    ]);
    server = await startServer();
  }, 60_000);

  const staged = async (more: object = {}): Promise<Stage> => {
    count += 1;
    const realm = `granted-${count}`;
    const manager = { ...realmAdmin, username: 'manager', clientRoles: { 'realm-management': fewer } };
    const created = await (await administrator(server)).send('POST', '/', {
      realm,
      enabled: true,
      clients: [{ clientId: 'app' }, { clientId: 'tools' }],
      roles: {
        realm: [{ name: 'chief', ...chief }],
        client: { app: [{ name: 'crew' }], tools: [{ name: 'crew', ...chief }] },
      },
      groups: [{ name: 'staff' }, { name: 'team' }],
      identityProviders: [{ alias: 'corporate', providerId: 'oidc', config: {} }],
      users: [realmAdmin, manager],
      ...more,
    });
    expect(created).toMatchObject({ status: 201 });
    const [boss, other] = await Promise.all(['boss', 'manager'].map((name) => userOf(server, realm, name, 'pw')));
    if (!boss || !other) throw new Error('nobody logged in');
    const storage = await storageFor(other, realm, slapd.url);
    return { realm, boss, manager: other, storage };
  };

  /** Status of a request that takes administration rights, by eve as the directory has her. */
  const byEve = async ({ realm }: Stage): Promise<number> => {
    await login(server, realm, 'eve', 'eve');
    const eve = await userOf(server, realm, 'eve', 'eve');
    return (await eve.send('GET', `/${realm}/users`)).status;
  };
  const done = async (caller: Caller, method: string, path: string, body?: unknown): Promise<string> => {
    const { status, headers, body: answer } = await caller.send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    return headers.get('location')?.split('/').at(-1) ?? '';
  };
  const idOf = async ({ realm, boss }: Stage, clientId: string): Promise<string> =>
    (await boss.send('GET', `/${realm}/clients?clientId=${clientId}`)).body[0].id;
  const realmAdminRole = async (stage: Stage) => {
    const client = await idOf(stage, 'realm-management');
    const role = await stage.boss.send('GET', `/${stage.realm}/clients/${client}/roles/realm-admin`);
    return { client, role: role.body };
  };
  const raise = async (stage: Stage, groupId: string): Promise<void> => {
    const { client, role } = await realmAdminRole(stage);
    await done(stage.boss, 'POST', `/${stage.realm}/groups/${groupId}/role-mappings/clients/${client}`, [role]);
  };
  const groupNamed = async ({ realm, boss }: Stage, path: string): Promise<string> =>
    (await boss.send('GET', `/${realm}/group-by-path${path}`)).body.id;
  const adminsLater = async (stage: Stage, name = 'admins'): Promise<void> => {
    await raise(stage, await done(stage.boss, 'POST', `/${stage.realm}/groups`, { name }));
  };
  const shadow = 'realm-management.realm-admin';

  /** Ways to administration roles: what callers do one after the other. The status is that of eve at last. */
  const ways: Record<string, { status: 200 | 403; more?: object; steps: (stage: Stage) => Promise<unknown> }> = {
    'a role of the same name is deleted': {
      status: 403,
      steps: async ({ realm, manager, storage }) => {
        await done(manager, 'POST', `/${realm}/roles`, { name: shadow });
        await mapperFor(manager, realm, storage, 'hardcoded-ldap-role-mapper', { role: shadow });
        await done(manager, 'DELETE', `/${realm}/roles/${shadow}`);
      },
    },
    'a role of the same name is renamed': {
      status: 403,
      steps: async ({ realm, manager, storage }) => {
        await done(manager, 'POST', `/${realm}/roles`, { name: shadow });
        await mapperFor(manager, realm, storage, 'hardcoded-ldap-role-mapper', { role: shadow });
        await done(manager, 'PUT', `/${realm}/roles/${shadow}`, { name: 'other' });
      },
    },
    'a role of the same name is deleted under a mapper of an administrator': {
      status: 403,
      steps: async ({ realm, manager, boss, storage }) => {
        await done(boss, 'POST', `/${realm}/roles`, { name: shadow });
        await mapperFor(boss, realm, storage, 'hardcoded-ldap-role-mapper', { role: shadow });
        await done(manager, 'DELETE', `/${realm}/roles/${shadow}`);
      },
    },
    'another client gets the name of the one that a mapper fills': {
      status: 403,
      steps: async (stage) => {
        const { realm, manager, storage } = stage;
        await mapperFor(manager, realm, storage, 'role-ldap-mapper', ofClient('app'));
        await mapperFor(manager, realm, storage, 'hardcoded-ldap-role-mapper', { role: 'app.crew' });
        const [app, tools] = [await idOf(stage, 'app'), await idOf(stage, 'tools')];
        await done(manager, 'DELETE', `/${realm}/clients/${app}`);
        await done(manager, 'PUT', `/${realm}/clients/${tools}`, { clientId: 'app' });
      },
    },
    'another client gets the name of the one that a mapper of an administrator fills': {
      status: 403,
      steps: async (stage) => {
        const { realm, manager, boss, storage } = stage;
        await mapperFor(boss, realm, storage, 'role-ldap-mapper', ofClient('app'));
        const [app, tools] = [await idOf(stage, 'app'), await idOf(stage, 'tools')];
        await done(manager, 'PUT', `/${realm}/clients/${app}`, { clientId: 'former' });
        await done(manager, 'PUT', `/${realm}/clients/${tools}`, { clientId: 'app' });
      },
    },
    'the group of administrators comes after the mapper': {
      status: 403,
      steps: async (stage) => {
        await mapperFor(stage.manager, stage.realm, stage.storage, 'group-ldap-mapper', inGroups);
        await adminsLater(stage);
      },
    },
    'the role of administrators comes after the mapper': {
      status: 403,
      more: { roles: {} },
      steps: async (stage) => {
        const { realm, boss, manager, storage } = stage;
        await mapperFor(manager, realm, storage, 'role-ldap-mapper', inRoles);
        const { role } = await realmAdminRole(stage);
        await done(boss, 'POST', `/${realm}/roles`, { name: 'crew' });
        await done(boss, 'POST', `/${realm}/roles/crew/composites`, [role]);
      },
    },
    'an administrator moves a group to the place of the mapper': {
      status: 403,
      steps: async (stage) => {
        const { realm, boss, manager, storage } = stage;
        const [team, staff] = [await groupNamed(stage, '/team'), await groupNamed(stage, '/staff')];
        await mapperFor(manager, realm, storage, 'group-ldap-mapper', { ...inGroups, 'groups.path': '/staff' });
        const admins = await done(boss, 'POST', `/${realm}/groups/${team}/children`, { name: 'admins' });
        await raise(stage, admins);
        const move = await manager.send('POST', `/${realm}/groups/${staff}/children`, { id: admins, name: 'admins' });
        expect(move.status).toBe(403);
        await done(boss, 'POST', `/${realm}/groups/${staff}/children`, { id: admins, name: 'admins' });
      },
    },
    'the storage of an administrator leads elsewhere before there are administrators': {
      status: 403,
      steps: async (stage) => {
        const { realm, boss, manager, storage } = stage;
        await done(manager, 'DELETE', `/${realm}/components/${storage}`);
        const id = await storageFor(boss, realm, 'ldap://127.0.0.1:1');
        await mapperFor(boss, realm, id, 'group-ldap-mapper', inGroups);
        await done(manager, 'PUT', `/${realm}/components/${id}`, storageComponent('mine', slapd.url));
        await adminsLater(stage);
      },
    },
    'an administrator stores the mapper': {
      status: 200,
      steps: ({ realm, boss, storage }) =>
        mapperFor(boss, realm, storage, 'hardcoded-ldap-role-mapper', { role: 'chief' }),
    },
    'an administrator stores a mapper of roles': {
      status: 200,
      steps: ({ realm, boss, storage }) =>
        mapperFor(boss, realm, storage, 'role-ldap-mapper', ofClient('realm-management')),
    },
    'an administrator stores the mapper of groups first': {
      status: 200,
      steps: async (stage) => {
        await mapperFor(stage.boss, stage.realm, stage.storage, 'group-ldap-mapper', inGroups);
        await adminsLater(stage);
      },
    },
    'an administrator saves the mapper of somebody else': {
      status: 200,
      steps: async (stage) => {
        const { realm, boss, manager, storage } = stage;
        const id = await mapperFor(manager, realm, storage, 'group-ldap-mapper', inGroups);
        await adminsLater(stage);
        await done(
          boss,
          'PUT',
          `/${realm}/components/${id}`,
          (await boss.send('GET', `/${realm}/components/${id}`)).body,
        );
      },
    },
    'an administrator raises the group that a mapper puts everybody in': {
      status: 200,
      steps: async (stage) => {
        const { realm, manager, storage } = stage;
        await mapperFor(manager, realm, storage, 'hardcoded-ldap-group-mapper', { group: 'staff' });
        await raise(stage, await groupNamed(stage, '/staff'));
      },
    },
    'a realm is created with directory and mapper': {
      status: 200,
      more: {
        groups: [{ name: 'staff', ...all }],
        components: {
          'org.keycloak.storage.UserStorageProvider': [
            {
              ...inFile(storageComponent('file', 'ldap://127.0.0.1:1')),
              subComponents: {
                'org.keycloak.storage.ldap.mappers.LDAPStorageMapper': [
                  inFile(mapperComponent('all', '', 'hardcoded-ldap-group-mapper', { group: '/staff' })),
                ],
              },
            },
          ],
        },
      },
      steps: async ({ realm, boss, storage }) => {
        await done(boss, 'DELETE', `/${realm}/components/${storage}`);
        const [file] = (await boss.send('GET', `/${realm}/components?name=file`)).body;
        await done(boss, 'PUT', `/${realm}/components/${file.id}`, storageComponent('file', slapd.url));
      },
    },
  };

  it.each(Object.entries(ways))('%s', async (_, { status, more, steps }) => {
    const stage = await staged(more);
    await steps(stage);
    expect(await byEve(stage)).toBe(status);
    await synchronise(stage.boss, stage.realm, (await storageIds(stage))[0] ?? '');
    expect(await byEve(stage)).toBe(status);
  });

  const storageIds = async ({ realm, boss }: Stage): Promise<string[]> => {
    const path = `/${realm}/components?type=org.keycloak.storage.UserStorageProvider`;
    return (await boss.send('GET', path)).body.map(({ id }: { id: string }) => id);
  };

  it('are not for callers who may not hand them out, however they name them', async () => {
    const { realm, boss, manager, storage } = await staged({ groups: [{ name: 'admins', ...all }] });
    const refused = async (config: object) =>
      expect(await manager.send('POST', `/${realm}/components`, config)).toMatchObject({ status: 403 });
    for (const name of ['admins', '/admins', ' /admins ']) {
      await refused(mapperComponent('m', storage, 'hardcoded-ldap-group-mapper', { group: name }));
    }
    for (const role of ['chief', ' chief', shadow, 'tools.crew']) {
      await refused(mapperComponent('m', storage, 'hardcoded-ldap-role-mapper', { role }));
    }
    const own = await storageFor(boss, realm, 'ldap://127.0.0.1:1');
    const mapper = await mapperFor(boss, realm, own, 'hardcoded-ldap-role-mapper', { role: 'chief' });
    for (const role of [[], ['**********'], ['chief']]) {
      const body = { parentId: storage, config: { role } };
      expect((await manager.send('PUT', `/${realm}/components/${mapper}`, body)).status).not.toBe(204);
    }
    const waiting = mapperComponent('m', 'waiting', 'hardcoded-ldap-role-mapper', { role: 'chief' });
    await done(boss, 'POST', `/${realm}/components`, waiting);
    await refused({ ...storageComponent('mine', slapd.url), id: 'waiting' });
  });

  it('are asked for under every meaning of a name that a mapper of an identity provider has', async () => {
    const { realm, manager } = await staged({ groups: [{ name: 'admins', ...all }] });
    await done(manager, 'POST', `/${realm}/roles`, { name: shadow });
    for (const config of [{ role: shadow }, { role: ' chief ' }, { group: '/admins' }, { group: 'admins' }]) {
      const answer = await manager.send('POST', `/${realm}/identity-provider/instances/corporate/mappers`, {
        name: 'm',
        identityProviderAlias: 'corporate',
        identityProviderMapper: 'oidc-hardcoded-role-idp-mapper',
        config,
      });
      expect(answer.status, JSON.stringify(config)).toBe(403);
    }
  });

  it('are not deleted by a directory that may not give them', async () => {
    const stage = await staged();
    const { realm, boss, manager, storage } = stage;
    await done(manager, 'PUT', `/${realm}/components/${storage}`, { config: { editMode: ['WRITABLE'] } });
    const mapper = await mapperFor(manager, realm, storage, 'group-ldap-mapper', {
      ...inGroups,
      mode: 'LDAP_ONLY',
      'drop.non.existing.groups.during.sync': 'true',
    });
    await login(server, realm, 'eve', 'eve');
    await adminsLater(stage, 'directors');
    const directors = await groupNamed(stage, '/directors');
    await done(boss, 'POST', `/${realm}/groups/${await groupNamed(stage, '/team')}/children`, { name: 'plain' });
    await done(boss, 'POST', `/${realm}/groups/${directors}/children`, { name: 'inner' });
    const path = `/${realm}/user-storage/${storage}/mappers/${mapper}/sync?direction=fedToService`;
    expect(await boss.send('POST', path)).toMatchObject({ status: 200 });
    expect(await groupNamed(stage, '/directors/inner')).toBeTruthy();
    expect((await boss.send('GET', `/${realm}/group-by-path/team`)).status).toBe(404);
  });
});
