import type { Db } from '../../database/db.js';
import { rememberWith } from '../core/scoped-cache.js';
import { rolesInScope, rolesSeenBy } from './store.js';
import type { TokenClient, TokenRole } from './types.js';

/** What a client has to do with roles, for any user. */
export interface ClientRoles {
  /** ids of the roles in the scope of the client and of each of its client scopes, by the id of the owner */
  scoped: ReadonlyMap<string, ReadonlySet<string>>;
  /** nothing for a client with full scope, which may see all roles of its users */
  seen: SeenRoles | undefined;
}

/** The roles that a client without full scope may see at all: those in its scopes, and `offline_access`. */
export interface SeenRoles {
  /** in the order of their names */
  roles: readonly TokenRole[];
  /** ids of those that somebody holds who was given the role with this id: itself, or parts of a composite role */
  givenBy: ReadonlyMap<string, ReadonlySet<string>>;
  /** whether any group has a role that gives one of them */
  byGroups: boolean;
}

type Subject = Pick<TokenClient, 'id' | 'fullScopeAllowed'>;

const remembered = rememberWith<Subject, ClientRoles>();

/**
 * The roles that a client may see, expanded through composite roles: one statement, once for each record of the client. What
 * each request needs besides is then a question about the user alone.
 */
export const clientRoles = (db: Db, client: Subject, realmId: string): Promise<ClientRoles> =>
  remembered(client, () => (client.fullScopeAllowed ? scopedRoles(db, client.id) : seenRoles(db, client.id, realmId)));

async function scopedRoles(db: Db, clientId: string): Promise<ClientRoles> {
  const pairs = await rolesInScope(db, clientId);
  return { scoped: byOwner(pairs), seen: undefined };
}

function byOwner(pairs: readonly { ownerId: string | null; id: string }[]): Map<string, Set<string>> {
  const scoped = new Map<string, Set<string>>();
  for (const { ownerId, id } of pairs) {
    if (ownerId !== null) scoped.set(ownerId, (scoped.get(ownerId) ?? new Set()).add(id));
  }
  return scoped;
}

/** Walks up from the roles that may be seen, as these are few, to those that they are a part of. */
async function seenRoles(db: Db, clientId: string, realmId: string): Promise<ClientRoles> {
  const rows = await rolesSeenBy(db, clientId, realmId);
  const roles = new Map<string, TokenRole>();
  const givenBy = new Map<string, Set<string>>();
  for (const { givenId, id, name, clientName } of rows) {
    roles.set(id, { id, name, clientId: clientName ?? undefined });
    givenBy.set(givenId, (givenBy.get(givenId) ?? new Set()).add(id));
  }
  const byGroups = rows.some(({ byGroup }) => byGroup);
  return { scoped: byOwner(rows), seen: { roles: [...roles.values()], givenBy, byGroups } };
}
