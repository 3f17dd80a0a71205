import { lockRows } from '../../database/locks.js';
import { type BatchResult, checkedSize, onError, repeated, sorted } from '../core/batch.js';
import { write } from '../core/operation.js';
import { clearedBy } from '../core/patch.js';
import { isOn } from '../core/realm.js';
import { joined, notFound, type Refusal } from '../core/refusal.js';
import { int, list, representation, text, texts } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { shownUsers } from '../user-storage/storage-id.js';
import { removeFromDirectories } from '../user-storage/write/remove-entries.js';
import { type KeptHere, writeProfiles } from '../user-storage/write/write-profile.js';
import { createUsers, type NewUser, type Outcome, prepareUser } from './create.js';
import { checkMemberships, grantsOfLinks, grantsOfNewUsers } from './entitlement.js';
import { ignoredChanges } from './ignored.js';
import { profileRefusals, withoutSecrets } from './names.js';
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
import { full } from './store.js';
import { emptyFields, updateUsers } from './update.js';
import { storedUsername } from './usernames.js';
import { encodeFullUser } from './views.js';

const NewUsers = representation('UserCreateBatch', { users: list(UserRepresentation), onError });
const ChangedUser = clearedBy(emptyFields, UserRepresentation);
const UserChange = representation('UserChange', { id: text, expectedVersion: int, user: ChangedUser });
const UserChanges = representation('UserUpdateBatch', { users: list(UserChange), onError });
const UserIds = representation('UserDeleteBatch', { users: texts, onError });

/** The credentials of a user that is to be changed, and why its user storage does not let it. */
interface PreparedChange {
  credentials: PreparedCredentials;
  refused: Refusal | undefined;
  kept: KeptHere | undefined;
}

const hashedTogether = 8;

/** Prepares the items a few at a time: hashing fills the processor, and others want to log in at the same time. */
async function prepareAll<I, P>(items: readonly I[], prepare: (item: I) => Promise<P>): Promise<P[]> {
  const prepared: P[] = [];
  for (let at = 0; at < items.length; at += hashedTogether) {
    prepared.push(...(await Promise.all(items.slice(at, at + hashedTogether).map(prepare))));
  }
  return prepared;
}

const common = {
  allow: 'manage:users',
  conflict: () => 'A user with one of these usernames or email addresses was created in the meantime; retry',
  event: ({ done }: BatchResult) => done.flatMap(({ audits }) => audits),
  touches: ({ done }: BatchResult, { realm }: Target) => [`users:${realm.id}`, ...done.map(({ id }) => `user:${id}`)],
} as const;

export const createMany = write({
  ...common,
  name: 'user.createMany',
  refuses: profileRefusals,
  summary: 'Creates several users in one transaction.',
  input: NewUsers,
  grants: (target: Target, { users = [] }, ctx) => grantsOfNewUsers(target, users, ctx),
  check: (permit, _target: Target, { users = [] }) => checkMemberships(permit, users),
  prepare: async (ctx, { realm }: Target, { users = [] }, asked): Promise<NewUser[]> => {
    checkedSize(users);
    const prepared = await prepareAll(users, (input) => prepareUser(realm, input));
    return registerUsers(ctx, realm, prepared, asked);
  },
  release: releaseUsers,
  run: async (tx, { realm }, input, { ctx, prepared }): Promise<BatchResult> =>
    sorted(await createUsers(tx, ctx, realm, prepared), input.onError, (user) => [
      {
        operationType: 'CREATE',
        resourceType: 'USER',
        resourcePath: `users/${user.id}`,
        representation: withoutSecrets(user.input),
      },
    ]),
});

export const updateMany = write({
  ...common,
  name: 'user.updateMany',
  refuses: [...profileRefusals, 'REPEATED', 'TOO_MANY'],
  summary: 'Changes the given fields of several users in one transaction.',
  input: UserChanges,
  actsOn: (_target: Target, { users = [] }) => users.flatMap(({ id }) => id ?? []),
  grants: (target: Target, { users = [] }, ctx) =>
    grantsOfLinks(
      target,
      users.flatMap(({ user }) => user ?? []),
      ctx,
    ),
  prepare: async (ctx, { realm }: Target, { users = [] }, asked): Promise<PreparedChange[]> => {
    checkedSize(users);
    const ids = users.flatMap(({ id, user }) =>
      id !== undefined && (user?.credentials?.length || user?.username !== undefined || user?.requiredActions)
        ? id
        : [],
    );
    const select = { id: true, username: true, email: true, requiredActions: true } as const;
    const where = { realmId: realm.id, id: { in: ids } };
    const owners = ids.length === 0 ? [] : await ctx.db.user.findMany({ where, select });
    const byId = new Map(owners.map((owner) => [owner.id, owner]));
    const withPassword = users.flatMap(({ id, user }) => (id !== undefined && user?.credentials?.length ? id : []));
    const histories = await passwordsOf(ctx, realm, withPassword);
    const prepared = await prepareAll(users, ({ id = '', user }) =>
      // missing users are refused later
      prepareCredentials(realm, byId.has(id) ? user?.credentials : [], () => ({
        username: byId.get(id)?.username ?? '',
        email: byId.get(id)?.email ?? null,
        history: histories.get(id) ?? [],
      })),
    );
    const changes = users.map(({ id = '', expectedVersion, user: input = {} }, at) => ({
      id,
      input,
      expectedVersion,
      password: typedPassword(input.credentials),
      temporary: prepared[at]?.temporary ?? false,
      isWeak: isWeak(prepared[at] as PreparedCredentials),
    }));
    const ignored = changes.map(({ id, input }) =>
      joined(ignoredChanges(realm, byId.get(id) ?? { username: storedUsername(input.username ?? '') }, input)),
    );
    const accepted = changes.filter((_, at) => !ignored[at]);
    const { refusals, kept } = await writeProfiles(ctx, realm, accepted, asked);
    return prepared.map((credentials, at) => {
      const id = users[at]?.id ?? '';
      return {
        credentials: kept.get(id)?.passwordIsThere ? withoutPassword(credentials) : credentials,
        refused: ignored[at] ?? refusals.get(id),
        kept: kept.get(id),
      };
    });
  },
  run: async (tx, { realm }, { users = [], onError: mode }, { ctx, prepared }): Promise<BatchResult> => {
    const changes = users.map(({ id = '', expectedVersion, user = {} }, at) => ({
      id,
      expectedVersion,
      input: user,
      prepared: (prepared[at] as PreparedChange).credentials,
      refused: prepared[at]?.refused,
      kept: prepared[at]?.kept,
    }));
    const ids = [...new Set(changes.map(({ id }) => id))];
    await lockRows(tx, 'User', ids);
    const before = isOn(realm, 'adminEventsDetailsEnabled')
      ? await tx.user.findMany({ where: { realmId: realm.id, id: { in: ids } }, select: full })
      : [];
    const byId = new Map(before.map((user) => [user.id, encodeFullUser(user, realm)]));
    return sorted(await updateUsers(tx, ctx, realm, changes), mode, ({ id, input }) => [
      {
        operationType: 'UPDATE',
        resourceType: 'USER',
        resourcePath: `users/${id}`,
        representation: withoutSecrets(input),
        before: byId.get(id),
      },
    ]);
  },
});

export const removeMany = write({
  ...common,
  name: 'user.deleteMany',
  refuses: ['REPEATED', 'READ_ONLY', 'TOO_MANY'],
  summary: 'Deletes several users in one transaction.',
  input: UserIds,
  actsOn: (_target: Target, { users }) => users,
  prepare: async (ctx, { realm }: Target, { users = [] }, asked): Promise<ReadonlyMap<string, Refusal>> => {
    checkedSize(users);
    return removeFromDirectories(ctx, realm, users, asked);
  },
  run: async (tx, { realm }, { users = [], onError: mode }, { prepared: refusals }): Promise<BatchResult> => {
    await lockRows(tx, 'User', users);
    const where = { realmId: realm.id, id: { in: users }, AND: [shownUsers(realm)] };
    const present = await tx.user.findMany({ where, select: full });
    const byId = new Map(present.map((user) => [user.id, encodeFullUser(user, realm)]));
    const twice = repeated(users, 'user');
    const outcomes = users.map((id, at): Outcome => {
      if (!byId.has(id)) return notFound('User not found');
      return refusals.get(id) ?? twice[at] ?? { id, input: {} };
    });
    const result = sorted(outcomes, mode, ({ id }) => [
      { operationType: 'DELETE', resourceType: 'USER', resourcePath: `users/${id}`, before: byId.get(id) },
    ]);
    const gone = result.done.map(({ id }) => id);
    if (gone.length > 0) await tx.later.user.deleteMany({ where: { id: { in: gone } } });
    return result;
  },
});
