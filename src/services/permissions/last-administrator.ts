import type { Db } from '../../database/db.js';
import type { Context } from '../core/context.js';
import { conflict } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { masterName } from '../realms/defaults/master.js';
import { switchedOff } from '../user-storage/storage-id.js';
import { originsOfAdministrators, queueForAdministrators, settingsOf } from './store.js';

/**
 * Refuses a write after which no user who can log in has the role `admin` of the master realm, directly or through
 * groups and composite roles. Concurrent writes that revoke rights of administrators queue, so that two of them cannot
 * remove the last two administrators.
 */
export async function requireAdministrator({ db }: Context, { realm }: Target): Promise<void> {
  if (realm.name !== masterName) return;
  await queueForAdministrators(db, realm.id);
  if (!(await hasAdministrator(db, realm.id))) throw nobodyLeft();
}

/**
 * Refuses a write that deletes the last administrators from a directory, before the deletion, which cannot be rolled
 * back. The write itself checks again, because others may revoke rights in the meantime.
 */
export async function requireOtherAdministrator(
  { db }: Context,
  { realm }: Target,
  users: readonly string[],
): Promise<void> {
  if (realm.name === masterName && !(await hasAdministrator(db, realm.id, users))) throw nobodyLeft();
}

const nobodyLeft = () =>
  conflict('No enabled user would be left who administers the master realm', undefined, 'LAST_ADMIN');

/** Users of a user storage that is disabled cannot log in; it may have been disabled by this write. */
async function hasAdministrator(db: Db, masterId: string, without: readonly string[] = []): Promise<boolean> {
  const origins = await originsOfAdministrators(db, masterId, without);
  const storages = origins.flatMap(({ storage }) => storage ?? []);
  if (storages.length < origins.length) return true;
  if (storages.length === 0) return false;
  const components = await settingsOf(db, storages);
  return switchedOff({ components }).length < storages.length;
}
