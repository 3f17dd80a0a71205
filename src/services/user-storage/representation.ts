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

/** The result of a synchronisation. */
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

/** The direction of a mapper's synchronisation: into the realm, or into the directory. */
export type MapperWork = 'groups in' | 'roles in' | 'groups out' | 'roles out';

const sentences: Readonly<Record<MapperWork, (result: SyncResult) => string>> = {
  'groups in': ({ added, updated, removed }) =>
    `${added} imported groups, ${updated} updated groups, ${removed} removed groups`,
  'roles in': ({ added, updated }) => `${added} imported roles, ${updated} roles already exists in Keycloak`,
  'groups out': ({ added, updated, removed }) =>
    `${added} groups imported to LDAP, ${updated} groups updated to LDAP, ${removed} groups removed from LDAP`,
  'roles out': ({ added, updated }) => `${added} roles imported to LDAP, ${updated} roles already existed in LDAP`,
};

/** The result of a mapper as text, besides the numbers. */
export const statusOfMapper = (work: MapperWork | undefined, result: SyncResult): string =>
  work === undefined ? statusOf(result) : sentences[work](result);

/** A result as text, besides the numbers. */
export function statusOf({ ignored, added, updated, removed, failed }: SyncResult): string {
  if (ignored) return "Synchronization ignored as it's already in progress";
  const parts = [`${added} imported users`, `${updated} updated users`];
  if (removed > 0) parts.push(`${removed} removed users`);
  return `${parts.join(', ')}${failed > 0 ? `, ${failed} users failed sync! See server log for more details` : ''}`;
}

/** A synchronisation to be done. */
export const SyncChoice = representation('SyncChoice', { action: text });
/** The direction in which a mapper is synchronised. */
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
