import { type Config, editModeOf, one, storageMapper } from './config.js';

interface NewMapper {
  name: string;
  providerId: string;
  providerType: string;
  config: Record<string, string[]>;
}

/** The attributes of user name and creation in which vendors differ. */
const isActiveDirectory = (config: Config): boolean => one(config, 'vendor') === 'ad';

interface Choice {
  always?: boolean;
  mandatory?: boolean;
  readOnly: boolean;
}

const attribute = (name: string, user: string, ldap: string, choice: Choice): NewMapper => ({
  name,
  providerId: 'user-attribute-ldap-mapper',
  providerType: storageMapper,
  config: {
    'user.model.attribute': [user],
    'ldap.attribute': [ldap],
    'read.only': [String(choice.readOnly)],
    'always.read.value.from.ldap': [String(choice.always ?? false)],
    'is.mandatory.in.ldap': [String(choice.mandatory ?? false)],
  },
});

/** The mapper of first names if entries are named by `cn`, which is then the username or the full name. */
function namesBesideRdn(config: Config, username: string, readOnly: boolean, always: boolean): NewMapper[] {
  const mandatory = { mandatory: true, readOnly };
  const givenName = attribute('first name', 'firstName', 'givenName', { always, ...mandatory });
  if (username.toLowerCase() === 'cn') return [givenName];
  if (editModeOf(config) === 'WRITABLE') return [givenName, attribute('username-cn', 'username', 'cn', mandatory)];
  return [
    {
      name: 'full name',
      providerId: 'full-name-ldap-mapper',
      providerType: storageMapper,
      config: { 'ldap.full.name.attribute': ['cn'], 'read.only': [String(readOnly)], 'write.only': ['false'] },
    },
  ];
}

/** The mappers that a new LDAP storage gets, as vendor and edit mode want them. */
export function defaultMappers(config: Config): NewMapper[] {
  const mode = editModeOf(config);
  const readOnly = mode !== 'WRITABLE';
  // fields that were changed only in this service stay
  const always = mode !== 'UNSYNCED';
  const ad = isActiveDirectory(config);
  const username = one(config, 'usernameLDAPAttribute') ?? (ad ? 'cn' : 'uid');
  const rdn = one(config, 'rdnLDAPAttribute') ?? username;
  const read = { always, readOnly: true };
  const mandatory = { mandatory: true, readOnly };
  const mappers = [
    attribute('username', 'username', username, mandatory),
    ...(rdn.toLowerCase() === 'cn'
      ? namesBesideRdn(config, username, readOnly, always)
      : [attribute('first name', 'firstName', 'cn', { always, ...mandatory })]),
    attribute('last name', 'lastName', 'sn', { always, ...mandatory }),
    attribute('email', 'email', 'mail', { readOnly }),
    attribute('creation date', 'createTimestamp', ad ? 'whenCreated' : 'createTimestamp', read),
    attribute('modify date', 'modifyTimestamp', ad ? 'whenChanged' : 'modifyTimestamp', read),
  ];
  if (!ad) return mappers;
  const control = { name: 'MSAD account controls', providerId: 'msad-user-account-control-mapper' };
  return [...mappers, { ...control, providerType: storageMapper, config: {} }];
}
