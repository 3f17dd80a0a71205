import type { RealmRecord } from './realm.js';

/** The target of any operation has a realm, for the permission, the audit record, and the caches. */
export interface Target {
  realm: RealmRecord;
}

/** The IDs of the target identify the use of an idempotency key; names may change. */
export function targetKey(target: Target): string {
  const ids = Object.values(target).map((part) =>
    typeof part === 'object' && part !== null && 'id' in part ? String(part.id) : '',
  );
  return ids.join(' ');
}
