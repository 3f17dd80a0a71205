import type { Db } from '../../database/db.js';
import type { Context } from '../core/context.js';
import type { RealmRecord } from '../core/realm.js';
import { unauthorized } from './faults.js';

const used = () => unauthorized('No remaining count on initial access token');

/** Refuses (401) an initial access token that was deleted, is used up or has expired. */
export async function requireUsable(db: Db, ctx: Context, realm: RealmRecord, id: string): Promise<void> {
  const token = await db.clientInitialAccess.findFirst({ where: { id, realmId: realm.id } });
  if (!token) throw unauthorized('Initial Access Token not found');
  const isOver = token.expiration > 0 && (token.timestamp + token.expiration) * 1000 <= ctx.services.now();
  if (isOver) throw unauthorized('Expired initial access token');
  if (token.remainingCount <= 0) throw used();
}

/** Takes one use of an initial access token, in the transaction of the registration: of two at once the last one counts. */
export async function spend(tx: Db, ctx: Context, realm: RealmRecord, id: string): Promise<void> {
  const { count } = await tx.clientInitialAccess.updateMany({
    where: { id, realmId: realm.id, remainingCount: { gt: 0 } },
    data: { remainingCount: { increment: -1 } },
  });
  // used up or deleted in the meantime
  if (count > 0) return;
  await requireUsable(tx, ctx, realm, id);
  throw used();
}
