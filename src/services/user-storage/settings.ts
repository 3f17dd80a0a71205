import type { Db } from '../../database/db.js';
import { invalid } from '../core/refusal.js';
import { parsedFilter } from '../ldap/filter.js';
import type { RealmRecord } from '../realms/record.js';
import { type Config, clientIdOf, editModes, flagOf, one, pathOfGroup, rootOf } from './config.js';
import { findRole } from './role-name.js';

const refuse = (message: string) => invalid(message, 'config');

const whole = [
  'fullSyncPeriod',
  'changedSyncPeriod',
  'batchSizeForSync',
  'priority',
  'connectionTimeout',
  'readTimeout',
];

/** Refuses settings with which a user storage could not work. Texts are those of the contract. */
export function checkStorage(providerId: string, config: Config): Config {
  const mode = one(config, 'editMode');
  if (mode !== undefined && !editModes.some((known) => known === mode)) {
    throw invalid('There is no such edit mode', 'config.editMode', { body: { error: 'HTTP 400 Bad Request' } });
  }
  for (const name of whole) {
    const value = one(config, name);
    if (value !== undefined && !/^-?\d{1,9}$/.test(value)) throw refuse(`'${name}' should be a number`);
  }
  if (providerId === 'ldap') checkLdap(config, mode);
  return config;
}

function checkLdap(config: Config, mode: string | undefined): void {
  const filter = one(config, 'customUserSearchFilter');
  if (filter !== undefined) checkFilter(filter);
  if (mode === 'UNSYNCED' && !flagOf(config, 'importEnabled', true)) {
    throw refuse('Can not disable Importing users when LDAP provider mode is UNSYNCED');
  }
  if (flagOf(config, 'startTls') && one(config, 'connectionPooling') === 'true') {
    throw refuse('Can not enable both StartTLS and connection pooling');
  }
}

function checkFilter(filter: string): void {
  if (!filter.startsWith('(') || !filter.endsWith(')')) {
    throw refuse('Custom configured LDAP filter does not start with "(" or does not end with ")".');
  }
  if (parsedFilter(filter) === undefined) throw refuse('The LDAP filter cannot be read');
}

const groupAttributes = [
  ['groups.dn', 'LDAP Groups DN'],
  ['mode', 'Mode'],
] as const;

const needed: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'user-attribute-ldap-mapper': [
    ['user.model.attribute', 'User Model Attribute'],
    ['ldap.attribute', 'LDAP Attribute'],
  ],
  'certificate-ldap-mapper': [
    ['user.model.attribute', 'User Model Attribute'],
    ['ldap.attribute', 'LDAP Attribute'],
  ],
  'full-name-ldap-mapper': [['ldap.full.name.attribute', 'LDAP Full Name Attribute']],
  'group-ldap-mapper': groupAttributes,
  'role-ldap-mapper': [
    ['roles.dn', 'LDAP Roles DN'],
    ['mode', 'Mode'],
  ],
  'hardcoded-attribute-mapper': [
    ['user.model.attribute', 'User Model Attribute'],
    ['attribute.value', 'Attribute Value'],
  ],
  'hardcoded-ldap-attribute-mapper': [
    ['ldap.attribute.name', 'LDAP Attribute Name'],
    ['ldap.attribute.value', 'LDAP Attribute Value'],
  ],
  'hardcoded-ldap-role-mapper': [['role', 'Role']],
  'hardcoded-ldap-group-mapper': [['group', 'Group']],
};

/** Settings that the contract has in answers where they were left out. */
const standards: Readonly<Record<string, Config>> = { 'group-ldap-mapper': { 'groups.path': ['/'] } };

/** Refuses settings with which a mapper of a storage could not work; gives them with what is there unless told. */
export async function checkMapper(db: Db, realm: RealmRecord, providerId: string, given: Config): Promise<Config> {
  const config = { ...standards[providerId], ...given };
  for (const [name, label] of needed[providerId] ?? []) {
    if (one(config, name) === undefined) throw refuse(`Missing configuration for ${label}`);
  }
  const isMapper = providerId === 'group-ldap-mapper' || providerId === 'role-ldap-mapper';
  const filter = isMapper && (one(config, 'groups.ldap.filter') ?? one(config, 'roles.ldap.filter'));
  if (filter) checkFilter(filter);
  await targets[providerId]?.(db, realm, config);
  return config;
}

type Check = (db: Db, realm: RealmRecord, config: Config) => Promise<void>;

/** By kind of mapper: refuses settings that name something which the realm does not have. */
const targets: Readonly<Record<string, Check>> = {
  async 'hardcoded-ldap-role-mapper'(db, realm, config) {
    const role = await findRole(db, realm, one(config, 'role') ?? '');
    if (!role) throw refuse('There is no role corresponding to configured value');
  },
  async 'hardcoded-ldap-group-mapper'(db, realm, config) {
    const exists = await hasGroup(db, realm, pathOfGroup(config));
    if (!exists) throw refuse('There is no group corresponding to configured value');
  },
  async 'group-ldap-mapper'(db, realm, config) {
    const root = rootOf({ config });
    if (root === '' || (await hasGroup(db, realm, root))) return;
    throw refuse('Groups path group does not exist - please create the group on specified path first');
  },
  async 'role-ldap-mapper'(db, realm, config) {
    const clientId = clientIdOf(config);
    if (clientId === undefined) return;
    const clients = await db.client.count({ where: { realmId: realm.id, clientId } });
    if (clients === 0) throw refuse(`There is no client "${clientId}"`);
  },
};

const hasGroup = async (db: Db, { id }: RealmRecord, path: string): Promise<boolean> =>
  (await db.group.count({ where: { realmId: id, path } })) > 0;
