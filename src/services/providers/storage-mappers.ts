import { ownMember } from '../core/json.js';
import { peopleOf } from '../ldap/people.js';
import { type Config, editModeOf, flagOf, one } from '../user-storage/config.js';
import { type ProviderSetting, type ProviderType, provider, setting } from './provider.js';

/** The mappers between an LDAP directory and users. */
export const ldapMappers: readonly ProviderType[] = [
  provider(
    'certificate-ldap-mapper',
    'Maps a certificate of the user.',
    [
      setting('always.read.value.from.ldap', 'boolean', { defaultValue: 'false' }),
      setting('attribute.default.value', 'String', { defaultValue: '' }),
      setting('is.binary.attribute', 'boolean', { defaultValue: 'false' }),
      setting('is.der.formatted', 'boolean'),
      setting('is.mandatory.in.ldap', 'boolean', { defaultValue: 'false' }),
      setting('ldap.attribute', 'String'),
      setting('read.only', 'boolean', { defaultValue: 'false' }),
      setting('user.model.attribute', 'String'),
    ],
    { fedToKeycloakSyncSupported: false, keycloakToFedSyncSupported: false },
  ),
  provider(
    'full-name-ldap-mapper',
    'Maps the full name to first and last name.',
    [
      setting('ldap.full.name.attribute', 'String', { defaultValue: 'cn' }),
      setting('read.only', 'boolean', { defaultValue: 'false' }),
      setting('write.only', 'boolean', { defaultValue: 'true' }),
    ],
    { fedToKeycloakSyncSupported: false, keycloakToFedSyncSupported: false },
  ),
  provider(
    'group-ldap-mapper',
    'Maps groups of the directory to groups of the realm.',
    [
      setting('drop.non.existing.groups.during.sync', 'boolean', { defaultValue: 'false' }),
      setting('group.name.ldap.attribute', 'String', { defaultValue: 'cn' }),
      setting('group.object.classes', 'String', { defaultValue: 'groupOfNames' }),
      setting('groups.dn', 'String'),
      setting('groups.ldap.filter', 'String'),
      setting('groups.path', 'String', { defaultValue: '/' }),
      setting('ignore.missing.groups', 'boolean', { defaultValue: 'false' }),
      setting('mapped.group.attributes', 'String'),
      setting('memberof.ldap.attribute', 'String', { defaultValue: 'memberOf' }),
      setting('membership.attribute.type', 'List', { defaultValue: 'DN', options: ['DN', 'UID'] }),
      setting('membership.ldap.attribute', 'String', { defaultValue: 'member' }),
      setting('membership.user.ldap.attribute', 'String', { defaultValue: 'uid' }),
      setting('mode', 'List', { defaultValue: 'LDAP_ONLY', options: ['IMPORT', 'LDAP_ONLY', 'READ_ONLY'] }),
      setting('preserve.group.inheritance', 'boolean', { defaultValue: 'true' }),
      setting('user.roles.retrieve.strategy', 'List', {
        defaultValue: 'LOAD_GROUPS_BY_MEMBER_ATTRIBUTE',
        options: ['GET_GROUPS_FROM_USER_MEMBEROF_ATTRIBUTE', 'LOAD_GROUPS_BY_MEMBER_ATTRIBUTE'],
      }),
    ],
    {
      fedToKeycloakSyncMessage: 'sync-ldap-groups-to-keycloak',
      fedToKeycloakSyncSupported: true,
      keycloakToFedSyncMessage: 'sync-keycloak-groups-to-ldap',
      keycloakToFedSyncSupported: true,
    },
  ),
  provider(
    'hardcoded-attribute-mapper',
    'Sets a fixed attribute for all users of the directory.',
    [setting('attribute.value', 'String'), setting('user.model.attribute', 'String')],
    { fedToKeycloakSyncSupported: false, keycloakToFedSyncSupported: false },
  ),
  provider(
    'hardcoded-ldap-attribute-mapper',
    'Sets a fixed LDAP attribute for all users that are created in the directory.',
    [setting('ldap.attribute.name', 'String'), setting('ldap.attribute.value', 'String')],
    { fedToKeycloakSyncSupported: false, keycloakToFedSyncSupported: false },
  ),
  provider('hardcoded-ldap-group-mapper', 'Adds all users of the directory to a group.', [setting('group', 'String')], {
    fedToKeycloakSyncSupported: false,
    keycloakToFedSyncSupported: false,
  }),
  provider('hardcoded-ldap-role-mapper', 'Grants a role to all users of the directory.', [setting('role', 'Role')], {
    fedToKeycloakSyncSupported: false,
    keycloakToFedSyncSupported: false,
  }),
  provider(
    'msad-lds-user-account-control-mapper',
    'Maps the enabled state of users, for Active Directory Lightweight Directory Services.',
    [],
    { fedToKeycloakSyncSupported: false, keycloakToFedSyncSupported: false },
  ),
  provider(
    'msad-user-account-control-mapper',
    'Maps the enabled state and the password expiration of users, for Active Directory.',
    [setting('ldap.password.policy.hints.enabled', 'boolean', { defaultValue: 'false' })],
    { fedToKeycloakSyncSupported: false, keycloakToFedSyncSupported: false },
  ),
  provider(
    'role-ldap-mapper',
    'Maps groups of the directory to roles.',
    [
      setting('client.id', 'ClientList'),
      setting('memberof.ldap.attribute', 'String', { defaultValue: 'memberOf' }),
      setting('membership.attribute.type', 'List', { defaultValue: 'DN', options: ['DN', 'UID'] }),
      setting('membership.ldap.attribute', 'String', { defaultValue: 'member' }),
      setting('membership.user.ldap.attribute', 'String', { defaultValue: 'uid' }),
      setting('mode', 'List', { defaultValue: 'LDAP_ONLY', options: ['IMPORT', 'LDAP_ONLY', 'READ_ONLY'] }),
      setting('role.name.ldap.attribute', 'String', { defaultValue: 'cn' }),
      setting('role.object.classes', 'String', { defaultValue: 'groupOfNames' }),
      setting('roles.dn', 'String'),
      setting('roles.ldap.filter', 'String'),
      setting('use.realm.roles.mapping', 'boolean', { defaultValue: 'true' }),
      setting('user.roles.retrieve.strategy', 'List', {
        defaultValue: 'LOAD_ROLES_BY_MEMBER_ATTRIBUTE',
        options: ['GET_ROLES_FROM_USER_MEMBEROF_ATTRIBUTE', 'LOAD_ROLES_BY_MEMBER_ATTRIBUTE'],
      }),
    ],
    {
      fedToKeycloakSyncMessage: 'sync-ldap-roles-to-keycloak',
      fedToKeycloakSyncSupported: true,
      keycloakToFedSyncMessage: 'sync-keycloak-roles-to-ldap',
      keycloakToFedSyncSupported: true,
    },
  ),
  provider(
    'user-attribute-ldap-mapper',
    'Maps an LDAP attribute to a user attribute.',
    [
      setting('always.read.value.from.ldap', 'boolean', { defaultValue: 'false' }),
      setting('attribute.default.value', 'String', { defaultValue: '' }),
      setting('is.binary.attribute', 'boolean', { defaultValue: 'false' }),
      setting('is.mandatory.in.ldap', 'boolean', { defaultValue: 'false' }),
      setting('ldap.attribute', 'String'),
      setting('read.only', 'boolean', { defaultValue: 'false' }),
      setting('user.model.attribute', 'String'),
    ],
    { fedToKeycloakSyncSupported: false, keycloakToFedSyncSupported: false },
  ),
];

/** Defaults below a storage that is only read. */
const readOnlyDefaults: Readonly<Record<string, string>> = {
  'read.only': 'true',
  'write.only': 'false',
  mode: 'READ_ONLY',
};

const strategies = {
  'group-ldap-mapper': 'LOAD_GROUPS_BY_MEMBER_ATTRIBUTE_RECURSIVELY',
  'role-ldap-mapper': 'LOAD_ROLES_BY_MEMBER_ATTRIBUTE_RECURSIVELY',
} as const;

/** A setting adapted to a storage; empty if the storage has no use for it. */
function suited(providerId: string, property: ProviderSetting, storage: Config): ProviderSetting[] {
  const { name } = property;
  const imports = flagOf(storage, 'importEnabled', true);
  const isAd = one(storage, 'vendor') === 'ad';
  const isAttribute = providerId === 'user-attribute-ldap-mapper';
  if (isAttribute && name === 'always.read.value.from.ldap' && !imports) return [];
  const withDefault = (defaultValue: string): ProviderSetting[] => [{ ...property, defaultValue }];
  if (isAd && /^(group|role)\.object\.classes$/.test(name)) return withDefault('group');
  if (name === 'membership.user.ldap.attribute') return withDefault(peopleOf(storage).username);
  if (isAd && name === 'user.roles.retrieve.strategy') {
    const recursively = strategies[providerId as keyof typeof strategies];
    return [{ ...property, options: [...(property.options ?? []), recursively] }];
  }
  const isReadOnly = editModeOf(storage) !== 'WRITABLE' && providerId !== 'certificate-ldap-mapper';
  const defaultValue = isReadOnly ? ownMember(readOnlyDefaults, name) : undefined;
  const options = name === 'mode' && !imports ? property.options?.filter((option) => option !== 'IMPORT') : undefined;
  return [{ ...property, ...(defaultValue !== undefined && { defaultValue }), ...(options && { options }) }];
}

/** The kinds of mappers with the settings that suit the storage that they are for. */
export const mapperTypesBelow = (storage: Config): readonly ProviderType[] =>
  ldapMappers.map((type) => ({
    ...type,
    properties: type.properties.flatMap((property) => suited(type.id, property, storage)),
  }));
