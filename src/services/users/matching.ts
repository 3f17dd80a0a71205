import { z } from 'zod';
import { limit } from '../../config/limits.js';
import type { Db } from '../../database/db.js';
import { lockRows, shareRow } from '../../database/locks.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { atPlace, type BatchResult, onError } from '../core/batch.js';
import { attempt } from '../core/batch-of.js';
import type { Context } from '../core/context.js';
import { requireEntitled } from '../core/entitlement.js';
import { isWhole } from '../core/held-rights.js';
import { isObject } from '../core/json.js';
import { type Asked, write } from '../core/operation.js';
import { MergePatch } from '../core/patch.js';
import { permitFor } from '../core/permit.js';
import type { Permit } from '../core/ports.js';
import { conflict, invalid, type Refusal } from '../core/refusal.js';
import { type Input, int, representation } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { shownUsers } from '../user-storage/storage-id.js';
import { removeFromDirectories } from '../user-storage/write/remove-entries.js';
import { common, removeUsers, shownById } from './batch.js';
import {
  changeUsers,
  grantsOfPatches,
  type PreparedChange,
  type PreparedChanges,
  prepareChanges,
} from './batch-update.js';
import { patchUser } from './operations.js';

/** A filter that a surface has made of what it was sent. */
const Where = z.custom<Prisma.UserWhereInput>(isObject, 'A filter must be an object');

const MatchingUsers = representation('MatchingUsers', { where: Where, limit: int, onError });
const MatchingPatch = representation('MatchingUsersPatch', { where: Where, limit: int, user: MergePatch, onError });

type Matching = Input<typeof MatchingUsers>;

/** Most users that a filter may choose for a write. */
export const mostMatches = limit('Objects', 'Users that a filter chooses for a write', 1000, 'users');

const checkLimit = (_permit: Permit, _target: Target, { limit = 0 }: Matching): void => {
  if (limit < 1 || limit > mostMatches) throw invalid(`\`limit\` must be from 1 to ${mostMatches}`, 'limit');
};

/** What a matching user is acted on for, whether one or many are. */
const entitlement = {
  actsOn: (_target: Target, ids: readonly string[]) => ids,
};

/** The ids of the users that a filter chooses for the caller, in the order of their names. Refuses a filter that chooses more than `limit`. */
async function matchingIds(
  db: Db,
  { realm }: Target,
  permit: Permit,
  { where = {}, limit = 0 }: Matching,
  among?: readonly string[],
): Promise<string[]> {
  const chosen: Prisma.UserWhereInput = {
    realmId: realm.id,
    AND: [permit.visible('users'), shownUsers(realm), where, ...(among ? [{ id: { in: [...among] } }] : [])],
  };
  const orderBy = [{ username: 'asc' as const }];
  const found = await db.user.findMany({ where: chosen, orderBy, take: limit + 1, select: { id: true } });
  if (found.length > limit) {
    const matches = await db.user.count({ where: chosen });
    throw invalid(`${matches} users match the filter, more than ${limit}`, 'limit', { code: 'TOO_MANY' });
  }
  return found.map(({ id }) => id);
}

/** Whom the user storages of a realm are asked about ahead of the transaction: nobody where it has none. */
async function matchingInStorages(ctx: Context, target: Target, input: Matching): Promise<string[]> {
  if (target.realm.components.length === 0) return [];
  const permit = await permitFor(ctx, target.realm);
  const ids = await matchingIds(ctx.db, target, permit, input);
  await requireEntitled(ctx, entitlement, permit, target, ids);
  return ids;
}

/** The users that a filter chooses within the transaction that changes them, behind their locks. */
async function chosen(tx: Db, ctx: Context, target: Target, input: Matching): Promise<string[]> {
  // those who change names and places queue for the realm: what users may do by a name is asked about here
  const permit = await permitFor(ctx, target.realm);
  if (!isWhole(target.realm, permit.rights)) await shareRow(tx, { model: 'Realm', id: target.realm.id });
  const ids = await matchingIds(tx, target, permit, input);
  await lockRows(tx, 'User', ids);
  // others may have changed them before the locks were held
  const still = ids.length === 0 ? [] : await matchingIds(tx, target, permit, input, ids);
  await requireEntitled(ctx, entitlement, permit, target, still);
  return still;
}

/** The refusals of users whose storages were not asked, as they did not match yet. */
function unasked({ realm }: Target, ids: readonly string[], asked: readonly string[]): Map<string, Refusal> {
  const known = new Set(asked);
  const others = realm.components.length === 0 ? [] : ids.filter((id) => !known.has(id));
  return new Map(others.map((id) => [id, conflict('The user matches since a moment ago; retry')]));
}

interface Prepared {
  ids: string[];
  changes: PreparedChanges;
}

export const updateMatching = write({
  ...common,
  name: 'user.updateMatching',
  refuses: ['READ_ONLY', 'UNKNOWN_REQUIRED_ACTION', 'TOO_MANY'],
  takesRights: (_target: Target, { user }) => user?.enabled === false,
  summary: 'Changes the users that match a filter, in one transaction.',
  input: MatchingPatch,
  grants: (target: Target, { user }, ctx) => grantsOfPatches(target, [user], ctx),
  check: (permit, target, input) => {
    checkLimit(permit, target, input);
    const faults = attempt(() => patchUser.requirePatch(input.user ?? {}));
    if (faults) throw atPlace(faults, ['user']);
    if (input.user?.credentials !== undefined)
      throw invalid('Users must not have a password in common', 'user.credentials');
  },
  prepare: async (ctx, target: Target, input, asked): Promise<Prepared> => {
    const ids = await matchingInStorages(ctx, target, input);
    const sent = ids.map((id) => ({ id, user: input.user }));
    return { ids, changes: await prepareChanges(ctx, target.realm, sent, asked) };
  },
  run: async (tx, target, input, { ctx, prepared }): Promise<BatchResult> => {
    const { realm } = target;
    const ids = await chosen(tx, ctx, target, input);
    const late = [...unasked(target, ids, prepared.ids)].map(([id, refused]) => [id, { refused }] as const);
    const changes = new Map<string, PreparedChange>([...prepared.changes, ...late]);
    const sent = ids.map((id) => ({ id, user: input.user }));
    return changeUsers({ tx, ctx, realm }, sent, input.onError, changes);
  },
  states: (ctx, { realm }, _input, ids) => shownById(ctx.db, realm, ids),
});

interface PreparedRemoval {
  ids: string[];
  refusals: ReadonlyMap<string, Refusal>;
}

export const removeMatching = write({
  ...common,
  name: 'user.deleteMatching',
  refuses: ['READ_ONLY', 'TOO_MANY'],
  takesRights: true,
  summary: 'Deletes the users that match a filter, in one transaction.',
  input: MatchingUsers,
  check: checkLimit,
  prepare: async (ctx, target: Target, input, asked?: Asked): Promise<PreparedRemoval> => {
    const ids = await matchingInStorages(ctx, target, input);
    return { ids, refusals: await removeFromDirectories(ctx, target.realm, ids, asked) };
  },
  run: async (tx, target, input, { ctx, prepared }): Promise<BatchResult> => {
    const ids = await chosen(tx, ctx, target, input);
    const refusals = new Map([...prepared.refusals, ...unasked(target, ids, prepared.ids)]);
    return removeUsers(tx, target.realm, ids, input.onError, refusals);
  },
});
