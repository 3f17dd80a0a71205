import { storeChange } from '../../database/changes.js';
import type { Db } from '../../database/db.js';
import type { Services } from './context.js';
import type { ChangeNotice } from './feed.js';

/**
 * Stores the change row of a write that is none of an administrator's, in its transaction. Returns the notice, which is to
 * be published once that is committed.
 */
export async function storeNotice(
  tx: Db,
  { newId, now }: Pick<Services, 'newId' | 'now'>,
  change: Omit<ChangeNotice, 'eventId'>,
): Promise<ChangeNotice> {
  const notice = { ...change, eventId: newId() };
  await storeChange(tx, { ...notice, at: BigInt(now()) });
  return notice;
}
