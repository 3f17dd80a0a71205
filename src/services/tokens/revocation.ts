import type { Db } from '../../database/db.js';
import { storableTime } from '../core/storable-time.js';

const purpose = 'revoked token';

/** Whether an access token was revoked before its time (RFC 7009). */
export async function isRevoked(db: Db, jti: unknown): Promise<boolean> {
  if (typeof jti !== 'string') return false;
  return (await db.oneTimeToken.count({ where: { id: jti, purpose } })) > 0;
}

/** Has an access token count no more. It is remembered until it would have expired, in seconds since 1970. */
export async function storeRevoked(tx: Db, realmId: string, jti: string, expiresAt: number): Promise<void> {
  await tx.insertNew('OneTimeToken', [{ id: jti, realmId, purpose, expiresAt: storableTime(expiresAt) }]);
}
