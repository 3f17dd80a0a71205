import { write } from '../core/operation.js';
import { patchOf } from '../core/patch.js';
import { found, Refusal } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { forgetInPolicies } from '../permissions/store.js';
import { removeFromDirectories } from '../user-storage/write/remove-entries.js';
import { type KeptHere, requireWritten, writeProfiles } from '../user-storage/write/write-profile.js';
import { shownById } from './batch.js';
import { createUsers, type NewUser, prepareUser } from './create.js';
import { checkMemberships, grantsOfLinks, grantsOfNewUsers } from './entitlement.js';
import { ignoredChanges } from './ignored.js';
import type { UserTarget } from './locate.js';
import { namesOf, profileRefusals, replacedPasswords, withoutSecrets } from './names.js';
import {
  isWeak,
  type PreparedCredentials,
  passwordsOf,
  prepareCredentials,
  typedPassword,
  withoutPassword,
} from './passwords.js';
import { registerUsers, releaseUsers } from './register.js';
import { UserRepresentation } from './representation.js';
import { single } from './store.js';
import { emptyFields, holdersOfNames, updateUsers } from './update.js';
import { encodeFullUser } from './views.js';

/** What changes with a user: the user and who may do what. */
export const touchedUser = ({ user }: { user: { id: string } }): string[] => [`user:${user.id}`];
/** The row that writers of one user queue for. */
export const lockUser = ({ user }: { user: { id: string } }) => ({ model: 'User' as const, id: user.id });

export const createUser = write({
  name: 'user.create',
  isShort: true,
  summary: 'Creates a user with the default roles, default groups, and default required actions of the realm.',
  input: UserRepresentation,
  allow: 'manage:users',
  grants: (target: Target, input, ctx) => grantsOfNewUsers(target, [input], ctx),
  check: (permit, _target: Target, input) => checkMemberships(permit, [input]),
  prepare: async (ctx, { realm }: Target, input, asked): Promise<NewUser[]> => {
    return registerUsers(ctx, realm, [await prepareUser(realm, input)], asked);
  },
  release: releaseUsers,
  run: async (tx, { realm }, _input, { ctx, prepared }): Promise<{ id: string }> => {
    const [outcome] = await createUsers(tx, ctx, realm, prepared);
    if (!outcome || outcome instanceof Refusal) throw outcome;
    return { id: outcome.id };
  },
  refuses: profileRefusals,
  conflict: () => 'User exists with same username or email',
  states: (ctx, { realm }, _input, ids) => shownById(ctx.db, realm, ids),
  event: ({ id }, _target, input) => ({
    operationType: 'CREATE',
    resourceType: 'USER',
    resourcePath: `users/${id}`,
    representation: withoutSecrets(input),
  }),
  touches: ({ id }, { realm }) => [`users:${realm.id}`, `user:${id}`],
});

interface PreparedUpdate {
  prepared: PreparedCredentials;
  kept: KeptHere | undefined;
}

export const updateUser = write({
  name: 'user.update',
  isShort: true,
  summary: 'Changes the given fields of a user. Attributes and required actions are replaced as a whole.',
  input: UserRepresentation,
  allow: 'manage:users',
  takesRights: (_target, { enabled }) => enabled === false,
  actsOn: ({ user }: UserTarget) => [user.id],
  grants: (target: UserTarget, input, ctx) =>
    input.federationLink === target.user.federationLink ? undefined : grantsOfLinks(target, [input], ctx),
  lock: lockUser,
  refresh: async (tx, target: UserTarget, input) => {
    const [user, holders] = await Promise.all([
      tx.user.findUnique({ where: { id: target.user.id }, select: single }),
      input && holdersOfNames(tx, target.realm, [namesOf(target.realm, input)]),
    ]);
    return { ...target, user: found(user, 'User not found'), ...(holders && { holders }) };
  },
  prepare: async (ctx, { realm, user }: UserTarget, input, asked): Promise<PreparedUpdate> => {
    const prepared = await prepareCredentials(realm, input.credentials, async () => ({
      username: user.username,
      email: user.email,
      history: (await passwordsOf(ctx, realm, [user.id])).get(user.id) ?? [],
    }));
    const password = typedPassword(input.credentials);
    const { temporary } = prepared;
    const change = { id: user.id, input, password, temporary, isWeak: isWeak(prepared) };
    const { refusals, kept } = await writeProfiles(ctx, realm, [change], asked);
    requireWritten(refusals, user.id);
    const here = kept.get(user.id);
    return { prepared: here?.passwordIsThere ? withoutPassword(prepared) : prepared, kept: here };
  },
  run: async (tx, { realm, user, holders }, input, { ctx, prepared }): Promise<{ id: string }> => {
    const change = { id: user.id, input, ...prepared };
    const [outcome] = await updateUsers(tx, ctx, realm, [change], {
      users: [user],
      // a directory may have kept some of the names
      holders: prepared.kept ? undefined : holders,
    });
    if (!outcome || outcome instanceof Refusal) throw outcome;
    return { id: outcome.id };
  },
  refuses: profileRefusals,
  conflict: () => 'User exists with same username or email',
  event: (_, { path, user, realm }, input) => ({
    operationType: 'UPDATE',
    resourceType: 'USER',
    resourcePath: path,
    representation: withoutSecrets(input),
    before: encodeFullUser(user, realm),
    replaces: replacedPasswords(input),
  }),
  touches: ({ id }, { realm }) => [`users:${realm.id}`, `user:${id}`],
});

export const patchUser = patchOf(updateUser, {
  current: ({ user, realm }) => encodeFullUser(user, realm),
  empty: emptyFields,
  keepsRest: true,
  ignored: ({ user, realm }, input) => ignoredChanges(realm, user, input),
});

export const removeUser = write({
  name: 'user.delete',
  isShort: true,
  summary: 'Deletes a user with its credentials, sessions, and links.',
  allow: 'manage:users',
  takesRights: true,
  actsOn: ({ user }: UserTarget) => [user.id],
  lock: lockUser,
  prepare: async (ctx, { realm, user }: UserTarget, _input, asked): Promise<void> => {
    requireWritten(await removeFromDirectories(ctx, realm, [user.id], asked), user.id);
  },
  run: async (tx, { realm, user }): Promise<{ id: string }> => {
    await forgetInPolicies(tx, realm, 'user', [user.id]);
    await tx.later.user.deleteMany({ where: { id: user.id } });
    return { id: user.id };
  },
  event: (_, { path, user, realm }) => ({
    operationType: 'DELETE',
    resourceType: 'USER',
    resourcePath: path,
    before: encodeFullUser(user, realm),
  }),
  touches: ({ id }, { realm }) => [`users:${realm.id}`, `user:${id}`],
});
