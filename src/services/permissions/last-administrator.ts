import type { Db } from '../../database/db.js';
import type { Context } from '../core/context.js';
import { conflict } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { masterName } from '../realms/defaults/master.js';
import { switchedOff } from '../user-storage/storage-id.js';
import { originsOfAdministrators, queueForAdministrators, settingsOf } from './store.js';

/**
 * Refuses a write after which no user who can log in has the role `admin` of the master realm in effect, directly or through
 * groups and composite roles. Those who take rights from two administrators at the same time queue, so that not both are the
 * last but one.
 */
export async function requireAdministrator({ db }: Context, { realm }: Target): Promise<void> {
  if (realm.name !== masterName) return;
  await queueForAdministrators(db, realm.id);
  if (await hasAdministrator(db, realm.id)) return;
  throw conflict('No enabled user would be left who administers the master realm', undefined, 'LAST_ADMIN');
}

/** Users of a user storage that is disabled cannot log in; it may have been disabled by this write. */
async function hasAdministrator(db: Db, masterId: string): Promise<boolean> {
  const origins = await originsOfAdministrators(db, masterId);
  const storages = origins.flatMap(({ storage }) => storage ?? []);
  if (storages.length < origins.length) return true;
  if (storages.length === 0) return false;
  const components = await settingsOf(db, storages);
  return switchedOff({ components }).length < storages.length;
}
