import type { Db } from '../../database/db.js';
import { rowLock } from '../../database/locks.js';
import { Prisma } from '../../database/prisma.js';
import { attributeRows } from '../core/view.js';
import { afterFailure, type LoginFailures } from './rule.js';

/** The attribute with the reason why a user is disabled, and its value for users disabled by failed logins. */
export const disabledReason = { name: 'disabledReason', value: 'permanentLockout' } as const;

export interface FailedLogin {
  realmId: string;
  settings: Readonly<Record<string, unknown>>;
  userId: string;
  ipAddress: string | undefined;
  /** milliseconds since 1970 */
  now: number;
}

type Row = { failures: number; notBefore: number; lastFailure: number | bigint | string };

const parsed = ({ failures, notBefore, lastFailure }: Row): LoginFailures => ({
  failures: Number(failures),
  notBefore: Number(notBefore),
  lastFailure: Number(lastFailure),
});

/**
 * Counts one failed login. The row of the user is locked until the end of the transaction, so that concurrent failures
 * in several instances queue and none is lost. Disables the user permanently if the realm requires it, and then returns
 * true.
 */
export async function countFailure(tx: Db, failed: FailedLogin): Promise<boolean> {
  const { realmId, settings, userId, ipAddress = null, now } = failed;
  const [row] = await tx.query<Row>(Prisma.sql`
    INSERT INTO "LoginFailure" ("userId", "realmId", "failures", "notBefore", "lastFailure")
    SELECT "id", "realmId", 0, 0, 0 FROM "User" WHERE "id" = ${userId} AND "realmId" = ${realmId}
    ON CONFLICT ("userId") DO UPDATE SET "realmId" = excluded."realmId"
    RETURNING "failures", "notBefore", "lastFailure"`);
  // the user was deleted in the meantime
  if (!row) return false;
  const { disables, failures, notBefore, lastFailure } = afterFailure(settings, parsed(row), now);
  await tx.later.loginFailure.updateMany({
    where: { userId },
    data: { failures, notBefore, lastFailure: BigInt(lastFailure), lastAddress: ipAddress },
  });
  if (!disables) return false;
  const { count } = await tx.user.updateMany({
    where: { id: userId, enabled: true },
    data: { enabled: false, version: { increment: 1 } },
  });
  if (count === 0) return false;
  const { name, value } = disabledReason;
  await tx.later.userAttribute.deleteMany({ where: { userId, name } });
  await tx.userAttribute.createMany({ data: attributeRows('userId', userId, { [name]: [value] }) });
  return true;
}

/** The failures of a user, locked until the end of the transaction; undefined if there were none. */
export async function holdFailures(tx: Db, userId: string): Promise<LoginFailures | undefined> {
  const [row] = await tx.query<Row>(
    Prisma.sql`SELECT "failures", "notBefore", "lastFailure" FROM "LoginFailure" WHERE "userId" = ${userId} ${rowLock(tx, 'FOR UPDATE')}`,
  );
  return row && parsed(row);
}

/** Forgets failures, but not that there have been some. */
export const resetFailures = (tx: Db, userIds: readonly string[]): Promise<unknown> =>
  tx.later.loginFailure.updateMany({
    where: { userId: { in: [...userIds] } },
    data: { failures: 0, notBefore: 0, lastFailure: 0n, lastAddress: null },
  });

/** Forgets all that failed logins have done to users who are enabled again. */
export async function releaseUsers(tx: Db, userIds: readonly string[]): Promise<void> {
  await resetFailures(tx, userIds);
  await tx.later.userAttribute.deleteMany({ where: { userId: { in: [...userIds] }, ...disabledReason } });
}

/** A query for the IDs of the realm's users with failed logins. */
export const usersWithFailures = (realmId: string): Prisma.Sql =>
  Prisma.sql`SELECT "userId" FROM "LoginFailure" WHERE "realmId" = ${realmId}`;
