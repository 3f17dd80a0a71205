import type { Services } from '../core/context.js';
import { LdapFault } from '../ldap/fault.js';
import { userStorage } from '../realms/record.js';
import { type Config, flagOf, numberOf } from './config.js';
import { storagesOf } from './storage.js';
import { type SyncKind, syncStorage } from './sync.js';

const interval = 30_000;

interface Due {
  id: string;
  realmId: string;
  kind: SyncKind;
}

/** The storages whose time has come. Periods are in seconds; after a failure the next attempt waits for one as well. */
async function dueStorages({ database, now }: Services): Promise<Due[]> {
  const rows = await database.read.component.findMany({
    where: { providerType: userStorage, providerId: 'ldap', realm: { enabled: true } },
    select: { id: true, realmId: true, config: true, syncState: true },
  });
  const at = now();
  return rows.flatMap(({ id, realmId, config, syncState }): Due | [] => {
    const settings = config as Config;
    const failed = syncState?.lastResult !== null && 'error' in ((syncState?.lastResult ?? {}) as object);
    const isDue = (period: string, last: bigint | null | undefined, kind: SyncKind) => {
      const seconds = numberOf(settings, period, 0);
      const since = failed && syncState?.lastKind === kind ? syncState.endedAt : last;
      return seconds > 0 && Number(since ?? 0) + seconds * 1000 <= at;
    };
    if (!flagOf(settings, 'enabled', true)) return [];
    if (isDue('fullSyncPeriod', syncState?.fullSyncAt, 'FULL')) return { id, realmId, kind: 'FULL' };
    return isDue('changedSyncPeriod', syncState?.changedSyncAt, 'CHANGED') ? { id, realmId, kind: 'CHANGED' } : [];
  });
}

/** Synchronises the storages whose time has come, one after the other. */
export async function synchroniseDue(services: Services): Promise<void> {
  const { feed, log, stopping } = services;
  for (const { id, realmId, kind } of await dueStorages(services)) {
    if (stopping.aborted) return;
    const [storage] = await storagesOf(services, realmId, id);
    if (!storage) continue;
    try {
      const result = await syncStorage(services, storage, kind);
      if (!result.ignored) log.info({ storage: storage.name, kind, ...result }, 'users synchronised');
    } catch (error) {
      if (!(error instanceof LdapFault)) throw error;
      log.warn({ storage: storage.name, kind, reason: error.message }, 'users could not be synchronised');
    }
    feed.publish({ realmId, operation: 'userStorage.sync', eventId: '', touches: [`users:${realmId}`] });
  }
}

/** Synchronises storages by their periods until the returned function is called. */
export function startPeriodicSync(services: Services): () => void {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    synchroniseDue(services)
      .catch((error: unknown) => services.log.warn({ err: error }, 'the periodic synchronisation of users failed'))
      .finally(() => {
        running = false;
      });
  }, interval).unref();
  return () => clearInterval(timer);
}
