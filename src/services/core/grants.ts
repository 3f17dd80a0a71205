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

/**
 * What the objects of a batch are asked about, where an operation on one of them has grants, alters and accounts. Queries with
 * the columns `item`, the id of an object of the batch, and `id`, that of a role or group in question.
 */
export interface EachEntitled {
  roles?: Prisma.Sql | undefined;
  groups?: Prisma.Sql | undefined;
  use?: Use | undefined;
  /** ids of objects of the batch that are roles or clients, and changed in their nature */
  alters?: { roles?: readonly string[]; clients?: readonly string[] } | undefined;
  /** ids of objects of the batch that are clients, whose service accounts are acted on */
  accountsOf?: readonly string[] | undefined;
}

/** What an operation changes in its nature: name, composites, existence, settings. */
export interface Alters {
  roles?: Ids | undefined;
  clients?: Ids | undefined;
}
