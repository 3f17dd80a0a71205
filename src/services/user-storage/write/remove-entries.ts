import type { Context } from '../../core/context.js';
import type { Asked } from '../../core/operation.js';
import type { RealmRecord } from '../../core/realm.js';
import { invalid, type Refusal } from '../../core/refusal.js';
import { requireAlone } from '../../core/unit-of-work.js';
import { withDirectory } from '../../ldap/pool.js';
import { changedAlone, entriesOf, linkedUsers, refusalOf, usersSwitchedOff } from './linked-users.js';

/**
 * Deletes users from writable directories. Users of other directories are deleted only in this service, and may return.
 */
export async function removeFromDirectories(
  ctx: Context,
  realm: RealmRecord,
  ids: readonly string[],
  asked: Pick<Asked, 'dryRun' | 'keepsAdministrator'> | undefined,
): Promise<ReadonlyMap<string, Refusal>> {
  const refusals = new Map<string, Refusal>();
  for (const id of await usersSwitchedOff(ctx, realm, ids)) refusals.set(id, invalid("User couldn't be deleted"));
  const linked = (await linkedUsers(ctx, realm, ids)).filter(({ storage }) => storage.mode === 'WRITABLE');
  if (linked.length > 0) {
    requireAlone(ctx, changedAlone, asked);
    const going = ids.filter((id) => !refusals.has(id));
    if (asked?.keepsAdministrator) await ctx.services.access.requireOtherAdministrator(ctx, { realm }, going);
  }
  for (const storage of new Set(linked.map(({ storage }) => storage))) {
    const users = linked.flatMap((item) => (item.storage === storage ? item.user : []));
    try {
      const entries = await entriesOf(storage, users);
      for (const { id, federationId } of users) {
        const entry = entries.get(federationId ?? '');
        if (!entry) continue;
        await withDirectory(storage.directory, (client) => client.del(entry.dn)).catch((error: unknown) => {
          refusals.set(id, refusalOf(storage, error));
        });
      }
    } catch (error) {
      for (const { id } of users) refusals.set(id, refusalOf(storage, error));
    }
  }
  return refusals;
}
