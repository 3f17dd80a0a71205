// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import {
  directoryWith,
  group,
  hasSlapd,
  manyPeople,
  mapperFor,
  personDn,
  storageFor,
  suffix,
} from '../ldap/directory.js';
import { type Caller, startWithRealm } from '../support/fixture.js';

describe.skipIf(!hasSlapd)('user storages in GraphQL', () => {
  let admin: Caller;
  let realmId: string;
  let storageId: string;
  const realm = 'federated';

  beforeAll(async () => {
    const slapd = await directoryWith([...manyPeople(3), group('staff', [personDn('user0')])]);
    ({ admin } = await startWithRealm({ realm, enabled: true, adminEventsEnabled: true }));
    storageId = await storageFor(admin, realm, slapd.url);
    await mapperFor(admin, realm, storageId, 'group-ldap-mapper', {
      'groups.dn': `ou=groups,${suffix}`,
      mode: 'READ_ONLY',
    });
    const found = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
    realmId = found.data.realm.id;
  }, 60_000);

  interface Overview {
    id: string;
    editMode: string;
    isSynchronising: boolean;
    lastSync: object | null;
    mappers: { id: string; kind: string }[];
  }
  const storage = async () => {
    const fields =
      'id name kind isEnabled editMode isSynchronising fullSyncAt lastSync { kind added error } mappers { id kind }';
    const query = `query ($id: ID!) { node(id: $id) { ... on Realm { userStorages { ${fields} } } } }`;
    const answer = await admin.graphql<{ node: { userStorages: Overview[] } }>(query, { id: realmId });
    expect(answer.errors).toBeUndefined();
    return answer.data.node.userStorages[0] as Overview;
  };
  const mutate = async (name: string, input: object, fields: string) => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
    const query = `mutation ($input: ${type}) { ${name}(input: $input) { ${fields} userErrors { code path message } } }`;
    const answer = await admin.graphql<Record<string, object>>(query, { input });
    expect(answer.errors).toBeUndefined();
    return answer.data[name];
  };

  it('synchronises, and shows how that went', async () => {
    const { id, mappers, lastSync } = await storage();
    expect(lastSync).toBeNull();
    const mapper = mappers.find(({ kind }) => kind === 'group-ldap-mapper');
    const result = 'result { isIgnored added updated removed failed }';
    expect(await mutate('userStorageMapperSync', { id: mapper?.id, direction: 'TO_REALM' }, result)).toEqual({
      result: { isIgnored: false, added: 1, updated: 0, removed: 0, failed: 0 },
      userErrors: [],
    });
    expect(await mutate('userStorageSync', { id, kind: 'FULL' }, result)).toMatchObject({ result: { added: 3 } });
    expect(await storage()).toMatchObject({
      isSynchronising: false,
      editMode: 'READ_ONLY',
      lastSync: { kind: 'FULL', added: 3, error: null },
    });
  });

  it('unlinks and removes users, and records that', async () => {
    const { id } = await storage();
    expect(await mutate('userStorageUnlinkUsers', { id }, 'count adminEvents { resourcePath }')).toEqual({
      count: 3,
      adminEvents: [{ resourcePath: `user-storage/${storageId}/unlink-users` }],
      userErrors: [],
    });
    expect(await mutate('userStorageRemoveUsers', { id }, 'count')).toEqual({ count: 0, userErrors: [] });
    const input = { realm: realmId, test: 'CONNECTION', connection: { url: 'ldap://127.0.0.1:1' } };
    expect(await mutate('userStorageTestConnection', input, '')).toMatchObject({
      userErrors: [{ message: 'LDAP test error' }],
    });
  });
});
