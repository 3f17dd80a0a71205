import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import {
  directoryWith,
  group,
  groupDn,
  hasSlapd,
  manyPeople,
  mapperFor,
  personDn,
  storageFor,
  suffix,
  synchronise,
} from './directory.js';
import { type LdapProxy, proxyFor } from './proxy.js';

const people = 60;

// Active Directory answers this in one search, by a rule that other directories do not know; here it is asked level by level
describe.skipIf(!hasSlapd)('groups within groups, for mappers that go by all of them', () => {
  let server: TestServer;
  let admin: Caller;
  let proxy: LdapProxy;

  beforeAll(async () => {
    const everybody = Array.from({ length: people }, (_, at) => personDn(`user${at}`));
    const slapd = await directoryWith([
      ...manyPeople(people),
      group('inner', [personDn('user0'), groupDn('loop')]),
      group('middle', [groupDn('inner')]),
      group('outer', [groupDn('middle'), personDn('user1')]),
      // two that are within each other
      group('loop', [groupDn('outer')]),
      group('all', everybody),
      group('apart', [personDn('user2')]),
    ]);
    proxy = await proxyFor(slapd.url);
    server = await startServer();
    admin = await administrator(server);
  }, 60_000);

  const realmWith = async (realm: string, importEnabled: string) => {
    expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
    const storage = await storageFor(admin, realm, proxy.url, { importEnabled });
    await mapperFor(admin, realm, storage, 'group-ldap-mapper', {
      'groups.dn': `ou=groups,${suffix}`,
      'preserve.group.inheritance': 'false',
      'user.roles.retrieve.strategy': 'LOAD_GROUPS_BY_MEMBER_ATTRIBUTE_RECURSIVELY',
      mode: 'READ_ONLY',
    });
    await mapperFor(admin, realm, storage, 'role-ldap-mapper', {
      'roles.dn': `ou=groups,${suffix}`,
      'use.realm.roles.mapping': 'true',
      'user.roles.retrieve.strategy': 'LOAD_ROLES_BY_MEMBER_ATTRIBUTE_RECURSIVELY',
      mode: 'READ_ONLY',
    });
    return storage;
  };
  const names = (body: { name: string }[]) => body.map(({ name }) => name).filter((name) => !/^default/.test(name));
  const hasOf = async (realm: string, username: string) => {
    const [{ id }] = (await admin.send('GET', `/${realm}/users?username=${username}&exact=true`)).body;
    const groups = names((await admin.send('GET', `/${realm}/users/${id}/groups`)).body);
    const roles = names((await admin.send('GET', `/${realm}/users/${id}/role-mappings/realm`)).body);
    expect(roles.toSorted()).toEqual(groups.toSorted());
    return groups.toSorted();
  };
  const ring = ['inner', 'loop', 'middle', 'outer'];

  it.each(['true', 'false'])('are those of who is found by a search, with imports: %s', async (importEnabled) => {
    const realm = `found-${importEnabled}`;
    await realmWith(realm, importEnabled);
    expect(await hasOf(realm, 'user0')).toEqual(['all', ...ring]);
    expect(await hasOf(realm, 'user1')).toEqual(['all', ...ring]);
    expect(await hasOf(realm, 'user2')).toEqual(['all', 'apart']);
  });

  it('are those of everybody whom one search finds, in as many searches as there are levels', async () => {
    const realm = 'list';
    await realmWith(realm, 'true');
    const before = proxy.count('search');
    expect((await admin.send('GET', `/${realm}/users?search=user&max=100`)).body).toHaveLength(people);
    // the people, and for each of two mappers two times fifty of them with five levels at most
    expect(proxy.count('search') - before).toBeLessThanOrEqual(1 + 2 * 2 * 5);
    expect(await hasOf(realm, 'user0')).toEqual(['all', ...ring]);
    expect(await hasOf(realm, 'user59')).toEqual(['all']);
  });

  it('are those of a synchronisation', async () => {
    const realm = 'synchronised';
    const storage = await realmWith(realm, 'true');
    expect((await synchronise(admin, realm, storage)).body).toMatchObject({ added: people, failed: 0 });
    expect(await hasOf(realm, 'user0')).toEqual(['all', ...ring]);
    expect(await hasOf(realm, 'user1')).toEqual(['all', ...ring]);
    expect(await hasOf(realm, 'user2')).toEqual(['all', 'apart']);
  });
});
