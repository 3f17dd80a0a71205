import { X509Certificate } from 'node:crypto';
import { ownMember } from '../core/json.js';
import { allBytesOf, bytesOf, type Entry, idOf, nameOf, primaryGroupOf, textOf, textsOf } from '../ldap/entry.js';
import { addressFault } from '../mail/address.js';
import { storedEmail } from '../users/names.js';
import { storedUsername } from '../users/usernames.js';
import { controlAttributes, readControl } from './account-control.js';
import { flagOf, one, pathOfGroup } from './config.js';
import type { Mapper, Storage } from './storage.js';

/** A user in the directory. Fields without a mapper are missing. */
export interface Person {
  federationId: string;
  dn: string;
  username: string;
  /** the user name in the case of letters that the directory has */
  writtenName: string;
  email?: string | null;
  firstName?: string | null;
  lastName?: string | null;
  enabled?: boolean;
  emailVerified?: boolean;
  mustChangePassword?: boolean;
  /** attributes from mappers: empty ones are removed from the user */
  attributes: Record<string, string[]>;
  /** roles and groups that all users of the storage have, as the mappers name them */
  roles: string[];
  groups: string[];
  /** the security identifier of the primary group in Active Directory, which has the user without a list of members */
  primaryGroup?: string;
  /** values of the attribute with the groups of a user, by the ID of the mapper that uses it */
  memberOf: Record<string, string[]>;
  /** the user's value in lists of members, by the ID of the mapper that uses it */
  memberValues: Record<string, string>;
}

const fields = new Set(['username', 'email', 'firstName', 'lastName', 'enabled', 'emailVerified']);

const setField = (person: Person, name: string, value: string | undefined): void => {
  if (name === 'username') {
    if (value !== undefined) person.username = storedUsername(value);
  } else if (name === 'enabled' || name === 'emailVerified') {
    if (value !== undefined) person[name] = value.toLowerCase() === 'true';
  } else if (name === 'email') person.email = mailAddress(value);
  else if (name === 'firstName' || name === 'lastName') person[name] = value ?? null;
};

/** The address of a user in a directory; undefined if it could be more than one address. */
function mailAddress(value: string | undefined): string | null {
  const email = storedEmail(value);
  return email === null || addressFault(email) === undefined ? email : null;
}

type Read = (person: Person, entry: Entry, mapper: Mapper, storage: Storage) => void;

function attribute(person: Person, entry: Entry, { config }: Mapper): void {
  const name = one(config, 'user.model.attribute') ?? '';
  const source = one(config, 'ldap.attribute') ?? '';
  const values = flagOf(config, 'is.binary.attribute')
    ? allBytesOf(entry, source).map((bytes) => bytes.toString('base64'))
    : textsOf(entry, source).map((value) => value.trim());
  if (name === 'username') setField(person, name, nameOf(entry, source)?.trim());
  else if (fields.has(name)) setField(person, name, values[0]);
  else person.attributes[name] = values;
}

/** The last word is the last name; all words before it are the first name. */
function fullName(person: Person, entry: Entry, { config }: Mapper): void {
  if (flagOf(config, 'write.only', false)) return;
  const name = textOf(entry, one(config, 'ldap.full.name.attribute') ?? 'cn')?.trim();
  if (name === undefined) return;
  const space = name.lastIndexOf(' ');
  person.firstName = space < 0 ? null : name.slice(0, space).trim();
  person.lastName = name.slice(space + 1);
}

function certificate(person: Person, entry: Entry, { config }: Mapper): void {
  const name = one(config, 'user.model.attribute') ?? '';
  const source = one(config, 'ldap.attribute') ?? '';
  const bytes = bytesOf(entry, source) ?? bytesOf(entry, `${source};binary`);
  person.attributes[name] = bytes ? [asPem(bytes, flagOf(config, 'is.der.formatted'))] : [];
}

/** A certificate in the form of the contract's mapper: PEM on one line, without header and footer. */
function asPem(bytes: Buffer, isDer: boolean): string {
  if (!isDer) return bytes.toString('utf8');
  try {
    return new X509Certificate(bytes).raw.toString('base64');
  } catch {
    return bytes.toString('base64');
  }
}

/** Users who cannot change their password through this service need not change it at login. */
const accountControl: Read = (person, entry, { providerId }, { mode }) => {
  const { mustChangePassword, ...control } = readControl(providerId, entry);
  Object.assign(person, control);
  person.mustChangePassword = mustChangePassword && mode === 'WRITABLE';
};

const memberships: Read = (person, entry, { id, config }, { people }) => {
  if (usesMemberOf(config)) person.memberOf[id] = textsOf(entry, memberOfAttribute(config));
  const value = usesMemberValue(config) ? textOf(entry, memberValueAttribute(config, people)) : undefined;
  if (value !== undefined) person.memberValues[id] = value;
};

/** Whether the members of a mapper's groups or roles are listed by a value of theirs, not by their DNs. */
const usesMemberValue = (config: Mapper['config']): boolean => one(config, 'membership.attribute.type') === 'UID';

/** The attribute of users whose value is in lists of members. */
export const memberValueAttribute = (config: Mapper['config'], people: Storage['people']): string =>
  one(config, 'membership.user.ldap.attribute') ?? people.username;

/** The attribute of users that names their groups. */
const memberOfAttribute = (config: Mapper['config']): string => one(config, 'memberof.ldap.attribute') ?? 'memberOf';

/** Whether a mapper of groups or roles reads them from an attribute of the users. */
export const usesMemberOf = (config: Mapper['config']): boolean =>
  /^GET_(GROUPS|ROLES)_FROM_USER_MEMBEROF/.test(one(config, 'user.roles.retrieve.strategy') ?? '');

const readers: Readonly<Record<string, Read>> = {
  'user-attribute-ldap-mapper': attribute,
  'full-name-ldap-mapper': fullName,
  'certificate-ldap-mapper': certificate,
  'hardcoded-attribute-mapper': (person, _entry, { config }) => {
    const name = one(config, 'user.model.attribute') ?? '';
    const value = one(config, 'attribute.value') ?? '';
    if (fields.has(name)) setField(person, name, value);
    else person.attributes[name] = [value];
  },
  'hardcoded-ldap-role-mapper': (person, _entry, { config }) => {
    person.roles.push(one(config, 'role') ?? '');
  },
  'hardcoded-ldap-group-mapper': (person, _entry, { config }) => {
    person.groups.push(pathOfGroup(config));
  },
  'msad-user-account-control-mapper': accountControl,
  'msad-lds-user-account-control-mapper': accountControl,
  'group-ldap-mapper': memberships,
  'role-ldap-mapper': memberships,
};

/** Attributes that a mapper reads. */
function attributesOf({ providerId, config }: Mapper, people: Storage['people']): string[] {
  const source = one(config, 'ldap.attribute');
  switch (providerId) {
    case 'user-attribute-ldap-mapper':
      return source ? [source] : [];
    case 'certificate-ldap-mapper':
      return source ? [source, `${source};binary`] : [];
    case 'full-name-ldap-mapper':
      return [one(config, 'ldap.full.name.attribute') ?? 'cn'];
    case 'group-ldap-mapper':
    case 'role-ldap-mapper':
      return [
        ...(usesMemberOf(config) ? [memberOfAttribute(config)] : []),
        ...(usesMemberValue(config) ? [memberValueAttribute(config, people)] : []),
      ];
    default:
      return controlAttributes(providerId);
  }
}

/** Attributes with binary values. */
function binaryOf(mapper: Mapper, people: Storage['people']): string[] {
  const { providerId, config } = mapper;
  const isBinary = providerId === 'certificate-ldap-mapper' || flagOf(config, 'is.binary.attribute');
  return isBinary ? attributesOf(mapper, people) : [];
}

/** The attributes of entries that the mappers of a storage read, and the binary ones among them. */
export function readAttributes({ people, mappers }: Storage): { attributes: string[]; binary: string[] } {
  const all = [
    ...mappers.flatMap((mapper) => attributesOf(mapper, people)),
    ...(people.isActiveDirectory ? ['primaryGroupID', 'objectSid'] : []),
  ];
  const binary = [
    ...mappers.flatMap((mapper) => binaryOf(mapper, people)),
    ...(people.isActiveDirectory ? ['objectSid'] : []),
  ];
  return { attributes: [...new Set([people.id, people.username, ...all])], binary };
}

/** The user of an entry; undefined if it lacks a name or an ID. */
export function personOf(storage: Storage, entry: Entry): Person | undefined {
  const { people, mappers, config } = storage;
  const federationId = idOf(entry, people.id);
  const writtenName = (nameOf(entry, people.username) ?? '').trim();
  const username = storedUsername(writtenName);
  if (!federationId || !username) return undefined;
  const person: Person = {
    federationId,
    dn: entry.dn,
    username,
    writtenName,
    attributes: { LDAP_ID: [federationId], LDAP_ENTRY_DN: [entry.dn] },
    roles: [],
    groups: [],
    memberOf: {},
    memberValues: {},
  };
  const primaryGroup = people.isActiveDirectory ? primaryGroupOf(entry) : undefined;
  if (primaryGroup !== undefined) person.primaryGroup = primaryGroup;
  for (const mapper of mappers) ownMember(readers, mapper.providerId)?.(person, entry, mapper, storage);
  // a mapper cannot change the username: it is always the name by which the storage identifies users
  if (flagOf(config, 'trustEmail') && person.email) person.emailVerified = true;
  return person;
}
