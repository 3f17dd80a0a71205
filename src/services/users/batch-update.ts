import type { Db } from '../../database/db.js';
import { lockRows } from '../../database/locks.js';
import { type BatchMode, type BatchResult, checkedSize, onError, repeated, sorted } from '../core/batch.js';
import { attempt } from '../core/batch-of.js';
import type { Context } from '../core/context.js';
import { type Asked, write } from '../core/operation.js';
import { MergePatch } from '../core/patch.js';
import type { RealmRecord } from '../core/realm.js';
import { notFound, Refusal } from '../core/refusal.js';
import { type Input, int, list, representation, text } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { shownUsers } from '../user-storage/storage-id.js';
import { type KeptHere, writeProfiles } from '../user-storage/write/write-profile.js';
import { common, shownById } from './batch.js';
import { grantsOfLinks } from './entitlement.js';
import type { UserTarget } from './locate.js';
import { profileRefusals, replacedPasswords, withoutSecrets } from './names.js';
import { patchUser } from './operations.js';
import {
  isWeak,
  type PreparedCredentials,
  passwordsOf,
  prepareAll,
  prepareCredentials,
  preparedAt,
  typedPassword,
  withoutPassword,
} from './passwords.js';
import type { UserInput } from './representation.js';
import { single } from './store.js';
import { updateUsers } from './update.js';
import { encodeFullUser } from './views.js';

const UserPatch = representation('UserPatch', { id: text, expectedVersion: int, user: MergePatch });
const UserPatches = representation('UserUpdateBatch', { users: list(UserPatch), onError });

/** A change of one of many users, as it was sent. */
export type SentChange = Input<typeof UserPatch>;

/** What was prepared of the change of a user: its credentials, and what its user storage said. */
export interface PreparedChange {
  credentials?: PreparedCredentials;
  refused?: Refusal | undefined;
  kept?: KeptHere | undefined;
  /** the version that the user storage was told a change of */
  version?: number;
}

/** By the ids of the users. Those without an entry need nothing. */
export type PreparedChanges = ReadonlyMap<string, PreparedChange>;

async function usersById(db: Db, realm: RealmRecord, ids: readonly string[]): Promise<Map<string, UserTarget>> {
  const where = { realmId: realm.id, id: { in: [...ids] }, AND: [shownUsers(realm)] };
  const users = ids.length === 0 ? [] : await db.user.findMany({ where, select: single });
  return new Map(users.map((user) => [user.id, { realm, user, path: `users/${user.id}` }]));
}

/** Hashes the passwords of changes, and writes them to the directories of the users. Changes that are refused as they are come later. */
export async function prepareChanges(
  ctx: Context,
  realm: RealmRecord,
  sent: readonly SentChange[],
  asked: Asked | undefined,
): Promise<PreparedChanges> {
  const isDirectory = realm.components.length > 0;
  // a user who is named again is written as named first, with nothing of what is refused
  const twice = repeated(
    sent.map(({ id = '' }) => id),
    'user',
  );
  const needed = [...sent.entries()].filter(([at, { user }]) => !twice[at] && (isDirectory || user?.credentials));
  const ids = [...new Set(needed.flatMap(([, { id }]) => id ?? []))];
  const targets = await usersById(ctx.db, realm, ids);
  const changes = needed.flatMap(([place, { id = '', expectedVersion, user = {} }]) => {
    const target = targets.get(id);
    const input = target ? attempt(() => patchUser.inputOf(target, user)) : undefined;
    return target && input && !(input instanceof Refusal) ? [{ place, id, target, input, expectedVersion }] : [];
  });
  const withPassword = changes.flatMap(({ id, input }) => (input.credentials?.length ? id : []));
  const histories = await passwordsOf(ctx, realm, withPassword);
  const credentials = await prepareAll(changes, ({ place, id, target: { user }, input }) =>
    preparedAt(['users', String(place)], () =>
      prepareCredentials(realm, input.credentials, () => ({ ...user, history: histories.get(id) ?? [] })),
    ),
  );
  const profiles = changes.map(({ id, input, expectedVersion }, at) => {
    const own = credentials[at] as PreparedCredentials;
    const { temporary } = own;
    return { id, input, expectedVersion, password: typedPassword(input.credentials), temporary, isWeak: isWeak(own) };
  });
  const { refusals, kept } = await writeProfiles(ctx, realm, profiles, asked);
  return new Map(
    changes.map(({ id, target }, at): [string, PreparedChange] => {
      const own = credentials[at] as PreparedCredentials;
      const here = kept.get(id);
      return [
        id,
        {
          credentials: here?.passwordIsThere ? withoutPassword(own) : own,
          refused: refusals.get(id),
          kept: here,
          ...(here && { version: target.user.version }),
        },
      ];
    }),
  );
}

/** Where users are changed. */
interface At {
  tx: Db;
  ctx: Context;
  realm: RealmRecord;
}

/** Changes users by patches that are merged with what is there behind the locks. */
export async function changeUsers(
  { tx, ctx, realm }: At,
  sent: readonly SentChange[],
  mode: BatchMode,
  prepared: PreparedChanges,
): Promise<BatchResult> {
  const ids = [...new Set(sent.flatMap(({ id }) => id ?? []))];
  await lockRows(tx, 'User', ids);
  const targets = await usersById(tx, realm, ids);
  const changes = sent.map(({ id = '', expectedVersion, user = {} }) => {
    const target = targets.get(id);
    const merged = target ? attempt(() => patchUser.inputOf(target, user)) : notFound('User not found');
    const { credentials = { temporary: false, given: [] }, refused, kept, version } = prepared.get(id) ?? {};
    const isRefused = merged instanceof Refusal;
    return {
      id,
      expectedVersion,
      // what was written to a directory was made of this version
      preparedVersion: version,
      input: isRefused ? ({} as UserInput) : merged,
      prepared: credentials,
      refused: isRefused ? merged : refused,
      kept,
    };
  });
  return sorted(await updateUsers(tx, ctx, realm, changes), mode, ({ id, input }) => [
    {
      operationType: 'UPDATE',
      resourceType: 'USER',
      resourcePath: `users/${id}`,
      representation: withoutSecrets(input),
      replaces: replacedPasswords(input),
      before: encodeFullUser((targets.get(id) as UserTarget).user, realm),
    },
  ]);
}

/** What users may get by the user storages that patches bind them to. */
export const grantsOfPatches = (target: Target, patches: readonly SentChange['user'][], ctx: Context) =>
  grantsOfLinks(
    target,
    patches.flatMap((patch) =>
      typeof patch?.federationLink === 'string' ? { federationLink: patch.federationLink } : [],
    ),
    ctx,
  );

export const updateMany = write({
  ...common,
  name: 'user.updateMany',
  items: 'users',
  refuses: [...profileRefusals, 'REPEATED'],
  comparesVersions: true,
  takesRights: (_target, { users = [] }) => users.some(({ user }) => user?.enabled === false),
  summary: 'Changes the given fields of several users in one transaction.',
  input: UserPatches,
  actsOn: (_target: Target, { users = [] }) => users.flatMap(({ id }) => id ?? []),
  grants: (target: Target, { users = [] }, ctx) =>
    grantsOfPatches(
      target,
      users.map(({ user }) => user),
      ctx,
    ),
  check: (_permit, _target, { users }) => checkedSize(users),
  prepare: (ctx, { realm }: Target, { users = [] }, asked) => prepareChanges(ctx, realm, users, asked),
  run: (tx, { realm }, { users = [], onError: mode }, { ctx, prepared }): Promise<BatchResult> =>
    changeUsers({ tx, ctx, realm }, users, mode, prepared),
  states: (ctx, { realm }, _input, ids) => shownById(ctx.db, realm, ids),
});
