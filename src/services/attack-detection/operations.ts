import type { Context } from '../core/context.js';
import { read, write } from '../core/operation.js';
import type { RealmRecord } from '../core/realm.js';
import type { Target } from '../core/target.js';
import type { FailureStatus } from './representation.js';
import { isLocked, isProtected } from './rule.js';
import { usersWithFailures } from './store.js';

/** A user by an ID that was not looked up: the contract has no 404 here. */
export interface FailuresTarget extends Target {
  userId: string;
}

const path = 'attack-detection/brute-force/users';

interface Row {
  failures: number;
  notBefore: number;
  lastFailure: bigint;
  lastAddress: string | null;
}

/**
 * The failure status of a row at `now`, in milliseconds since 1970. Realms without the protection report no failures.
 */
export function statusOf(realm: RealmRecord, row: Row | null | undefined, now: number): FailureStatus {
  if (!row || !isProtected(realm)) {
    return { failures: 0, locked: false, lockedUntil: undefined, lastFailure: 0, lastAddress: undefined };
  }
  const locked = isLocked(row, now);
  return {
    failures: row.failures,
    locked,
    lockedUntil: locked ? row.notBefore : undefined,
    lastFailure: Number(row.lastFailure),
    lastAddress: row.lastAddress,
  };
}

export const getStatus = read({
  name: 'attackDetection.status',
  summary: 'Returns the failed logins of a user and whether the user is locked.',
  allow: 'view:users',
  run: async (ctx: Context, { realm, userId }: FailuresTarget) =>
    statusOf(realm, await ctx.db.loginFailure.findFirst({ where: { userId, realmId: realm.id } }), ctx.services.now()),
});

export const clearFailures = write({
  name: 'attackDetection.clear',
  summary: 'Resets the failed logins of a user, which unlocks the user unless the account is disabled.',
  allow: 'manage:users',
  actsOn: ({ userId }: FailuresTarget) => [userId],
  run: async (tx, { realm, userId }: FailuresTarget): Promise<number> =>
    (await tx.loginFailure.deleteMany({ where: { userId, realmId: realm.id } })).count,
  event: (count, { userId }) =>
    count === 0
      ? undefined
      : { operationType: 'DELETE', resourceType: 'USER_LOGIN_FAILURE', resourcePath: `${path}/${userId}` },
  touches: () => [],
});

export const clearAllFailures = write({
  name: 'attackDetection.clearAll',
  summary: 'Resets the failed logins of all users of a realm.',
  allow: 'manage:users',
  actsOn: ({ realm }: Target) => usersWithFailures(realm.id),
  run: async (tx, { realm }: Target): Promise<number> =>
    (await tx.loginFailure.deleteMany({ where: { realmId: realm.id } })).count,
  event: () => ({ operationType: 'DELETE', resourceType: 'USER_LOGIN_FAILURE', resourcePath: path }),
  touches: () => [],
});
