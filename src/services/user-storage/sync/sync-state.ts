import type { Services } from '../../core/context.js';
import { newsUntil } from '../../core/news.js';
import { notFound } from '../../core/refusal.js';
import { takePlace } from '../../events/tail.js';
import { type SyncKind, type SyncProgress, touchesSync } from './progress.js';

/** The state of a storage's current synchronisation, or of the last one. */
export interface SyncState extends Omit<SyncProgress, 'kind' | 'startedAt'> {
  /** INTERRUPTED: its process ended without notice */
  status: 'NEVER' | 'RUNNING' | 'DONE' | 'FAILED' | 'INTERRUPTED';
  kind: SyncKind | null;
  startedAt: Date | null;
  endedAt: Date | null;
  /** the error that ended it */
  error: string | null;
}

/** The columns that a state is read from. */
export interface StateRow {
  endedAt: bigint | null;
  lastKind: string | null;
  lastResult: unknown;
  progress: unknown;
  leaseOwner: string | null;
  leaseUntil: bigint | null;
}

const date = (time: bigint | number | null | undefined): Date | null => (time == null ? null : new Date(Number(time)));

function statusOf(row: StateRow | null, error: string | null, now: number): SyncState['status'] {
  if (row?.leaseOwner) return Number(row.leaseUntil ?? 0) > now ? 'RUNNING' : 'INTERRUPTED';
  if (!row?.lastKind) return 'NEVER';
  return error === null ? 'DONE' : 'FAILED';
}

/** The state from a stored row; without one there was no synchronisation. */
export function syncStateOf(row: StateRow | null, now: number): SyncState {
  const progress = (row?.progress ?? undefined) as SyncProgress | undefined;
  const result = (row?.lastResult ?? {}) as Partial<SyncProgress> & { error?: string };
  const error = row?.leaseOwner ? null : (result.error ?? null);
  const { added = 0, updated = 0, removed = 0, failed = 0 } = progress ?? result;
  const kind = progress?.kind ?? row?.lastKind;
  return {
    status: statusOf(row, error, now),
    kind: kind === 'FULL' || kind === 'CHANGED' ? kind : null,
    startedAt: date(progress?.startedAt),
    endedAt: row?.leaseOwner ? null : date(row?.endedAt),
    done: progress?.done ?? 0,
    total: progress?.total ?? null,
    added,
    updated,
    removed,
    failed,
    error,
  };
}

/** Interval of the checks of rights while nothing changes, in milliseconds. */
const interval = 500;
/** How often the state is read without a notification of a change, in milliseconds: notifications may get lost, and lease holders may die. */
const patience = 5000;

type Needed = Pick<Services, 'database' | 'feed' | 'stopping' | 'now'>;

/**
 * The state of a storage and each following state, regardless of the instance that synchronises it. `check` throws a
 * refusal if the caller may not continue. Ends when the service stops.
 */
export async function* syncStates(
  services: Needed,
  componentId: string,
  check: () => Promise<void>,
): AsyncGenerator<SyncState> {
  const { database, feed, stopping, now } = services;
  const leave = takePlace(database);
  const news = newsUntil(stopping);
  const unsubscribe = feed.subscribe(({ touches }) => {
    if (touches.includes(touchesSync(componentId))) news.wake();
  });
  try {
    let told = '';
    let readAt = 0;
    while (!stopping.aborted) {
      await check();
      if (news.take() || performance.now() - readAt > patience) {
        readAt = performance.now();
        const component = await database.read.component.findUnique({
          where: { id: componentId },
          select: { syncState: true },
        });
        if (!component) throw notFound('Could not find component');
        const state = syncStateOf(component.syncState, now());
        const text = JSON.stringify(state);
        if (text !== told) yield state;
        told = text;
      }
      await news.wait(interval);
    }
  } finally {
    unsubscribe();
    leave();
  }
}
