import type { Mapper, Storage, SyncServices } from '../storage.js';

/** Maximum entries in one line of the log. */
const mostNamed = 1000;

/** Logs the entries of a directory that could not be synchronised, if there are any. */
export function reportFailed(
  { log }: Pick<SyncServices, 'log'>,
  { id, name, realmId }: Storage,
  kind: 'user' | 'group' | 'role',
  failed: readonly { dn: string }[],
  more: { reason: string } | { mapper: Mapper['name'] },
): void {
  if (failed.length === 0) return;
  const entries = failed.slice(0, mostNamed).map(({ dn }) => dn);
  const about = { realmId, storage: name ?? id, entries, count: failed.length, ...more };
  log.warn(about, `${kind}s of a directory failed to synchronise`);
}
