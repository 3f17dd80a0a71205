import type { Db } from '../../database/db.js';
import { isOn, type RealmRecord } from '../core/realm.js';
import { found, Refusal } from '../core/refusal.js';
import { flag, type Input, ignored, multimap, representation, text } from '../core/shape.js';
import { grouped } from '../core/view.js';
import { mailNotice } from '../mail/notice.js';
import { type KeptHere, requireWritten, writeProfiles } from '../user-storage/write/write-profile.js';
import { holderOf, holderOfEmail, namesOf } from '../users/names.js';
import { lockUser } from '../users/operations.js';
import { isSameList } from '../users/protected-attributes.js';
import { type SingleUser, single } from '../users/store.js';
import { holdersOfNames, updateUsers } from '../users/update.js';
import { type Account, requireOwnSession } from './account.js';
import { ownRead, ownWrite, storeOwnEvent } from './operation.js';
import { editsUsername, profileFaults, profileRefusal } from './profile-faults.js';
import { controllingAttributes, reservedChanges, withReserved } from './reserved-attributes.js';

/** The profile of a user in the contract's account API. */
export const AccountRepresentation = representation('AccountUserRepresentation', {
  id: text,
  username: text,
  firstName: text,
  lastName: text,
  email: text,
  emailVerified: flag,
  attributes: multimap,
  // part of answers; ignored in requests
  userProfileMetadata: ignored,
});

/** The metadata of profile fields for forms, as in the contract. */
const metadataOf = (realm: RealmRecord) => ({
  attributes: ['username', 'email', 'firstName', 'lastName'].map((name) => ({
    name,
    displayName: `\${${name}}`,
    required: true,
    readOnly: name === 'username' && !editsUsername(realm),
    validators: name === 'email' ? { email: { 'ignore.empty.value': true } } : {},
  })),
});

/** A profile as its user sees it. */
const encodeProfile = (user: SingleUser, realm: RealmRecord) => ({
  id: user.id,
  username: user.username,
  ...(user.firstName !== null && { firstName: user.firstName }),
  ...(user.lastName !== null && { lastName: user.lastName }),
  ...(user.email !== null && { email: user.email }),
  emailVerified: user.emailVerified,
  userProfileMetadata: metadataOf(realm),
  attributes: grouped(user.attributes),
});

/** A profile as its user sees it. */
export type OwnProfile = ReturnType<typeof encodeProfile>;

export const getProfile = ownRead({
  name: 'account.get',
  summary: 'Returns the profile of the caller.',
  roles: ['manage-account', 'view-profile'],
  run: async (_ctx, { user, realm }: Account) => encodeProfile(user, realm),
});

const conflictKeys = { username: 'usernameExistsMessage', email: 'emailExistsMessage' } as const;

const taken = (field: 'username' | 'email'): Refusal => profileRefusal([{ key: conflictKeys[field], field }]);

/** The refusal of a storage or a database in the words of the account API. */
function inOwnWords(refusal: Refusal): Refusal {
  const { code } = refusal.details;
  if (code === 'USERNAME_TAKEN') return taken('username');
  return code === 'EMAIL_TAKEN' ? taken('email') : refusal;
}

type AccountInput = Input<typeof AccountRepresentation>;

interface Change {
  input: AccountInput & { emailVerified?: boolean };
  kept: KeptHere | undefined;
}

/** The fields of a change, without fields that the user cannot change. */
function changeOf({ user }: Account, { username, email, firstName, lastName, attributes }: AccountInput) {
  const isNew = email !== undefined && email.trim().toLowerCase() !== (user.email ?? '');
  return {
    username,
    email: email?.trim(),
    firstName: firstName?.trim(),
    lastName: lastName?.trim(),
    ...(attributes && { attributes: withReserved(attributes, grouped(user.attributes)) }),
    ...(isNew && { emailVerified: false }),
  };
}

interface UpdatedProfile {
  id: string;
  /** the address before, if it was changed */
  earlier: string | undefined;
}

const readOnly = (name: string) => ({
  key: 'updateReadOnlyAttributesRejectedMessage' as const,
  field: `attributes.${name}`,
});

/** The attributes of an input. Attributes that flows of the realm read keep their values; changes of these are refused. */
async function withControlling(
  tx: Db,
  { realm, user }: Account,
  given: Readonly<Record<string, string[]>>,
): Promise<Record<string, string[]>> {
  const present = grouped(user.attributes);
  const names = await controllingAttributes(tx, realm.id);
  const changed = names.filter((name) => given[name] && !isSameList(given[name], present[name] ?? []));
  const [first, ...others] = changed.map(readOnly);
  if (first) throw profileRefusal([first, ...others]);
  return { ...given, ...Object.fromEntries(names.flatMap((name) => (present[name] ? [[name, present[name]]] : []))) };
}

export const updateProfile = ownWrite({
  name: 'account.updateProfile',
  summary:
    'Changes the name and the email address of the caller. Attributes are replaced as a whole, and stay as they are if none are given. A new address is not verified.',
  roles: ['manage-account'],
  input: AccountRepresentation,
  check: (_permit, account: Account, input) => {
    const { realm, user } = account;
    if (changeOf(account, input).emailVerified === false) requireOwnSession(account);
    const present = grouped(user.attributes);
    const reserved = reservedChanges(input.attributes ?? {}, present).map(readOnly);
    const [first, ...others] = [...profileFaults(realm, user, input), ...reserved];
    if (first) throw profileRefusal([first, ...others]);
  },
  lock: lockUser,
  refresh: async (tx, target: Account) => {
    const user = await tx.user.findUnique({ where: { id: target.user.id }, select: single });
    return { ...target, user: found(user, 'User not found') };
  },
  prepare: async (ctx, account: Account, given, asked): Promise<Change> => {
    const input = changeOf(account, given);
    const { id } = account.user;
    const { refusals, kept } = await writeProfiles(ctx, account.realm, [{ id, input }], asked);
    try {
      requireWritten(refusals, id);
    } catch (error) {
      throw error instanceof Refusal ? inOwnWords(error) : error;
    }
    return { input, kept: kept.get(id) };
  },
  run: async (tx, account, given, { ctx, prepared }): Promise<UpdatedProfile> => {
    const { realm, user } = account;
    const input = changeOf(account, given);
    if (input.attributes) input.attributes = await withControlling(tx, account, input.attributes);
    const names = namesOf(realm, input);
    const holders = await holdersOfNames(tx, realm, [names]);
    const isHeld = (holder: string | undefined) => holder !== undefined && holder !== user.id;
    if (names.username && names.username !== user.username && isHeld(holderOf(holders, names.username)))
      throw taken('username');
    if (names.email && isHeld(holderOfEmail(holders, names.email)) && !isOn(realm, 'duplicateEmailsAllowed'))
      throw taken('email');
    const change = { id: user.id, input, prepared: { temporary: false, given: [] }, kept: prepared.kept };
    const [outcome] = await updateUsers(tx, ctx, realm, [change], { users: [user], holders });
    if (!outcome || outcome instanceof Refusal) throw outcome && inOwnWords(outcome);
    const isNew = input.emailVerified === false;
    await storeOwnEvent(tx, ctx, account, 'UPDATE_PROFILE', { context: 'ACCOUNT' });
    if (!isNew) return { id: user.id, earlier: undefined };
    const emails = { previous_email: user.email ?? undefined, updated_email: input.email?.toLowerCase() };
    await storeOwnEvent(tx, ctx, account, 'UPDATE_EMAIL', { context: 'ACCOUNT', ...emails });
    return { id: user.id, earlier: user.email ?? undefined };
  },
  refuses: ['USERNAME_TAKEN', 'USERNAME_INVALID', 'EMAIL_TAKEN', 'EMAIL_INVALID', 'READ_ONLY'],
  conflict: () => taken('email'),
  event: (_, { path, user, realm }, { userProfileMetadata: _none, ...input }) => ({
    operationType: 'UPDATE',
    resourceType: 'USER',
    resourcePath: path,
    representation: input,
    before: encodeProfile(user, realm),
  }),
  touches: ({ id }, { realm }) => [`users:${realm.id}`, `user:${id}`],
  effect: async (ctx, { earlier }, { realm, user }) => {
    if (earlier !== undefined) await mailNotice(ctx.services, realm, user, { kind: 'email', to: earlier });
  },
});
