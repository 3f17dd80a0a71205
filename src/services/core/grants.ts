import type { Prisma } from '../../generated/sqlite/client.js';

/** Some rows of a kind: their ids, or a query for them. */
export type Ids = readonly string[] | Prisma.Sql;

/**
 * Users: their ids, a query for them, or those of whom something else says which they are: the clients that act as them, or the
 * storages that they come from. Lists can be asked about for many objects at once.
 */
export type Users = Ids | { of: 'client' | 'storage'; ids: readonly string[] };

/** What a role is handed to: users and groups, other roles, the scope of clients, or by settings such as those of mappers. */
export type Use = 'holders' | 'composites' | 'scopes' | 'settings';

/** What somebody gets or loses by an operation. */
export interface Grants {
  roles?: Ids | undefined;
  /** groups that somebody joins or leaves: what counts are their roles and those of the groups above */
  groups?: Ids | undefined;
  /** ids of groups that are meant with all groups below them */
  trees?: readonly string[] | undefined;
  /** what the roles are handed to; default: users and groups */
  use?: Use | undefined;
}

/** What an operation changes in its nature: name, composites, existence, settings. */
export interface Alters {
  roles?: Ids | undefined;
  clients?: Ids | undefined;
}

type Asked<T, I, C, A> = (target: T, input: I, ctx: C) => A | undefined | Promise<A | undefined>;

/** What an operation declares besides its permission. The pipeline asks for it, so that nobody gets more than they have. */
export interface Entitled<T, I, C> {
  /** the roles that somebody gets or loses: none that gives administration roles or delegated rights beyond those of the caller */
  grants?: Asked<T, I, C, Grants>;
  /** the users whose account is changed or used: none with administration roles or delegated rights that the caller does not have */
  actsOn?: Asked<T, I, C, Users>;
  /** what is changed itself: nothing that administration hangs on, unless by those who may do everything in the realm */
  alters?: Asked<T, I, C, Alters>;
}
