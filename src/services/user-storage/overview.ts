import { byRealm } from '../core/by-realm.js';
import { listsByKey } from '../core/lists-by-key.js';
import { read } from '../core/operation.js';
import { userStorage } from '../core/realm.js';
import type { Target } from '../core/target.js';
import { type Config, type EditMode, editModeOf, flagOf, numberOf } from './config.js';

/** The settings of a user storage that every kind of storage has. */
export interface StorageSettings {
  enabled: boolean;
  imports: boolean;
  editMode: EditMode;
  priority: number;
}

/** The settings in the configuration of a storage. */
export function storageSettings(config: unknown): StorageSettings {
  const settings = config as Config;
  return {
    enabled: flagOf(settings, 'enabled', true),
    imports: flagOf(settings, 'importEnabled', true),
    editMode: editModeOf(settings),
    priority: numberOf(settings, 'priority', 0),
  };
}

/** How the last synchronisation of a storage ended. */
export interface LastSync {
  kind: string;
  endedAt: Date | null;
  added: number;
  updated: number;
  removed: number;
  failed: number;
  /** the error that ended it */
  error: string | null;
}

/** The columns about the last synchronisation. */
interface LastSyncRow {
  endedAt: bigint | null;
  lastKind: string | null;
  lastResult: unknown;
}

/** A column with a point in time, in milliseconds since 1970. */
export const pointInTime = (time: bigint | null | undefined): Date | null =>
  time == null ? null : new Date(Number(time));

/** The last synchronisation that a storage has a record of. */
export function lastSyncOf(row: LastSyncRow | null): LastSync | null {
  if (!row?.lastKind) return null;
  const { added = 0, updated = 0, removed = 0, failed = 0, error = null } = (row.lastResult ?? {}) as Partial<LastSync>;
  return { kind: row.lastKind, endedAt: pointInTime(row.endedAt), added, updated, removed, failed, error };
}

export const overview = read({
  name: 'userStorage.overview',
  summary: 'Returns the IDs of the user storages of a realm in the order in which they are searched.',
  allow: 'view:realm',
  run: async (ctx, { realm }: Target): Promise<string[]> => {
    const storages = byRealm(ctx, 'user storages', async (realmIds) => {
      const rows = await ctx.db.component.findMany({
        where: { realmId: { in: [...realmIds] }, providerType: userStorage },
        select: { id: true, realmId: true, config: true },
        orderBy: [{ name: 'asc' }, { id: 'asc' }],
      });
      return listsByKey(rows.map((row) => [row.realmId, row]));
    });
    const rows = (await storages.load(realm.id)) ?? [];
    const placed = rows.map(({ id, config }) => ({ id, priority: storageSettings(config).priority }));
    return placed.sort((one, other) => one.priority - other.priority).map(({ id }) => id);
  },
});
