import type { Db } from '../../database/db.js';
import { updateEach } from '../../database/update-each.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { releaseUsers } from '../attack-detection/store.js';
import { repeated, requireVersion } from '../core/batch.js';
import type { Context } from '../core/context.js';
import { clearable, replacedColumns } from '../core/fields.js';
import { isOn, type RealmRecord } from '../core/realm.js';
import { notFound, Refusal, requireAll } from '../core/refusal.js';
import { attributeRows, grouped } from '../core/view.js';
import { requireAddress } from '../mail/address.js';
import { shownUsers } from '../user-storage/storage-id.js';
import type { KeptHere } from '../user-storage/write/write-profile.js';
import { isKnownAction, type Outcome, onlyKnown } from './create.js';
import { userFields } from './fields.js';
import { forgetPasswords, keepCredentials } from './keep-credentials.js';
import {
  givenName,
  holderOf,
  holderOfEmail,
  type NewNames,
  namesOf,
  nameTaken,
  ownAttributes,
  requireShortNames,
} from './names.js';
import { type PreparedCredentials, requirePolicy } from './passwords.js';
import { type Attributes, isProtected, protectedList, refusalOfProtected } from './protected-attributes.js';
import type { UserInput } from './representation.js';
import { userSearch } from './search.js';
import { type Holders, holdersOf, removeAttributesBut } from './store.js';
import { requireUsername } from './usernames.js';

/** What is to become of a user. Fields that are missing stay as they are. */
export interface UserChange {
  id: string;
  input: UserInput;
  prepared: PreparedCredentials;
  /** refuse unless the user still has this version */
  expectedVersion?: number | undefined;
  /** the same of the version that its preparation was made of, which the caller does not know */
  preparedVersion?: number | undefined;
  /** why the user storage that it comes from does not let it change */
  refused?: Refusal | undefined;
  /** what of it is kept here of a user of a user storage */
  kept?: KeptHere | undefined;
}

/** The fields of a user that can be empty, with what an update takes for that. */
export const emptyFields = {
  ...clearable(userFields),
  federationLink: '',
  attributes: {},
  requiredActions: [],
};

const present = {
  id: true,
  username: true,
  email: true,
  firstName: true,
  lastName: true,
  requiredActions: true,
  version: true,
} satisfies Prisma.UserSelect;

type Present = Prisma.UserGetPayload<{ select: typeof present }>;

/**
 * Changes any number of users, whose rows are held, in a fixed number of statements, of each only what is given. A user that cannot be
 * changed is left as it is; its place in the answer says why. `read` is what was read behind their locks already.
 */
export async function updateUsers(
  tx: Db,
  ctx: Context,
  realm: RealmRecord,
  asked: readonly UserChange[],
  read: { users?: readonly Present[]; holders?: Holders | undefined } = {},
): Promise<Outcome[]> {
  const changes = asked.map((change) => ({ ...change, input: change.kept?.input ?? change.input }));
  const ids = [...new Set(changes.map(({ id }) => id))];
  const names = changes.map(({ input }) => namesOf(realm, input));
  const [users, holders] = await Promise.all([
    read.users ??
      tx.user.findMany({ where: { id: { in: ids }, realmId: realm.id, AND: [shownUsers(realm)] }, select: present }),
    read.holders ?? holdersOfNames(tx, realm, names),
  ]);
  const storages = realm.components;
  const twice = repeated(
    changes.map(({ id }) => id),
    'user',
  );
  const protectedNow = await protectedOf(tx, changes);
  const byId = new Map(users.map((user) => [user.id, user]));
  const rows: ({ id: string } & Record<string, unknown>)[] = [];
  const outcomes = changes.map((change, at): Outcome => {
    try {
      const user = byId.get(change.id);
      if (!user) throw notFound('User not found');
      if (change.refused) throw change.refused;
      const refused = refusalOfProtected(change.input.attributes, protectedNow.get(user.id));
      if (refused) throw refused;
      // a second change of the same user in one request would depend on the first
      const repeats = twice[at];
      if (repeats) throw repeats;
      requireVersion(ctx, 'User', user, change.expectedVersion, 'expectedVersion');
      requireVersion(ctx, 'User', user, change.preparedVersion);
      rows.push(columnsOf(realm, user, change, names[at] as NewNames, holders, storages));
      return { id: user.id, input: (asked[at] as UserChange).input };
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  });
  const done = changes.filter((_, at) => !(outcomes[at] instanceof Refusal));
  if (done.length === 0) return outcomes;
  await updateEach(tx, 'User', rows);
  await replaceAttributes(tx, done);
  const enabled = done.filter(({ input }) => input.enabled === true);
  if (enabled.length > 0 && isOn(realm, 'bruteForceProtected')) {
    await releaseUsers(
      tx,
      enabled.map(({ id }) => id),
    );
  }
  await keepCredentials(tx, ctx, realm, done);
  await forgetPasswords(
    tx,
    done.flatMap(({ id, kept }) => (kept?.passwordIsThere ? id : [])),
  );
  return outcomes;
}

/** Who has the names that users are to get: one statement at most. */
export const holdersOfNames = (tx: Db, realm: RealmRecord, names: readonly NewNames[]): Promise<Holders> =>
  holdersOf(
    tx,
    realm.id,
    names.flatMap(({ username }) => username ?? []),
    isOn(realm, 'duplicateEmailsAllowed') ? [] : names.flatMap(({ email }) => email ?? []),
  );

/** The protected attributes of the users whose changes name such: one statement at most. */
async function protectedOf(tx: Db, changes: readonly UserChange[]): Promise<Map<string, Attributes>> {
  const naming = changes.filter(({ input }) => Object.keys(input.attributes ?? {}).some(isProtected));
  if (naming.length === 0) return new Map();
  const rows = await tx.userAttribute.findMany({
    where: { userId: { in: naming.map(({ id }) => id) } },
    select: { userId: true, name: true, value: true },
    orderBy: [{ name: 'asc' }, { position: 'asc' }],
  });
  return new Map(naming.map(({ id }) => [id, grouped(rows.filter(({ userId }) => userId === id))]));
}

/** Replaces the attributes that are given as a whole, but for those that only storages set. */
async function replaceAttributes(tx: Db, done: readonly UserChange[]): Promise<void> {
  const replaced = done.filter(({ input }) => input.attributes).map(({ id }) => id);
  const assigned = done.filter(({ kept }) => kept?.attributes);
  if (replaced.length > 0) {
    await removeAttributesBut(tx, replaced, protectedList);
  }
  if (assigned.length > 0) {
    const names = [...new Set(assigned.flatMap(({ kept }) => Object.keys(kept?.attributes ?? {})))];
    await tx.later.userAttribute.deleteMany({
      where: { userId: { in: assigned.map(({ id }) => id) }, name: { in: names } },
    });
  }
  const rows = done.flatMap(({ id, input, kept }) =>
    attributeRows('userId', id, { ...ownAttributes(input.attributes ?? {}), ...kept?.attributes }),
  );
  if (rows.length > 0) await tx.userAttribute.createMany({ data: rows });
}

function columnsOf(
  realm: RealmRecord,
  user: Present,
  { input, prepared, kept }: UserChange,
  { username, email }: NewNames,
  holders: Holders,
  storages: readonly { id: string }[],
): { id: string } & Prisma.UserUpdateManyMutationInput {
  const { id } = user;
  const firstName = givenName(input, 'firstName');
  const lastName = givenName(input, 'lastName');
  const taken = (holder: string | undefined) => holder !== undefined && holder !== id;
  const same = 'User exists with same username or email';
  const failed = 'Could not update user!';
  requireAll(
    () => {
      if (username === undefined || username === user.username) return;
      requireUsername(username);
      if (taken(holderOf(holders, username))) throw nameTaken('username', same);
    },
    () => {
      if (email === user.email) return;
      requireAddress(email);
      if (email && taken(holderOfEmail(holders, email))) throw nameTaken('email', same);
    },
    () => requirePolicy(prepared, failed),
    () => requireShortNames({ username, email, firstName, lastName }, failed),
  );
  if (username !== undefined) holders.username.set(username, id);
  const unique = isOn(realm, 'duplicateEmailsAllowed') ? null : email;
  if (unique) holders.email.set(unique, id);
  const search = userSearch({
    username: username ?? user.username,
    email: email === undefined ? user.email : email,
    firstName: firstName ?? user.firstName,
    lastName: lastName ?? user.lastName,
  });
  const { federationLink } = input;
  const known = federationLink === '' || storages.some((storage) => storage.id === federationLink);
  const actions = actionsOf(user.requiredActions as string[], input.requiredActions, prepared.temporary);
  return {
    ...replacedColumns(userFields, input),
    id,
    ...(username !== undefined && { username }),
    ...(email !== undefined && { email, uniqueEmail: unique ?? null }),
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    ...(federationLink !== undefined && known && { federationLink: federationLink || null }),
    ...(actions && { requiredActions: actions }),
    ...(kept?.keptFields && { keptFields: kept.keptFields }),
    search,
  };
}

/** Known actions are replaced by those that are given; actions that only other software knows stay. */
function actionsOf(now: string[], given: string[] | undefined, temporary: boolean): string[] | undefined {
  if (!given && !temporary) return undefined;
  const next = given ? [...now.filter((action) => !isKnownAction(action)), ...onlyKnown(given)] : now;
  return [...new Set(temporary ? [...next, 'UPDATE_PASSWORD'] : next)];
}
