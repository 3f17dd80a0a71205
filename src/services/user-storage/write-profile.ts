import type { Change } from 'ldapts';
import type { Context } from '../core/context.js';
import { conflict, invalid, type Refusal } from '../core/refusal.js';
import { requireAlone } from '../core/transaction.js';
import { replace } from '../ldap/change.js';
import { rdnOf } from '../ldap/dn.js';
import type { Entry } from '../ldap/entry.js';
import { LdapFault, resultCodes } from '../ldap/fault.js';
import { withDirectory } from '../ldap/pool.js';
import { isOn, type RealmRecord } from '../realms/record.js';
import { holderOfEmail, holdersOf, isTooLong, storedEmail } from '../users/names.js';
import type { UserInput } from '../users/representation.js';
import { storedUsername } from '../users/usernames.js';
import { controlChanges, controlsRead } from './account-control.js';
import { changedAlone, entriesOf, type Linked, linkedUsers, refusalOf } from './linked-users.js';
import { validatesPasswords, writePassword } from './password.js';
import type { Storage } from './storage.js';
import { nameFields, type Values, writtenValues } from './written-values.js';

/** What becomes of a user, who may be one of a storage. */
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

/** What the storages said to it. */
export interface ProfilesWritten {
  refusals: ReadonlyMap<string, Refusal>;
  /** ids of users whose passwords are in the directory now, and not to be kept here */
  passwords: ReadonlySet<string>;
}

/** The names that a change brings and that differ from those that the user has. */
function changedNames(realm: RealmRecord, user: Linked, input: UserInput): Map<string, string> {
  const changed = new Map<string, string>();
  for (const name of nameFields) {
    const value = input[name];
    const fixed = name === 'username' && realm.settings.editUsernameAllowed !== true;
    if (value === undefined || fixed) continue;
    const next = name === 'username' ? storedUsername(value) : name === 'email' ? (storedEmail(value) ?? '') : value;
    if (next !== (user[name] ?? '')) changed.set(name, next);
  }
  return changed;
}

function valuesOf(storage: Storage, user: Linked, input: UserInput, changed: ReadonlyMap<string, string>): Values {
  const whole = [changed.get('firstName') ?? user.firstName, changed.get('lastName') ?? user.lastName];
  const renames = changed.has('firstName') || changed.has('lastName');
  return writtenValues(storage, {
    field: (name) => changed.get(name),
    attribute: (name) => input.attributes?.[name],
    fullName: renames ? whole.filter(Boolean).join(' ') : undefined,
  });
}

const updatePassword = 'UPDATE_PASSWORD';

/** What of the account changes, where the directory keeps that. */
function accountOf({ enabled, requiredActions }: Linked, { input }: ProfileChange) {
  const asked = (requiredActions as string[]).includes(updatePassword);
  const asks = input.requiredActions?.includes(updatePassword) ?? asked;
  return {
    ...(input.enabled !== undefined && input.enabled !== enabled && { enabled: input.enabled }),
    ...(asks !== asked && { mustChangePassword: asks }),
  };
}

interface Planned {
  user: Linked;
  changed: ReadonlyMap<string, string>;
  values: Values;
  change: ProfileChange;
}

/**
 * Writes what changes of users to the directories that they come from, ahead of what is kept here: whom the directory
 * refuses stays as before, here and there. Refuses new names and passwords for users of storages that are only read.
 */
export async function writeProfiles(
  ctx: Context,
  realm: RealmRecord,
  changes: readonly ProfileChange[],
  asked: { dryRun: boolean } | undefined,
): Promise<ProfilesWritten> {
  const refusals = new Map<string, Refusal>();
  const passwords = new Set<string>();
  const byId = new Map(changes.map((change) => [change.id, change]));
  const linked = await linkedUsers(ctx, realm, [...byId.keys()]);
  const planned = new Map<Storage, Planned[]>();
  for (const { user, storage } of linked) {
    const change = byId.get(user.id) as ProfileChange;
    const changed = changedNames(realm, user, change.input);
    if (storage.mode === 'READ_ONLY') {
      const field = [...changed.keys()][0] ?? (change.password === undefined ? undefined : 'credentials');
      if (field !== undefined) refusals.set(user.id, conflict('User is read only!', field));
    } else if (storage.mode === 'WRITABLE') {
      const values = valuesOf(storage, user, change.input, changed);
      const account = controlsRead(storage).length > 0 && Object.keys(accountOf(user, change)).length > 0;
      if (values.size === 0 && change.password === undefined && !account) continue;
      if (change.isWeak && validatesPasswords(storage)) {
        refusals.set(user.id, invalid('Could not update user!', 'credentials'));
        continue;
      }
      planned.set(storage, [...(planned.get(storage) ?? []), { user, changed, values, change }]);
    }
  }
  if (planned.size > 0) requireAlone(ctx, changedAlone, asked);
  const isDoomed = await doomed(ctx, realm, [...planned.values()].flat());
  for (const [storage, plans] of planned) {
    const fitting = plans.filter((plan) => !isDoomed(plan));
    if (fitting.length > 0) await writeAll(storage, fitting, refusals, passwords);
  }
  return { refusals, passwords };
}

/** Tells which changes will be refused here, so that the directory is not to have them either: one statement at most. */
async function doomed(
  ctx: Context,
  realm: RealmRecord,
  plans: readonly Planned[],
): Promise<(plan: Planned) => boolean> {
  const wanted = (name: string) => plans.flatMap(({ changed }) => changed.get(name) || []);
  const holders = await holdersOf(ctx.db, realm.id, wanted('username'), wanted('email'));
  const isTaken = ({ user, changed }: Planned, name: 'username' | 'email') => {
    const value = changed.get(name) ?? '';
    const holder = name === 'email' ? holderOfEmail(holders, value) : holders.username.get(value);
    const isFree = name === 'email' && isOn(realm, 'duplicateEmailsAllowed');
    return !isFree && holder !== undefined && holder !== user.id;
  };
  return (plan) => {
    const { expectedVersion = plan.user.version, input } = plan.change;
    const isStale = expectedVersion !== plan.user.version;
    const { username, email, firstName, lastName } = input;
    return (
      isStale || isTaken(plan, 'username') || isTaken(plan, 'email') || isTooLong(username, email, firstName, lastName)
    );
  };
}

async function writeAll(
  storage: Storage,
  plans: readonly Planned[],
  refusals: Map<string, Refusal>,
  passwords: Set<string>,
): Promise<void> {
  try {
    const users = plans.map(({ user }) => user);
    const entries = await entriesOf(storage, users);
    for (const plan of plans) {
      const { user, change } = plan;
      try {
        const entry = entries.get(user.federationId ?? '');
        if (!entry) throw new LdapFault('the user is no longer in the directory', resultCodes.noSuchObject);
        await writeOne(storage, entry, plan);
        if (change.password !== undefined) passwords.add(user.id);
      } catch (error) {
        refusals.set(user.id, refusalOf(storage, error));
      }
    }
  } catch (error) {
    for (const { user } of plans) refusals.set(user.id, refusalOf(storage, error));
  }
}

/** The attribute that names an entry changes with its name (RFC 4511, 4.9), the others with one modification. */
async function writeOne(storage: Storage, entry: Entry, { user, values, change }: Planned): Promise<void> {
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
}

/** Throws the refusal of a user, if there is one. */
export function requireWritten(refusals: ReadonlyMap<string, Refusal>, id: string): void {
  const refusal = refusals.get(id);
  if (refusal) throw refusal;
}
