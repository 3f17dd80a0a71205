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

/** The mappers that a new LDAP storage gets, as vendor and edit mode want them. */
export function defaultMappers(config: Config): NewMapper[] {
  const readOnly = editModeOf(config) !== 'WRITABLE';
  const always = editModeOf(config) !== 'UNSYNCED';
  const ad = isActiveDirectory(config);
  const created = ad ? 'whenCreated' : 'createTimestamp';
  const modified = ad ? 'whenChanged' : 'modifyTimestamp';
  const username = one(config, 'usernameLDAPAttribute') ?? (ad ? 'cn' : 'uid');
  const read = { always: true, readOnly: true };
  const mappers = [
    attribute('username', 'username', username, { mandatory: true, readOnly }),
    attribute('first name', 'firstName', 'cn', { always, mandatory: true, readOnly }),
    attribute('last name', 'lastName', 'sn', { always, mandatory: true, readOnly }),
    attribute('email', 'email', 'mail', { readOnly }),
    attribute('creation date', 'createTimestamp', created, read),
    attribute('modify date', 'modifyTimestamp', modified, read),
  ];
  if (!ad) return mappers;
  const control = { name: 'MSAD account controls', providerId: 'msad-user-account-control-mapper' };
  return [...mappers, { ...control, providerType: storageMapper, config: {} }];
}
