import { setImmediate } from 'node:timers/promises';
import type { Services } from '../../core/context.js';
import { newsUntil } from '../../core/news.js';
import { takePlace } from '../../events/tail.js';

/** What an apply is at. `WAITING`: this process knows of no apply with the id. */
export const applyStatuses = ['WAITING', 'PLANNING', 'WRITING', 'DONE', 'FAILED'] as const;

/** How an apply goes, or how it has ended. */
export interface ApplyProgress {
  status: (typeof applyStatuses)[number];
  /** rows that are written so far, and all of them */
  done: number;
  total: number;
}

const waiting: ApplyProgress = { status: 'WAITING', done: 0, total: 0 };
const hasEnded = ({ status }: ApplyProgress): boolean => status === 'DONE' || status === 'FAILED';

/** Applies that a process remembers, so that one that has ended can be asked about. */
const remembered = 1000;

interface Board {
  states: Map<string, ApplyProgress>;
  listeners: Set<() => void>;
}

// A transaction that is open can tell others nothing by the database, so that each process knows its own applies.
const boards = new WeakMap<object, Board>();

function boardOf({ database }: Pick<Services, 'database'>): Board {
  const board = boards.get(database) ?? { states: new Map(), listeners: new Set() };
  boards.set(database, board);
  return board;
}

/** Which apply is meant, by the id that its caller has given. */
interface Named {
  realmId: string;
  progressId: string;
}

/** The key by which other processes hear that an apply is committed. */
export const touchesApply = ({ realmId, progressId }: Named): string => `realm-apply:${realmId}:${progressId}`;

/** Notes how an apply goes, and lets those who listen hear it before the apply goes on. */
async function tell(services: Pick<Services, 'database'>, named: Named, state: Partial<ApplyProgress>): Promise<void> {
  const { states, listeners } = boardOf(services);
  const key = touchesApply(named);
  const before = states.get(key) ?? waiting;
  // the newest one is the last one
  states.delete(key);
  states.set(key, { ...before, ...state });
  const [oldest] = states.keys();
  if (states.size > remembered && oldest !== undefined) states.delete(oldest);
  for (const wake of listeners) wake();
  await setImmediate();
}

/** What an apply says of how it goes. */
export interface Report {
  planning(): Promise<void>;
  writing(done: number, total: number): Promise<void>;
  /** Everything is written, and not committed yet. */
  written(): void;
  /** The apply has ended, whether it was committed or not. */
  ended(): Promise<void>;
}

interface Reported {
  realmId: string;
  progressId: string | undefined;
  /** whether it is rolled back in any case */
  dryRun: boolean;
  /** whether others end its transaction */
  isShared: boolean;
}

/** What reports on an apply of this process. Nothing is told of one without an id. */
export function reportOf(
  services: Pick<Services, 'database'>,
  { realmId, progressId, dryRun, isShared }: Reported,
): Report {
  let [hasBegun, isWritten] = [false, false];
  const note = async (state: Partial<ApplyProgress>): Promise<void> => {
    hasBegun = true;
    if (progressId !== undefined) await tell(services, { realmId, progressId }, state);
  };
  return {
    planning() {
      isWritten = false;
      return note({ status: 'PLANNING', done: 0, total: 0 });
    },
    writing: (done, total) => note({ status: 'WRITING', done, total }),
    written() {
      isWritten = true;
    },
    async ended() {
      // a repeated answer has not begun, and a commit is told of by `tellCommitted`
      if (!hasBegun || (isWritten && isShared && !dryRun)) return;
      const named = { realmId, progressId: progressId ?? '' };
      const state = boardOf(services).states.get(touchesApply(named));
      if (state && !hasEnded(state)) await note({ status: isWritten && dryRun ? 'DONE' : 'FAILED' });
    },
  };
}

/** Notes that an apply is committed. */
export async function tellCommitted(
  services: Pick<Services, 'database'>,
  realmId: string,
  progressId: string | undefined,
): Promise<void> {
  if (progressId !== undefined) await tell(services, { realmId, progressId }, { status: 'DONE' });
}

/** How often rights are looked at while nothing happens, in milliseconds. */
const interval = 500;

/**
 * The state of an apply, and each one that follows, until it has ended or the service stops. Of an apply that another process makes, only the end
 * is known. `check` throws a refusal when the caller may not go on.
 */
export async function* applyProgress(
  services: Pick<Services, 'database' | 'feed' | 'stopping'>,
  named: Named,
  check: () => Promise<void>,
): AsyncGenerator<ApplyProgress> {
  const { database, feed, stopping } = services;
  const leave = takePlace(database);
  const { states, listeners } = boardOf(services);
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
      const known = states.get(key);
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
