import type { Db } from '../../database/db.js';
import { ownMember } from '../core/json.js';
import type { RealmRecord } from '../core/realm.js';
import { type Config, clientIdOf, editModeOf, flagOf, one, pathOfGroup, rootOf } from './config.js';
import { findRole } from './role-name.js';
import { checkFilter, refuseSetting } from './settings.js';

/** A mapper before it is stored. */
export interface CheckedMapper {
  providerId: string;
  parentId: string;
  config: Config;
}

type Check = (mapper: CheckedMapper, db: Db, realm: RealmRecord) => void | Promise<void>;

/** Refuses a mapper without one of these settings; `text` makes the sentence from the label of the missing one. */
const needs =
  (labels: Readonly<Record<string, string>>, text = (label: string) => `Missing configuration for ${label}`): Check =>
  ({ config }) => {
    for (const [name, label] of Object.entries(labels)) {
      if (one(config, name) === undefined) throw refuseSetting(text(label), name);
    }
  };

const isRequired = (label: string): string => `'${label}' is required`;
const cannotBeNull = (label: string): string => `${label} cant be null`;

const attributeNames = { 'user.model.attribute': 'User Model Attribute', 'ldap.attribute': 'LDAP Attribute' };

const binaryIsAlwaysRead: Check = ({ config }) => {
  if (!flagOf(config, 'is.binary.attribute') || flagOf(config, 'always.read.value.from.ldap')) return;
  throw refuseSetting(
    "With Binary attribute enabled, the 'Always read value from LDAP' must be enabled too",
    'always.read.value.from.ldap',
  );
};

const derIsBinary: Check = ({ config }) => {
  if (!flagOf(config, 'is.der.formatted') || flagOf(config, 'is.binary.attribute')) return;
  throw refuseSetting(
    "With DER formatted certificate enabled, the 'Is Binary Attribute' option must be enabled too",
    'is.binary.attribute',
  );
};

const writesWhereItMay: Check = async ({ config, parentId }, db, realm) => {
  const parent = await db.component.findFirst({ where: { id: parentId, realmId: realm.id }, select: { config: true } });
  if (!parent) throw refuseSetting('cant find parent component model', 'parentId');
  if (!flagOf(config, 'write.only')) return;
  if (editModeOf(parent.config as Config) !== 'WRITABLE') {
    throw refuseSetting('Can not set write only when LDAP provider mode is not WRITABLE', 'write.only');
  }
  if (flagOf(config, 'read.only')) {
    throw refuseSetting('Can not set write-only and read-only together', 'write.only');
  }
};

const knownMembership: Check = ({ config }) => {
  const type = one(config, 'membership.attribute.type');
  if (type === undefined || type === 'DN' || type === 'UID') return;
  throw refuseSetting('`membership.attribute.type` must be DN or UID', 'membership.attribute.type');
};

const inheritsByDn: Check = ({ config }) => {
  if (one(config, 'membership.attribute.type') !== 'UID' || !flagOf(config, 'preserve.group.inheritance')) return;
  throw refuseSetting(
    'Not possible to preserve group inheritance and use UID membership type together.',
    'preserve.group.inheritance',
  );
};

const rootExists: Check = async ({ config }, db, realm) => {
  const root = rootOf({ config });
  if (root === '' || (await hasGroup(db, realm, root))) return;
  throw refuseSetting(
    'Groups path group does not exist - please create the group on specified path first',
    'groups.path',
  );
};

const clientExists: Check = async ({ config }, db, realm) => {
  if (flagOf(config, 'use.realm.roles.mapping')) return;
  if (one(config, 'client.id') === undefined) {
    throw refuseSetting('Client ID needs to be provided in config when Realm Roles Mapping is not used.', 'client.id');
  }
  // a mapper that leaves the switch out must name a client, and maps roles of the realm
  const clientId = clientIdOf(config);
  if (clientId === undefined) return;
  const clients = await db.client.count({ where: { realmId: realm.id, clientId } });
  if (clients === 0) throw refuseSetting(`Client "${clientId}" not found`, 'client.id');
};

const isNoIdentity: Check = ({ config }) => {
  if (!/^(username|email)$/i.test(one(config, 'user.model.attribute') ?? '')) return;
  throw refuseSetting('Attribute Name cannot be set to username or email', 'user.model.attribute');
};

const roleExists: Check = async ({ config }, db, realm) => {
  if (await findRole(db, realm, one(config, 'role') ?? '')) return;
  throw refuseSetting('There is no role corresponding to configured value', 'role');
};

const groupExists: Check = async ({ config }, db, realm) => {
  if (await hasGroup(db, realm, pathOfGroup(config))) return;
  throw refuseSetting('There is no group corresponding to configured value', 'group');
};

const hasGroup = async (db: Db, { id }: RealmRecord, path: string): Promise<boolean> =>
  (await db.group.count({ where: { realmId: id, path } })) > 0;

const checks: Readonly<Record<string, readonly Check[]>> = {
  'user-attribute-ldap-mapper': [needs(attributeNames), binaryIsAlwaysRead],
  'certificate-ldap-mapper': [needs(attributeNames), binaryIsAlwaysRead, derIsBinary],
  'full-name-ldap-mapper': [needs({ 'ldap.full.name.attribute': 'LDAP Full Name Attribute' }), writesWhereItMay],
  'group-ldap-mapper': [
    needs({ 'groups.dn': 'LDAP Groups DN', mode: 'Mode' }),
    knownMembership,
    inheritsByDn,
    ({ config }) => checkFilter(config, 'groups.ldap.filter'),
    rootExists,
  ],
  'role-ldap-mapper': [
    needs({ 'roles.dn': 'LDAP Roles DN', mode: 'Mode' }),
    knownMembership,
    clientExists,
    ({ config }) => checkFilter(config, 'roles.ldap.filter'),
  ],
  'hardcoded-attribute-mapper': [
    needs({ 'user.model.attribute': 'Attribute Name', 'attribute.value': 'Attribute Value' }, isRequired),
    isNoIdentity,
  ],
  'hardcoded-ldap-attribute-mapper': [
    needs({ 'ldap.attribute.name': 'LDAP Attribute Name', 'ldap.attribute.value': 'LDAP Attribute Value' }, isRequired),
  ],
  'hardcoded-ldap-role-mapper': [needs({ role: 'Role' }, cannotBeNull), roleExists],
  'hardcoded-ldap-group-mapper': [needs({ group: 'Group' }, cannotBeNull), groupExists],
};

/** Default settings that the contract adds to answers. */
const standards: Readonly<Record<string, Config>> = { 'group-ldap-mapper': { 'groups.path': ['/'] } };

/** Refuses settings with which a mapper of a storage could not work. Returns them with their defaults. */
export async function checkMapper(db: Db, realm: RealmRecord, mapper: CheckedMapper): Promise<Config> {
  const { providerId } = mapper;
  const config = { ...ownMember(standards, providerId), ...mapper.config };
  for (const check of ownMember(checks, providerId) ?? []) await check({ ...mapper, config }, db, realm);
  return config;
}
