import type { RealmRecord } from './realm.js';

/** What every operation works on has a realm: that of the permission, of the audit record and of the caches. */
export interface Target {
  realm: RealmRecord;
}
