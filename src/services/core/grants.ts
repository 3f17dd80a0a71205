import type { Prisma } from '../../generated/sqlite/client.js';

/** Some rows of a kind: their IDs, or a query for them. */
export type Ids = readonly string[] | Prisma.Sql;

/**
 * Users: their IDs, a query for them, or their clients (for service accounts) or user storages. The rules handle lists
 * for many objects at once.
 */
export type Users = Ids | { of: 'client' | 'storage'; ids: readonly string[] };

/**
 * The use of a role: granted to users and groups, a composite of other roles, in the scope of clients, or named by
 * settings such as mapper settings.
 */
export type Use = 'holders' | 'composites' | 'scopes' | 'settings';

/** Roles and groups that an operation grants or revokes. */
export interface Grants {
  roles?: Ids | undefined;
  /** groups that users join or leave: the roles of these groups and of the groups above count */
  groups?: Ids | undefined;
  /** IDs of groups that include all groups below them */
  trees?: readonly string[] | undefined;
  /** the use of the roles; default: users and groups */
  use?: Use | undefined;
}

/** Objects whose name, composites, existence, or settings an operation changes. */
export interface Alters {
  roles?: Ids | undefined;
  clients?: Ids | undefined;
}

type Asked<T, I, C, A> = (target: T, input: I, ctx: C) => A | undefined | Promise<A | undefined>;

/**
 * The entitlements that an operation declares besides its permission. The pipeline checks them, so that nobody gets
 * more rights than the caller has.
 */
export interface Entitled<T, I, C> {
  /**
   * the roles that are granted or revoked: no administration roles or delegated rights beyond the rights of the caller
   */
  grants?: Asked<T, I, C, Grants>;
  /**
   * the users whose account is changed or used: nobody with administration roles or delegated rights that the caller
   * lacks
   */
  actsOn?: Asked<T, I, C, Users>;
  /** the changed objects: nothing that administration depends on, unless the caller has all rights in the realm */
  alters?: Asked<T, I, C, Alters>;
}
