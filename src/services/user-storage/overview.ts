import type { Context } from '../core/context.js';
import { read } from '../core/operation.js';
import { userStorage } from '../core/realm.js';
import type { Target } from '../core/target.js';
import { type Config, type EditMode, editModeOf, flagOf, numberOf, storageMapper } from './config.js';
import { type SyncState, syncStateOf } from './sync/sync-state.js';

/** How the last synchronisation of a storage ended. */
export interface LastSync {
  kind: string;
  endedAt: Date | null;
  added: number;
  updated: number;
  removed: number;
  failed: number;
  /** what it failed of as a whole */
  error: string | null;
}

/** A user storage as an administrator looks at it. */
export interface StorageOverview {
  id: string;
  name: string | null;
  providerId: string;
  enabled: boolean;
  imports: boolean;
  editMode: EditMode;
  priority: number;
  isSynchronising: boolean;
  /** the present synchronisation, or the last one */
  sync: SyncState;
  fullSyncAt: Date | null;
  changedSyncAt: Date | null;
  lastSync: LastSync | null;
  mappers: { id: string; name: string | null; providerId: string }[];
}

const pointInTime = (time: bigint | null | undefined): Date | null => (time == null ? null : new Date(Number(time)));

const select = {
  id: true,
  name: true,
  providerId: true,
  providerType: true,
  parentId: true,
  config: true,
  syncState: true,
} as const;

async function overviewOf({ db, services }: Context, realmId: string): Promise<StorageOverview[]> {
  const rows = await db.component.findMany({
    where: { realmId, providerType: { in: [userStorage, storageMapper] } },
    select,
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  const now = services.now();
  const storages = rows.filter(({ providerType }) => providerType === userStorage);
  const overviews = storages.map(({ id, name, providerId, config, syncState }): StorageOverview => {
    const settings = config as Config;
    const result = (syncState?.lastResult ?? {}) as Partial<LastSync>;
    const { added = 0, updated = 0, removed = 0, failed = 0, error = null } = result;
    const endedAt = pointInTime(syncState?.endedAt);
    const sync = syncStateOf(syncState, now);
    return {
      id,
      name,
      providerId,
      enabled: flagOf(settings, 'enabled', true),
      imports: flagOf(settings, 'importEnabled', true),
      editMode: editModeOf(settings),
      priority: numberOf(settings, 'priority', 0),
      isSynchronising: sync.status === 'RUNNING',
      sync,
      fullSyncAt: pointInTime(syncState?.fullSyncAt),
      changedSyncAt: pointInTime(syncState?.changedSyncAt),
      lastSync: syncState?.lastKind
        ? { kind: syncState.lastKind, endedAt, added, updated, removed, failed, error }
        : null,
      mappers: rows.filter(({ parentId }) => parentId === id),
    };
  });
  return overviews.sort((one, other) => one.priority - other.priority);
}

export const overview = read({
  name: 'userStorage.overview',
  summary:
    'Returns the user storages of a realm in the order in which they are searched, with their last synchronisation.',
  allow: 'view:realm',
  run: (ctx, { realm }: Target) => overviewOf(ctx, realm.id),
});
