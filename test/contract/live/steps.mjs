// What the live scenarios are made of: entries of the directory, and steps.
export const storageType = 'org.keycloak.storage.UserStorageProvider';
export const mapperType = 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper';
export const listed = (config) =>
  Object.fromEntries(Object.entries(config).map(([key, value]) => [key, [value].flat()]));

export const dnOf = (uid) => `uid=${uid},ou=people,$base`;
export const groupDn = (name) => `cn=${name},ou=groups,$base`;
export const roleDn = (name) => `cn=${name},ou=roles,$base`;

/** A person, whose password is the name; `more` are further attributes, null leaves one out. */
export function person(uid, more = {}) {
  const attributes = {
    objectClass: ['inetOrgPerson'],
    uid: [uid],
    cn: [`Given ${uid}`],
    sn: [`Family ${uid}`],
    mail: [`${uid}@example.org`],
    userPassword: [uid],
    ...listed(more),
  };
  const kept = Object.entries(attributes).filter(([name]) => more[name] !== null);
  return { dn: dnOf(uid), attributes: Object.fromEntries(kept) };
}

const withMembers = (dn, name, members, more) => ({
  dn,
  attributes: { objectClass: ['groupOfNames'], cn: [name], member: members, ...listed(more) },
});
/** A group below `ou=groups` with the DNs of its members; it has one at least. */
export const group = (name, members, more = {}) => withMembers(groupDn(name), name, members, more);
/** The same below `ou=roles`. */
export const role = (name, members, more = {}) => withMembers(roleDn(name), name, members, more);

const component = (json, save) => ({
  op: 'POST /{realm}/components',
  json,
  ...(save && { save: { [save]: 'location' } }),
});

/** The settings of a storage for the directory. */
export const storageConfig = {
  enabled: 'true',
  vendor: 'other',
  connectionUrl: '$directory',
  authType: 'simple',
  bindDn: 'cn=admin,dc=example,dc=org',
  bindCredential: 'directory-secret',
  usersDn: 'ou=people,$base',
  usernameLDAPAttribute: 'uid',
  rdnLDAPAttribute: 'uid',
  uuidLDAPAttribute: 'entryUUID',
  userObjectClasses: 'inetOrgPerson',
  editMode: 'READ_ONLY',
  importEnabled: 'true',
};

/** Creates a storage for the directory, saved as `ldap` unless it is named otherwise. */
export const storage = (config = {}, { name = 'ldap', ...more } = {}) => ({
  ...component(
    {
      name,
      providerId: 'ldap',
      providerType: storageType,
      config: listed({
        ...storageConfig,
        ...config,
      }),
      ...more,
    },
    name,
  ),
});

/** Creates a mapper of the storage `parent`, saved by its name. */
export const mapper = (name, providerId, config, { parent = 'ldap', ...more } = {}) =>
  component(
    { name, providerId, providerType: mapperType, parentId: `$${parent}`, config: listed(config), ...more },
    name,
  );

/** Creates a mapper of the attribute `phone`, which may be written and need not be there. */
export const phoneMapper = (config = {}) =>
  mapper('phone', 'user-attribute-ldap-mapper', {
    'user.model.attribute': 'phone',
    'ldap.attribute': 'telephoneNumber',
    'read.only': 'false',
    'always.read.value.from.ldap': 'false',
    'is.mandatory.in.ldap': 'false',
    ...config,
  });

/** The settings of storages of every edit mode, importing or not where that makes a difference. */
export const storageModes = [
  { editMode: 'READ_ONLY', importEnabled: 'true' },
  { editMode: 'READ_ONLY', importEnabled: 'false' },
  { editMode: 'WRITABLE', importEnabled: 'true' },
  { editMode: 'WRITABLE', importEnabled: 'false' },
  { editMode: 'UNSYNCED', importEnabled: 'true' },
];
/** Such a mode in the name of a scenario. */
export const modeName = ({ editMode, importEnabled }) => `editMode=${editMode}, importEnabled=${importEnabled}`;

export const groupMapper = (config = {}, name = 'groups') =>
  mapper(name, 'group-ldap-mapper', {
    'groups.dn': 'ou=groups,$base',
    'group.name.ldap.attribute': 'cn',
    'group.object.classes': 'groupOfNames',
    'membership.ldap.attribute': 'member',
    'membership.attribute.type': 'DN',
    'membership.user.ldap.attribute': 'uid',
    'user.roles.retrieve.strategy': 'LOAD_GROUPS_BY_MEMBER_ATTRIBUTE',
    'preserve.group.inheritance': 'true',
    'ignore.missing.groups': 'false',
    'drop.non.existing.groups.during.sync': 'false',
    'groups.path': '/',
    mode: 'READ_ONLY',
    ...config,
  });

export const roleMapper = (config = {}, name = 'roles') =>
  mapper(name, 'role-ldap-mapper', {
    'roles.dn': 'ou=roles,$base',
    'role.name.ldap.attribute': 'cn',
    'role.object.classes': 'groupOfNames',
    'membership.ldap.attribute': 'member',
    'membership.attribute.type': 'DN',
    'membership.user.ldap.attribute': 'uid',
    'user.roles.retrieve.strategy': 'LOAD_ROLES_BY_MEMBER_ATTRIBUTE',
    'use.realm.roles.mapping': 'true',
    mode: 'READ_ONLY',
    ...config,
  });

export const sync = (action = 'triggerFullSync', id = '$ldap', more = {}) => ({
  op: 'POST /{realm}/user-storage/{id}/sync',
  path: { id },
  query: { action },
  ...more,
});

/** Searches users with this query; `save` keeps the id of the first as that name. */
export const users = (query, { save, ...more } = {}) => ({
  op: 'GET /{realm}/users',
  query: { briefRepresentation: false, ...query },
  ...(save && { save: { [save]: 'body[0].id' } }),
  ...more,
});
const ofUser =
  (method, below) =>
  (id, more = {}) => ({ op: `${method} /{realm}/users/{id}${below}`, path: { id: `$${id}` }, ...more });
export const user = ofUser('GET', '');
export const groupsOf = ofUser('GET', '/groups');
export const rolesOf = ofUser('GET', '/role-mappings/realm');
export const update = (id, json, more = {}) => ofUser('PUT', '')(id, { json, ...more });
export const resetPassword = (id, value, more = {}) =>
  ofUser('PUT', '/reset-password')(id, { json: { type: 'password', value, temporary: false }, ...more });

/** Logs somebody in with a password; what counts is the status and the reason of a refusal. */
export const login = (username, password = username, more = {}) => ({
  url: 'POST /realms/{realm}/protocol/openid-connect/token',
  form: { grant_type: 'password', client_id: 'admin-cli', username, password },
  as: null,
  compare: { only: ['error', 'error_description'] },
  ...more,
});

export const componentOf = (id) => ({ op: 'GET /{realm}/components/{id}', path: { id: `$${id}` } });
export const componentsBelow = (id) => ({ op: 'GET /{realm}/components', query: { parent: `$${id}` } });
/** Changes a component of a kind, `{ providerId, providerType }`, to these settings. */
export const changedComponent = (id, kind, config, more = {}) => ({
  op: 'PUT /{realm}/components/{id}',
  path: { id: `$${id}` },
  json: { ...kind, config: listed(config) },
  ...more,
});
export const storageKind = { providerId: 'ldap', providerType: storageType };

/** Settings in a note. */
export const titled = (config) =>
  Object.entries(config)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
