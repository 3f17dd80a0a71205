import type { RealmRecord } from './realm.js';

/** What every operation works on has a realm: that of the permission, of the audit record and of the caches. */
export interface Target {
  realm: RealmRecord;
}

/** Ids tell what a key was used on; names may change. */
export function targetKey(target: Target): string {
  const ids = Object.values(target).map((part) =>
    typeof part === 'object' && part !== null && 'id' in part ? String(part.id) : '',
  );
  return ids.join(' ');
}
