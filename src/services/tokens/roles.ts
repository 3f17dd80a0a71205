import type { Db } from '../../database/db.js';
import { clientRoles, type SeenRoles } from './client-roles.js';
import { givenAmong, heldRoles } from './store.js';
import type { EffectiveRoles, TokenClient, TokenRole } from './types.js';

/**
 * The effective roles of a user, through groups, their parents and composite roles, with what the client may see of them:
 * one statement, whatever the number of roles, besides what is known of the client. For a client that may not see all of
 * them only those that it may, and `offline_access`: an administrator of a thousand realms has many thousands, and none of
 * them is in the tokens of the usual tools.
 */
export async function effectiveRoles(
  db: Db,
  userId: string,
  realmId: string,
  client: Pick<TokenClient, 'id' | 'fullScopeAllowed'>,
): Promise<EffectiveRoles> {
  const { scoped, seen } = await clientRoles(db, client, realmId);
  const held = await (seen ? heldAmong(db, userId, seen) : heldRoles(db, userId));
  return {
    held,
    within(asking, scopes) {
      if (asking.fullScopeAllowed) return held;
      const sources = [asking.id, ...scopes.map((scope) => scope.id)].map((owner) => scoped.get(owner));
      return held.filter(({ id }) => sources.some((source) => source?.has(id)));
    },
    permits(scope) {
      const roles = scoped.get(scope.id);
      return scope._count.scopeMappings === 0 || held.some(({ id }) => roles?.has(id));
    },
  };
}

/** Those of some roles that a user has in effect: what the user was given is looked for among what gives them. */
async function heldAmong(db: Db, userId: string, { roles, givenBy, byGroups }: SeenRoles): Promise<TokenRole[]> {
  if (givenBy.size === 0) return [];
  const given = await givenAmong(db, userId, [...givenBy.keys()], byGroups);
  const held = new Set(given.flatMap((id) => [...(givenBy.get(id) ?? [])]));
  return roles.filter(({ id }) => held.has(id));
}
