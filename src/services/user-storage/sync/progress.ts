import type { SyncResult } from '../representation.js';

/** Which users are looked at: all, or those that changed since the last time. */
export type SyncKind = 'FULL' | 'CHANGED';

/** How far a synchronisation is. */
export interface SyncProgress {
  kind: SyncKind;
  /** milliseconds since 1970 */
  startedAt: number;
  /** entries of the directory that were looked at */
  done: number;
  /** as many as there were the last time, where all are looked at; null where nobody knows */
  total: number | null;
  added: number;
  updated: number;
  removed: number;
  failed: number;
}

/** What a piece of a synchronisation adds to its numbers. */
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

/** A time in milliseconds in whole seconds, as the settings of a storage have that of its last synchronisation. */
export const secondOf = (time: number): number => Math.floor(time / 1000);

/** The numbers that answers and records have. */
export const resultOf = ({ added, updated, removed, failed }: SyncProgress): SyncResult => ({
  ignored: false,
  added,
  updated,
  removed,
  failed,
});

/** What a write of how far a storage is synchronised touches. */
export const touchesSync = (componentId: string): string => `user-storage:${componentId}`;
