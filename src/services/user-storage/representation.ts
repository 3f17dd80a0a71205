import { flag, int, representation, text } from '../core/shape.js';

/** SynchronizationResult of the contract. */
export const SynchronizationResult = representation('SynchronizationResult', {
  ignored: flag,
  added: int,
  updated: int,
  removed: int,
  failed: int,
  status: text,
});

/** What a synchronisation did. */
export interface SyncResult {
  /** nothing was done: the storage is switched off, or another synchronisation goes on */
  ignored: boolean;
  added: number;
  updated: number;
  removed: number;
  failed: number;
}

/** A result before anything is done. */
export const nothingDone = (): SyncResult => ({ ignored: false, added: 0, updated: 0, removed: 0, failed: 0 });

/** A result in words, as answers have it beside the numbers. */
export function statusOf({ ignored, added, updated, removed, failed }: SyncResult): string {
  if (ignored) return 'Synchronization ignored: it is in progress already, or the storage is switched off';
  const parts = [`${added} added`, `${updated} updated`];
  if (removed > 0) parts.push(`${removed} removed`);
  return `${parts.join(', ')}${failed > 0 ? `, ${failed} failed` : ''}`;
}

/** A synchronisation to be done. */
export const SyncChoice = representation('SyncChoice', { action: text });
/** Which way a mapper is to be synchronised. */
export const MapperSyncChoice = representation('MapperSyncChoice', { direction: text });

/** TestLdapConnectionRepresentation of the contract. */
export const TestLdapConnectionRepresentation = representation('TestLdapConnectionRepresentation', {
  action: text,
  connectionUrl: text,
  authType: text,
  bindDn: text,
  bindCredential: text,
  useTruststoreSpi: text,
  connectionTimeout: text,
  startTls: text,
  componentId: text,
});
