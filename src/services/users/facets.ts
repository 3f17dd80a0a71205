import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { textsOf } from '../core/json.js';

/** How many of some users have each value of what lists of users are narrowed by. */
export interface UserFacets {
  total: number;
  enabled: Map<boolean, number>;
  emailVerified: Map<boolean, number>;
  /** by alias; a user can have several */
  requiredActions: Map<string, number>;
  /** by the id of the user storage that they come from, null for users of no storage */
  storages: Map<string | null, number>;
}

const add = <K>(counts: Map<K, number>, key: K, count: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + count);
};

/** The facets of no users. */
export const noFacets = (): UserFacets => ({
  total: 0,
  enabled: new Map(),
  emailVerified: new Map(),
  requiredActions: new Map(),
  storages: new Map(),
});

/** The facets of the users that match one of these filters, by the ID of their realm, in one statement. */
export async function userFacets(db: Db, filters: readonly Prisma.UserWhereInput[]): Promise<Map<string, UserFacets>> {
  const by = ['realmId', 'enabled', 'emailVerified', 'requiredActions', 'federationLink'] as const;
  const [only, ...others] = filters;
  const where = only && others.length === 0 ? only : { OR: [...filters] };
  const found = new Map<string, UserFacets>();
  for (const { count, ...row } of await db.user.countBy({ by, where })) {
    const facets = found.get(row.realmId) ?? noFacets();
    found.set(row.realmId, facets);
    facets.total += count;
    add(facets.enabled, row.enabled, count);
    add(facets.emailVerified, row.emailVerified, count);
    add(facets.storages, row.federationLink, count);
    for (const action of textsOf(row.requiredActions)) add(facets.requiredActions, action, count);
  }
  return found;
}
