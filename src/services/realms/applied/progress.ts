import { setImmediate } from 'node:timers/promises';
import type { Services } from '../../core/context.js';
import { newsUntil } from '../../core/news.js';
import { takePlace } from '../../events/tail.js';

/** The stage of an apply. `WAITING`: this process has no apply with the ID. */
export const applyStatuses = ['WAITING', 'PLANNING', 'WRITING', 'DONE', 'FAILED'] as const;

/** The progress of an apply, or its end. */
export interface ApplyProgress {
  status: (typeof applyStatuses)[number];
  /** rows that are written so far, and all of them */
  done: number;
  total: number;
}

const waiting: ApplyProgress = { status: 'WAITING', done: 0, total: 0 };
const hasEnded = ({ status }: ApplyProgress): boolean => status === 'DONE' || status === 'FAILED';

/** Maximum applies in the memory of a process, including ended ones. */
const remembered = 1000;

/** The progress of an apply and the report that stated it. Of two applies with the same ID, the later one counts. */
interface Entry {
  reportId: string;
  state: ApplyProgress;
}

interface Board {
  entries: Map<string, Entry>;
  listeners: Set<() => void>;
}

// An open transaction cannot publish anything through the database, so each process knows only its own applies.
const boards = new WeakMap<object, Board>();

function boardOf({ database }: Pick<Services, 'database'>): Board {
  const board = boards.get(database) ?? { entries: new Map(), listeners: new Set() };
  boards.set(database, board);
  return board;
}

/** An apply, named by the ID from its caller. */
interface Named {
  realmId: string;
  progressId: string;
}

/** The key by which other processes learn that an apply is committed. IDs of realms have no colon. */
export const touchesApply = ({ realmId, progressId }: Named): string => `realm-apply:${realmId}:${progressId}`;

/** Stores the progress of an apply, and lets listeners receive it before the apply goes on. */
async function tell(
  services: Pick<Services, 'database'>,
  named: Named,
  reportId: string,
  state: Partial<ApplyProgress>,
): Promise<void> {
  const { entries, listeners } = boardOf(services);
  const key = touchesApply(named);
  const before = entries.get(key)?.state ?? waiting;
  // the newest one is the last one
  entries.delete(key);
  entries.set(key, { reportId, state: { ...before, ...state } });
  const [oldest] = entries.keys();
  if (entries.size > remembered && oldest !== undefined) entries.delete(oldest);
  for (const wake of listeners) wake();
  await setImmediate();
}

/** Stores the end of an apply, unless it has already ended or a later one has its ID. */
async function tellEnd(
  services: Pick<Services, 'database'>,
  named: Named,
  reportId: string,
  status: 'DONE' | 'FAILED',
): Promise<void> {
  const entry = boardOf(services).entries.get(touchesApply(named));
  if (entry?.reportId === reportId && !hasEnded(entry.state)) await tell(services, named, reportId, { status });
}

/** The progress reports of an apply. */
export interface Report {
  /** distinguishes it from other applies with the same ID */
  id: string;
  planning(): Promise<void>;
  writing(done: number, total: number): Promise<void>;
  /** Everything is written, and not committed yet. */
  written(): void;
  /** The apply has ended, whether it was committed or not. */
  ended(): Promise<void>;
  /** The written changes were not committed. */
  failed(): Promise<void>;
}

interface Reported {
  realmId: string;
  progressId: string | undefined;
  /** whether it is rolled back in any case */
  dryRun: boolean;
  /** whether others end its transaction */
  isShared: boolean;
}

/** Returns the reports of an apply of this process. An apply without an ID stores no progress. */
export function reportOf(
  services: Pick<Services, 'database' | 'newId'>,
  { realmId, progressId, dryRun, isShared }: Reported,
): Report {
  const id = services.newId();
  let isWritten = false;
  const note = async (state: Partial<ApplyProgress>): Promise<void> => {
    if (progressId !== undefined) await tell(services, { realmId, progressId }, id, state);
  };
  const end = async (status: 'DONE' | 'FAILED'): Promise<void> => {
    if (progressId !== undefined) await tellEnd(services, { realmId, progressId }, id, status);
  };
  return {
    id,
    planning() {
      isWritten = false;
      return note({ status: 'PLANNING', done: 0, total: 0 });
    },
    writing: (done, total) => note({ status: 'WRITING', done, total }),
    written() {
      isWritten = true;
    },
    async ended() {
      // a repeated answer has reported nothing, and `reportCommitted` reports a commit
      if (!isWritten || !isShared || dryRun) await end(isWritten && dryRun ? 'DONE' : 'FAILED');
    },
    failed: () => end('FAILED'),
  };
}

/** Notes that an apply is committed. */
export async function reportCommitted(
  services: Pick<Services, 'database'>,
  realmId: string,
  { progressId, reportId }: { progressId?: string | undefined; reportId?: string | undefined },
): Promise<void> {
  if (progressId === undefined || reportId === undefined) return;
  await tellEnd(services, { realmId, progressId }, reportId, 'DONE');
}

/** Interval of the checks of rights while nothing changes, in milliseconds. */
const interval = 500;

/**
 * The state of an apply and each following state, until it has ended or the service stops. If another process runs the
 * apply, only its end is known. `check` throws a refusal if the caller may not continue.
 */
export async function* applyProgress(
  services: Pick<Services, 'database' | 'feed' | 'stopping'>,
  named: Named,
  check: () => Promise<void>,
): AsyncGenerator<ApplyProgress> {
  const { database, feed, stopping } = services;
  const leave = takePlace(database);
  const { entries, listeners } = boardOf(services);
  const key = touchesApply(named);
  const news = newsUntil(stopping);
  let isCommitted = false;
  const unsubscribe = feed.subscribe(({ touches }) => {
    if (!touches.includes(key)) return;
    isCommitted = true;
    news.wake();
  });
  listeners.add(news.wake);
  try {
    let told: ApplyProgress | undefined;
    while (!stopping.aborted) {
      await check();
      const known = entries.get(key)?.state;
      const state = known ?? (isCommitted ? { ...waiting, status: 'DONE' as const } : waiting);
      if (news.take() && state !== told) {
        told = state;
        yield state;
        if (hasEnded(state)) return;
      }
      await news.wait(interval);
    }
  } finally {
    listeners.delete(news.wake);
    unsubscribe();
    leave();
  }
}
