import type { RealmRecord } from '../../core/realm.js';
import { conflict, invalid, type Refusal } from '../../core/refusal.js';
import { givenName, namesOf, ownAttributes } from '../../users/names.js';
import { isProtected, isSameList, refusalOfProtected } from '../../users/protected-attributes.js';
import type { UserInput } from '../../users/representation.js';
import { controlsRead } from '../account-control.js';
import { flagOf } from '../config.js';
import type { Mapper, Storage } from '../storage.js';
import type { ChangingUser } from './linked-users.js';
import { alwaysReadBy, fieldOf, nameFields } from './written-values.js';

/** The changes of a user by an update: '' for a removed name, no values for a removed attribute. */
export interface ProfileChanges {
  names: ReadonlyMap<string, string>;
  attributes: ReadonlyMap<string, readonly string[]>;
}

/** The names and attributes of an update that differ from the user's. */
export function changesOf(realm: RealmRecord, user: ChangingUser, input: UserInput): ProfileChanges {
  const { username, email } = namesOf(realm, input);
  const given = {
    username,
    email: email === null ? '' : email,
    firstName: givenName(input, 'firstName'),
    lastName: givenName(input, 'lastName'),
  };
  const names = new Map<string, string>();
  for (const name of nameFields) {
    const next = given[name];
    if (next !== undefined && next !== (user[name] ?? '')) names.set(name, next);
  }
  const attributes = new Map<string, readonly string[]>();
  if (input.attributes) {
    const next = ownAttributes(input.attributes);
    for (const name of new Set([...Object.keys(user.attributes), ...Object.keys(next)])) {
      const values = next[name] ?? [];
      if (!isProtected(name) && !isSameList(values, user.attributes[name] ?? [])) attributes.set(name, values);
    }
  }
  return { names, attributes };
}

/** The fields of the account that an update changes. */
function accountFields(user: ChangingUser, { enabled, emailVerified, requiredActions }: UserInput): string[] {
  const actions = user.requiredActions as string[];
  const changed = [
    enabled !== undefined && enabled !== user.enabled && 'enabled',
    emailVerified !== undefined && emailVerified !== user.emailVerified && 'emailVerified',
    requiredActions && !isSameList([...new Set(requiredActions)].sort(), [...actions].sort()) && 'requiredActions',
  ];
  return changed.filter((field) => typeof field === 'string');
}

const notUpdated = (field: string | undefined): Refusal =>
  invalid('Could not update user!', field, { code: 'READ_ONLY' });

/**
 * The refusal of a change that the edit mode of a storage does not allow. Users that are not imported have only fields
 * that the directory stores: no other field can change.
 */
export function refusalByMode(
  storage: Storage,
  user: ChangingUser,
  input: UserInput,
  { names, attributes }: ProfileChanges,
): Refusal | undefined {
  const refused = refusalOfProtected(input.attributes, user.attributes);
  if (refused) return refused;
  const attribute = [...attributes.keys()][0];
  const field = [...names.keys()][0] ?? (attribute === undefined ? undefined : `attributes.${attribute}`);
  if (storage.mode === 'READ_ONLY' && field !== undefined) return notUpdated(field);
  if (storage.imports) return undefined;
  const [account] = accountFields(user, input).filter(
    (name) => name === 'emailVerified' || controlsRead(storage).length === 0,
  );
  if (storage.mode === 'READ_ONLY')
    return account === undefined ? undefined : conflict('User is read only!', account, 'READ_ONLY');
  const written = storage.mappers.filter(({ config }) => !flagOf(config, 'read.only'));
  const mapped = new Set(written.flatMap((mapper) => fieldOf(mapper) ?? []));
  const unmapped = [...attributes.keys()].find((name) => !mapped.has(name));
  const kept = account ?? (unmapped === undefined ? undefined : `attributes.${unmapped}`);
  return kept === undefined ? undefined : notUpdated(kept);
}

/** Fields and attributes that always come from the directory, even if they are written in this service. */
function alwaysRead({ mode, imports, mappers }: Storage): Set<string> {
  if (mode === 'READ_ONLY' || !imports) return new Set();
  return alwaysReadBy(mappers.filter(({ config }) => mode !== 'WRITABLE' || flagOf(config, 'read.only')));
}

/** An update without the fields that are always read from the directory. */
export function withoutAlwaysRead(storage: Storage, user: ChangingUser, input: UserInput): UserInput {
  const always = alwaysRead(storage);
  if (always.size === 0) return input;
  const { attributes, ...rest } = input;
  const fields = Object.entries(rest).filter(([name]) => !always.has(name));
  if (!attributes) return Object.fromEntries(fields);
  const kept = Object.entries(attributes).filter(([name]) => !always.has(name));
  const read = Object.entries(user.attributes).filter(([name]) => always.has(name));
  return { ...Object.fromEntries(fields), attributes: Object.fromEntries([...kept, ...read]) };
}

/** The fields that a storage which is not written no longer updates. */
export function keptFields(storage: Storage, user: ChangingUser, { names, attributes }: ProfileChanges): string[] {
  const brought = new Set(['username', ...storage.mappers.flatMap(broughtBy)]);
  const changed = [...names.keys(), ...attributes.keys()].filter((name) => brought.has(name));
  return [...new Set([...(user.keptFields as string[]), ...changed])];
}

const broughtBy = (mapper: Mapper): string[] =>
  mapper.providerId === 'full-name-ldap-mapper' ? ['firstName', 'lastName'] : [fieldOf(mapper) ?? []].flat();
