import type { Change } from 'ldapts';
import type { Context } from '../../core/context.js';
import { isOn, type RealmRecord } from '../../core/realm.js';
import { conflict, invalid, Refusal, stale } from '../../core/refusal.js';
import { requireAlone } from '../../core/unit-of-work.js';
import { replace } from '../../ldap/change.js';
import { rdnOf } from '../../ldap/dn.js';
import type { Entry } from '../../ldap/entry.js';
import { LdapFault, resultCodes } from '../../ldap/fault.js';
import { withDirectory } from '../../ldap/pool.js';
import { requireAddress } from '../../mail/address.js';
import { holderOfEmail, nameTaken, requireShortNames } from '../../users/names.js';
import type { UserInput } from '../../users/representation.js';
import { holdersOf } from '../../users/store.js';
import { requireUsername } from '../../users/usernames.js';
import { controlChanges, controlsRead } from '../account-control.js';
import { entryOfUser, validatesPasswords, writePassword } from '../password.js';
import { namesInUse } from '../read/in-use.js';
import type { Storage } from '../storage.js';
import {
  type ChangingUser,
  changedAlone,
  entriesOf,
  refusalOf,
  usersSwitchedOff,
  usersToChange,
} from './linked-users.js';
import { changesOf, keptFields, type ProfileChanges, refusalByMode, withoutAlwaysRead } from './profile-changes.js';
import { type Values, writtenValues } from './written-values.js';

/** The change of a user, who may belong to a storage. */
export interface ProfileChange {
  id: string;
  input: UserInput;
  /** a new password, as it was typed */
  password?: string | undefined;
  temporary?: boolean;
  /** nothing is written unless the user still has this version */
  expectedVersion?: number | undefined;
  /** whether it breaks the policy of the realm, which some storages leave to the directory */
  isWeak?: boolean;
}

/** The part of a change that is stored in the database. */
export interface KeptHere {
  /** without the fields that are always read from the directory */
  input: UserInput;
  /** attributes that the storage sets */
  attributes?: Record<string, string[]>;
  /** see `keptFields` */
  keptFields?: string[];
  /** whether the password was written to the directory, and is not stored in the database */
  passwordIsThere?: boolean;
}

/** The results of the storages. */
export interface ProfilesWritten {
  refusals: ReadonlyMap<string, Refusal>;
  /** the stored parts of changes, by the IDs of users of storages */
  kept: ReadonlyMap<string, KeptHere>;
}

function valuesOf(storage: Storage, user: ChangingUser, { names, attributes }: ProfileChanges): Values {
  const whole = [names.get('firstName') ?? user.firstName, names.get('lastName') ?? user.lastName];
  const renames = names.has('firstName') || names.has('lastName');
  return writtenValues(storage, {
    field: (name) => names.get(name),
    attribute: (name) => attributes.get(name),
    fullName: renames ? whole.filter(Boolean).join(' ') : undefined,
    isNew: false,
  });
}

const updatePassword = 'UPDATE_PASSWORD';

/** The refusal of a change of a user of a disabled storage, as on the reference server. */
const switchedOffRefusal = ({ enabled, emailVerified, ...rest }: UserInput): Refusal =>
  Object.keys(rest).length === 0
    ? conflict('User is read only!', enabled === undefined ? 'emailVerified' : 'enabled', 'READ_ONLY')
    : invalid('Could not update user!', Object.keys(rest)[0], { code: 'READ_ONLY' });

/** The changes of the account, if the directory controls it. */
function accountOf({ enabled, requiredActions }: ChangingUser, { input }: ProfileChange) {
  const asked = (requiredActions as string[]).includes(updatePassword);
  const asks = input.requiredActions?.includes(updatePassword) ?? asked;
  return {
    ...(input.enabled !== undefined && input.enabled !== enabled && { enabled: input.enabled }),
    ...(asks !== asked && { mustChangePassword: asks }),
  };
}

interface Planned {
  user: ChangingUser;
  values: Values;
  change: ProfileChange;
}

/** The results of the changes of a request. */
interface Outcome {
  refusals: Map<string, Refusal>;
  kept: Map<string, KeptHere>;
}

interface Changing {
  user: ChangingUser;
  storage: Storage | undefined;
  change: ProfileChange;
  changes: ProfileChanges;
}

/**
 * Writes changes of users to their directories before they are stored. If a directory refuses a change, the user stays
 * unchanged in both places. Refuses changes that the edit mode of a storage does not allow, and names that a directory
 * user has.
 */
export async function writeProfiles(
  ctx: Context,
  realm: RealmRecord,
  changes: readonly ProfileChange[],
  asked: { dryRun: boolean } | undefined,
): Promise<ProfilesWritten> {
  const outcome: Outcome = { refusals: new Map(), kept: new Map() };
  const byId = new Map(changes.map((change) => [change.id, change]));
  for (const id of await usersSwitchedOff(ctx, realm, [...byId.keys()])) {
    outcome.refusals.set(id, switchedOffRefusal((byId.get(id) as ProfileChange).input));
  }
  const changing = (await usersToChange(ctx, realm, [...byId.keys()])).map(({ user, storage }): Changing => {
    const change = byId.get(user.id) as ProfileChange;
    const input = storage ? withoutAlwaysRead(storage, user, change.input) : change.input;
    const kept = changesOf(realm, user, input);
    if (storage) outcome.kept.set(user.id, { input });
    return { user, storage, change: { ...change, input }, changes: kept };
  });
  const planned = new Map<Storage, Planned[]>();
  for (const item of changing) {
    const { user, storage, change } = item;
    const refused = storage && refusalOfChange(storage, item, byId.get(user.id) as ProfileChange);
    if (refused) outcome.refusals.set(user.id, refused);
    else if (storage?.mode === 'UNSYNCED') {
      outcome.kept.set(user.id, { input: change.input, keptFields: keptFields(storage, user, item.changes) });
    } else if (storage?.mode === 'WRITABLE') {
      const plan = { user, values: valuesOf(storage, user, item.changes), change };
      if (isNothing(storage, plan)) continue;
      planned.set(storage, [...(planned.get(storage) ?? []), plan]);
    }
  }
  if (planned.size > 0) requireAlone(ctx, changedAlone, asked);
  await refuseTakenNames(ctx, realm, changing, outcome);
  for (const [storage, plans] of planned) {
    const fitting = plans.filter(({ user }) => !outcome.refusals.has(user.id));
    if (fitting.length > 0) await writeAll(storage, fitting, outcome);
  }
  return outcome;
}

function refusalOfChange(storage: Storage, { user, changes, change }: Changing, given: ProfileChange) {
  const refused = refusalByMode(storage, user, given.input, changes);
  if (refused) return refused;
  if (change.password === undefined) return undefined;
  if (storage.mode === 'READ_ONLY') return conflict('User is read only!', 'credentials', 'READ_ONLY');
  const isRefused = storage.mode === 'WRITABLE' && change.isWeak && validatesPasswords(storage);
  return isRefused ? invalid('Could not update user!', 'credentials') : undefined;
}

const isNothing = (storage: Storage, { user, values, change }: Planned): boolean =>
  values.size === 0 &&
  change.password === undefined &&
  (controlsRead(storage).length === 0 || Object.keys(accountOf(user, change)).length === 0);

const sameNames = 'User exists with same username or email';

/**
 * Refuses changes with names that another user has, in the realm or in a directory. Also refuses changes that would
 * later be refused for another reason, so that the directory does not get them either. One statement, and the searches
 * for names.
 */
async function refuseTakenNames(
  ctx: Context,
  realm: RealmRecord,
  changing: readonly Changing[],
  { refusals }: Outcome,
): Promise<void> {
  const open = changing.filter(({ user }) => !refusals.has(user.id));
  const wanted = open.map(({ user, changes: { names } }) => ({
    username: names.get('username'),
    email: names.get('email'),
    federationLink: user.federationLink,
    federationId: user.federationId,
  }));
  const written = open.filter(({ storage }) => storage?.mode === 'WRITABLE');
  const named = (name: string) => written.flatMap(({ changes: { names } }) => names.get(name) || []);
  const holders = await holdersOf(ctx.db, realm.id, named('username'), named('email'));
  const isHeld = ({ user, changes: { names } }: Changing, name: 'username' | 'email') => {
    const value = names.get(name) ?? '';
    const holder = name === 'email' ? holderOfEmail(holders, value) : holders.username.get(value);
    const isFree = name === 'email' && isOn(realm, 'duplicateEmailsAllowed');
    return !isFree && holder !== undefined && holder !== user.id;
  };
  for (const item of written) {
    const field = (['username', 'email'] as const).find((name) => isHeld(item, name));
    const refused = field ? nameTaken(field, sameNames) : refusalOfInput(item);
    if (refused) refusals.set(item.user.id, refused);
  }
  const taken = await namesInUse(ctx.services, realm, wanted);
  for (const [at, field] of taken.entries()) {
    const { id } = (open[at] as Changing).user;
    if (field && !refusals.has(id)) refusals.set(id, nameTaken(field, sameNames));
  }
}

function refusalOfInput({ user, change, changes: { names } }: Changing): Refusal | undefined {
  const { expectedVersion, input } = change;
  if (expectedVersion !== undefined && expectedVersion !== user.version) {
    return stale(user.version, expectedVersion, 'expectedVersion');
  }
  try {
    const { username, email, firstName, lastName } = input;
    requireShortNames({ username, email, firstName, lastName }, 'Could not update user!');
    requireUsername(names.get('username') ?? user.username);
    requireAddress(names.get('email'));
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

async function writeAll(storage: Storage, plans: readonly Planned[], outcome: Outcome): Promise<void> {
  const { refusals, kept } = outcome;
  try {
    const users = plans.map(({ user }) => user);
    const entries = await entriesOf(storage, users);
    for (const plan of plans) {
      const { user, change } = plan;
      try {
        const entry = entries.get(user.federationId ?? '');
        if (!entry) throw new LdapFault('the user is no longer in the directory', resultCodes.noSuchObject);
        const dn = await writeOne(storage, entry, plan);
        kept.set(user.id, {
          input: change.input,
          ...(dn !== undefined && { attributes: { LDAP_ENTRY_DN: [dn] } }),
          passwordIsThere: change.password !== undefined,
        });
      } catch (error) {
        refusals.set(user.id, refusalOf(storage, error));
      }
    }
  } catch (error) {
    for (const { user } of plans) refusals.set(user.id, refusalOf(storage, error));
  }
}

/**
 * The attribute that names an entry changes with its name (RFC 4511, 4.9), the others with one modification. Returns the
 * new name of the entry if it has one.
 */
async function writeOne(
  storage: Storage,
  entry: Entry,
  { user, values, change }: Planned,
): Promise<string | undefined> {
  const { people, directory } = storage;
  const isNaming = ([attribute]: [string, unknown]) => attribute.toLowerCase() === people.rdn.toLowerCase();
  const rdn = [...values].find(isNaming);
  const changes: Change[] = [
    ...[...values].filter((item) => !isNaming(item)).map(([type, list]) => replace(type, list)),
    ...controlChanges(storage, entry, accountOf(user, change)),
  ];
  await withDirectory(directory, async (client) => {
    if (changes.length > 0) await client.modify(entry.dn, changes);
    if (rdn) await client.modifyDN(entry.dn, rdnOf(people.rdn, String(rdn[1][0] ?? '')));
  });
  if (change.password !== undefined) await writePassword(storage, user, change.password, change.temporary);
  return rdn && (await entryOfUser(storage, user))?.dn;
}

/** Throws the refusal of a user, if there is one. */
export function requireWritten(refusals: ReadonlyMap<string, Refusal>, id: string): void {
  const refusal = refusals.get(id);
  if (refusal) throw refusal;
}
