import type { SyncResult } from '../representation.js';

/** The users to compare: all, or only changed ones since the last synchronisation. */
export type SyncKind = 'FULL' | 'CHANGED';

/** How far a synchronisation is. */
export interface SyncProgress {
  kind: SyncKind;
  /** milliseconds since 1970 */
  startedAt: number;
  /** processed entries of the directory */
  done: number;
  /** number of entries in the last full synchronisation, if all are processed; null if unknown */
  total: number | null;
  added: number;
  updated: number;
  removed: number;
  failed: number;
}

/** The numbers that a piece of a synchronisation adds. */
export type Step = Partial<Pick<SyncProgress, 'done' | 'added' | 'updated' | 'removed' | 'failed'>>;

/** The progress after one more piece. */
export const after = (progress: SyncProgress, step: Step): SyncProgress => ({
  ...progress,
  done: progress.done + (step.done ?? 0),
  added: progress.added + (step.added ?? 0),
  updated: progress.updated + (step.updated ?? 0),
  removed: progress.removed + (step.removed ?? 0),
  failed: progress.failed + (step.failed ?? 0),
});

/** A time in milliseconds as whole seconds, for the last synchronisation in the settings of a storage. */
export const secondOf = (time: number): number => Math.floor(time / 1000);

/** The numbers that answers and records have. */
export const resultOf = ({ added, updated, removed, failed }: SyncProgress): SyncResult => ({
  ignored: false,
  added,
  updated,
  removed,
  failed,
});

/** The key that a write of a storage's progress touches. */
export const touchesSync = (componentId: string): string => `user-storage:${componentId}`;
