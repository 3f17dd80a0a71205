import type { Context } from '../core/context.js';
import { isOn, type RealmRecord } from '../core/realm.js';
import { Refusal } from '../core/refusal.js';
import { addressFault } from '../mail/address.js';
import { namesInUse } from '../user-storage/read/in-use.js';
import type { Storage } from '../user-storage/storage.js';
import {
  type Registered,
  register,
  registrationStorage,
  requireRegistration,
  settle,
} from '../user-storage/write/register.js';
import { type NewUser, usernameOf } from './create.js';
import { givenName, holderOf, holderOfEmail, nameTaken, ownAttributes, storedEmail } from './names.js';
import { isWeak, typedPassword, withoutPassword } from './passwords.js';
import { refusalOfProtected } from './protected-attributes.js';
import { holdersOf } from './store.js';
import { usernameFault } from './usernames.js';

/** How many entries are written at once, over as many connections. */
const together = 8;

/**
 * Refuses users whose names somebody in a directory has, and writes the others to the directory that takes new users of
 * the realm, if there is one. Users who will be refused here are left out; a user whom the directory refuses has the refusal.
 * Afterwards `releaseUsers` has to be called.
 */
export async function registerUsers(
  ctx: Context,
  realm: RealmRecord,
  wanted: readonly NewUser[],
  asked: { dryRun: boolean } | undefined,
  passwordOf = ({ input }: NewUser): string | undefined => typedPassword(input.credentials),
): Promise<NewUser[]> {
  const users = await withRefusedNames(ctx, realm, wanted);
  const storage = await registrationStorage(ctx, realm);
  if (!storage) return [...users];
  requireRegistration(ctx, asked);
  const fitting = await fittingOf(ctx, realm, users);
  const done: NewUser[] = [];
  for (let at = 0; at < users.length; at += together) {
    const some = users.slice(at, at + together);
    done.push(
      ...(await Promise.all(
        some.map((user) => (fitting.has(user) ? registeredUser(ctx, realm, storage, user, passwordOf(user)) : user)),
      )),
    );
  }
  const made = done.flatMap(({ registered }) => (!registered || registered instanceof Refusal ? [] : registered));
  const [first, ...others] = done;
  return first ? [{ ...first, settle: () => settle(ctx, storage, made) }, ...others] : done;
}

/** Takes back what was written to a directory for users who are not there after all, and completes it for the others. */
export const releaseUsers = async (users: readonly NewUser[]): Promise<void> => users[0]?.settle?.();

/** Those who can be created, for all that is known before they are. */
async function fittingOf(ctx: Context, realm: RealmRecord, users: readonly NewUser[]): Promise<Set<NewUser>> {
  const names = users.map(({ input }) => usernameOf(realm, input)).filter((name) => name.trim() !== '');
  const emails = isOn(realm, 'duplicateEmailsAllowed')
    ? []
    : users.flatMap(({ input }) => storedEmail(input.email) ?? []);
  const taken = await holdersOf(ctx.db, realm.id, names, emails);
  const seen = new Set<string>();
  return new Set(
    users.filter(({ input, prepared, registered }) => {
      if (registered instanceof Refusal || refusalOfProtected(input.attributes)) return false;
      const username = usernameOf(realm, input);
      const isTaken =
        holderOf(taken, username) !== undefined || holderOfEmail(taken, storedEmail(input.email) ?? '') !== undefined;
      const isFaulty = usernameFault(username) ?? addressFault(storedEmail(input.email) ?? '');
      if (username.trim() === '' || isFaulty || isTaken || seen.has(username) || isWeak(prepared)) return false;
      seen.add(username);
      return true;
    }),
  );
}

async function registeredUser(
  ctx: Context,
  realm: RealmRecord,
  storage: Storage,
  user: NewUser,
  password: string | undefined,
): Promise<NewUser> {
  const { input, prepared } = user;
  try {
    const registered: Registered = await register(ctx, storage, {
      username: usernameOf(realm, input),
      email: storedEmail(input.email),
      firstName: givenName(input, 'firstName') ?? null,
      lastName: givenName(input, 'lastName') ?? null,
      attributes: ownAttributes(input.attributes ?? {}),
      password,
      temporary: prepared.temporary,
    });
    // the password is in the directory, and nowhere else
    return { input, prepared: password === undefined ? prepared : withoutPassword(prepared), registered };
  } catch (error) {
    if (error instanceof Refusal) return { ...user, registered: error };
    throw error;
  }
}

/** The same users, with a refusal for those whose names or addresses somebody in a directory has. */
async function withRefusedNames(ctx: Context, realm: RealmRecord, users: readonly NewUser[]): Promise<NewUser[]> {
  const wanted = users.map(({ input }) => ({ username: usernameOf(realm, input), email: input.email }));
  const taken = await namesInUse(ctx.services, realm, wanted);
  return users.map((user, at) => {
    const field = taken[at];
    return field ? { ...user, registered: nameTaken(field) } : user;
  });
}
