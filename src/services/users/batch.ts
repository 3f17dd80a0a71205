import type { Db } from '../../database/db.js';
import { lockRows } from '../../database/locks.js';
import { type BatchMode, type BatchResult, checkedSize, onError, repeated, sorted } from '../core/batch.js';
import { write } from '../core/operation.js';
import type { RealmRecord } from '../core/realm.js';
import { notFound, type Refusal } from '../core/refusal.js';
import { list, representation, texts } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { forgetInPolicies } from '../permissions/store.js';
import { shownUsers } from '../user-storage/storage-id.js';
import { removeFromDirectories } from '../user-storage/write/remove-entries.js';
import { createUsers, type NewUser, type Outcome, prepareUser } from './create.js';
import { checkMemberships, grantsOfNewUsers } from './entitlement.js';
import { profileRefusals, withoutSecrets } from './names.js';
import { prepareAll, preparedAt } from './passwords.js';
import { registerUsers, releaseUsers } from './register.js';
import { UserRepresentation } from './representation.js';
import { full } from './store.js';
import { encodeFullUser } from './views.js';

const NewUsers = representation('UserCreateBatch', { users: list(UserRepresentation), onError });
const UserIds = representation('UserDeleteBatch', { users: texts, onError });

/** What the writes of many users have in common. */
export const common = {
  allow: 'manage:users',
  conflict: () => 'A user with one of these usernames or email addresses was created in the meantime; retry',
  event: ({ done }: BatchResult) => done.flatMap(({ audits }) => audits),
  touches: ({ done }: BatchResult, { realm }: Target) => [`users:${realm.id}`, ...done.map(({ id }) => `user:${id}`)],
} as const;

export const createMany = write({
  ...common,
  states: (ctx, { realm }: Target, _input, ids) => shownById(ctx.db, realm, ids),
  name: 'user.createMany',
  items: 'users',
  refuses: profileRefusals,
  summary: 'Creates several users in one transaction.',
  input: NewUsers,
  grants: (target: Target, { users = [] }, ctx) => grantsOfNewUsers(target, users, ctx),
  check: (permit, _target: Target, { users = [] }) => checkMemberships(permit, users),
  prepare: async (ctx, { realm }: Target, { users = [] }, asked): Promise<NewUser[]> => {
    checkedSize(users);
    const prepared = await prepareAll(users, (input, at) =>
      preparedAt(['users', String(at)], () => prepareUser(realm, input)),
    );
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

/** Deletes users whose directories were asked, with the policies about nobody else. `refusals` has those that stay. */
export async function removeUsers(
  tx: Db,
  realm: RealmRecord,
  users: readonly string[],
  mode: BatchMode,
  refusals: ReadonlyMap<string, Refusal>,
): Promise<BatchResult> {
  const ids = [...new Set(users)];
  await lockRows(tx, 'User', ids);
  const byId = await shownById(tx, realm, ids);
  const twice = repeated(users, 'user');
  const outcomes = users.map((id, at): Outcome => {
    if (!byId.has(id)) return notFound('User not found');
    return refusals.get(id) ?? twice[at] ?? { id, input: {} };
  });
  const result = sorted(outcomes, mode, ({ id }) => [
    { operationType: 'DELETE', resourceType: 'USER', resourcePath: `users/${id}`, before: byId.get(id) },
  ]);
  const gone = result.done.map(({ id }) => id);
  if (gone.length === 0) return result;
  await forgetInPolicies(tx, realm, 'user', gone);
  await tx.later.user.deleteMany({ where: { id: { in: gone } } });
  return result;
}

/** Users as their audit records show them, by their ids. */
export async function shownById(db: Db, realm: RealmRecord, ids: string[]): Promise<ReadonlyMap<string, object>> {
  const where = { realmId: realm.id, id: { in: ids }, AND: [shownUsers(realm)] };
  const users = await db.user.findMany({ where, select: full });
  return new Map(users.map((user) => [user.id, encodeFullUser(user, realm)]));
}

export const removeMany = write({
  ...common,
  name: 'user.deleteMany',
  refuses: ['REPEATED', 'READ_ONLY'],
  takesRights: true,
  summary: 'Deletes several users in one transaction.',
  input: UserIds,
  actsOn: (_target: Target, { users }) => users,
  prepare: async (ctx, { realm }: Target, { users = [] }, asked): Promise<ReadonlyMap<string, Refusal>> => {
    checkedSize(users);
    return removeFromDirectories(ctx, realm, users, asked);
  },
  run: (tx, { realm }, { users = [], onError: mode }, { prepared: refusals }) =>
    removeUsers(tx, realm, users, mode, refusals),
});
