import type { Services } from '../../core/context.js';
import { userStorage } from '../../core/realm.js';
import { LdapFault } from '../../ldap/fault.js';
import { type Config, flagOf, numberOf } from '../config.js';
import { storagesOf } from '../storage.js';
import type { SyncKind } from './progress.js';
import { syncStorage } from './sync.js';

interface Due {
  id: string;
  realmId: string;
  kind: SyncKind;
  /** end of the last synchronisation: a process that finds another value is too late */
  endedAt: bigint | null;
}

/** The storages that are due. Periods are in seconds; after a failure the next attempt waits for a period as well. */
async function dueStorages({ database, now }: Services): Promise<Due[]> {
  const rows = await database.upkeep.read.component.findMany({
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
    if (!flagOf(settings, 'enabled', true) || !flagOf(settings, 'importEnabled', true)) return [];
    const due = { id, realmId, endedAt: syncState?.endedAt ?? null };
    if (isDue('fullSyncPeriod', syncState?.fullSyncAt, 'FULL')) return { ...due, kind: 'FULL' };
    return isDue('changedSyncPeriod', syncState?.changedSyncAt, 'CHANGED') ? { ...due, kind: 'CHANGED' } : [];
  });
}

/** Synchronisations by their periods that one instance does at a time. */
const mostTogether = 4;

async function synchronise(services: Services, { id, realmId, kind, endedAt }: Due): Promise<void> {
  const { log } = services;
  const [storage] = await storagesOf(services, realmId, id);
  if (!storage) return;
  try {
    const result = await syncStorage(services, storage, kind, endedAt);
    if (!result.ignored) log.info({ storage: storage.name, kind, ...result }, 'users synchronised');
  } catch (error) {
    const reason = error instanceof LdapFault ? { reason: error.message } : { err: error };
    log.warn({ storage: storage.name, kind, ...reason }, 'users could not be synchronised');
  }
}

/**
 * Synchronises the storages that are due, a few at a time, so that a directory that does not answer does not hold up
 * others. Storages in `running` are left out, and storages are in it while they are synchronised.
 */
export async function synchroniseDue(services: Services, running: Set<string> = new Set()): Promise<void> {
  const due = (await dueStorages(services)).filter(({ id }) => !running.has(id));
  const work = async (): Promise<void> => {
    for (let next = due.shift(); next && !services.stopping.aborted; next = due.shift()) {
      if (running.has(next.id)) continue;
      running.add(next.id);
      try {
        await synchronise(services, next);
      } finally {
        running.delete(next.id);
      }
    }
  };
  await Promise.all(Array.from({ length: mostTogether - running.size }, work));
}

/**
 * Synchronises storages by their periods until the returned function is called, which resolves when no synchronisation
 * runs. `interval` is in milliseconds.
 */
export function startPeriodicSync(services: Services, interval = 30_000): () => Promise<void> {
  const running = new Set<string>();
  const rounds = new Set<Promise<void>>();
  const timer = setInterval(() => {
    if (running.size === mostTogether) return;
    const round = synchroniseDue(services, running)
      .catch((error: unknown) => services.log.warn({ err: error }, 'the periodic synchronisation of users failed'))
      .finally(() => rounds.delete(round));
    rounds.add(round);
  }, interval).unref();
  return async () => {
    clearInterval(timer);
    // a directory that does not answer must not hold up the end of the process
    const patience = new Promise<void>((resolve) => {
      setTimeout(resolve, services.config.shutdownTimeout * 1000).unref();
    });
    await Promise.race([Promise.all(rounds), patience]);
  };
}
