import type { Json, World } from './world.js';

const storage = 'org.keycloak.storage.UserStorageProvider';
const keys = 'org.keycloak.keys.KeyProvider';
const policies = 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy';
const mappers = 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper';

const directory = {
  ...{ connectionUrl: ['ldap://127.0.0.1:9'], usersDn: ['ou=x'], authType: ['none'], vendor: ['other'] },
  ...{ usernameLDAPAttribute: ['uid'], rdnLDAPAttribute: ['uid'], uuidLDAPAttribute: ['x'] },
  ...{ userObjectClasses: ['p'], editMode: ['READ_ONLY'], enabled: ['false'] },
};

/** A component with the settings that its provider requires: random ones are refused. */
export function randomComponent(world: World, text: () => string): Json {
  const { pick, chance, content } = world;
  const parents = content.components.filter(({ providerId }) => providerId === 'ldap');
  const [providerType, providerId, config] = pick([
    [
      storage,
      'ldap',
      { ...directory, ...(chance(0.3) && { authType: ['simple'], bindDn: ['x'], bindCredential: [text()] }) },
    ],
    [keys, 'hmac-generated', { priority: [pick(['0', '100', '-1', ''])] }],
    [keys, 'rsa-generated', {}],
    [policies, 'max-clients', { 'max-clients': ['5'] }],
    [mappers, 'user-attribute-ldap-mapper', { 'ldap.attribute': ['a'], 'user.model.attribute': ['b'] }],
  ] as const) ?? [keys, 'rsa-generated', {}];
  const parent = providerType === mappers ? pick(parents)?.['id'] : pick([content.realm['id'], undefined]);
  return {
    name: text(),
    providerType,
    providerId,
    parentId: parent,
    config: { ...config, ...(chance(0.3) && { [`q${text()}`]: [text()] }) },
    ...(chance(0.3) && { subType: pick(['authenticated', 'anonymous', '']) }),
  };
}
