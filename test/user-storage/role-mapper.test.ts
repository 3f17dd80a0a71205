import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';

let admin: Caller;
let parentId: string;

beforeAll(async () => {
  ({ admin } = await startWithRealm({ realm: 'shop', enabled: true }));
  await admin.send('POST', '/shop/components', {
    name: 'directory',
    providerId: 'ldap',
    providerType: 'org.keycloak.storage.UserStorageProvider',
    config: {
      enabled: ['false'],
      vendor: ['other'],
      connectionUrl: ['ldap://127.0.0.1:1'],
      usersDn: ['ou=people,dc=shop'],
      authType: ['none'],
      usernameLDAPAttribute: ['uid'],
      rdnLDAPAttribute: ['uid'],
      uuidLDAPAttribute: ['entryUUID'],
      userObjectClasses: ['inetOrgPerson'],
    },
  });
  const { body } = await admin.send('GET', '/shop/components?type=org.keycloak.storage.UserStorageProvider');
  parentId = body[0].id;
});

describe('a mapper of roles of a directory', () => {
  const mapper = async (config: object) => {
    const { status } = await admin.send('POST', '/shop/components', {
      name: 'roles',
      providerId: 'role-ldap-mapper',
      providerType: 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper',
      parentId,
      config: { 'roles.dn': ['ou=roles,dc=shop'], mode: ['READ_ONLY'], ...config },
    });
    return status;
  };

  it('may name a client that there is not, unless it maps the roles of that client', async () => {
    const unknown = { 'client.id': ['nope'] };
    expect(await mapper(unknown)).toBe(201);
    expect(await mapper({ ...unknown, 'use.realm.roles.mapping': ['true'] })).toBe(201);
    expect(await mapper({ ...unknown, 'use.realm.roles.mapping': ['false'] })).toBe(400);
    expect(await mapper({})).toBe(400);
  });
});
