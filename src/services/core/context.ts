import type { Logger } from 'pino';
import type { Config } from '../../config/config.js';
import type { Database, Db } from '../../database/db.js';
import type { Outages } from '../../telemetry/outages.js';
import type { Caller } from './caller.js';
import type { Delegation } from './delegation.js';
import type { ChangeFeed } from './feed.js';
import type { FetchPublic } from './fetch-public.js';
import type { Alters, Entitled, Grants, Users } from './grants.js';
import type { Keyring, PeopleRead, Permit, RealmCache, RightsCache, SessionTouches } from './ports.js';
import type { Sealer } from './seal.js';
import type { Target } from './target.js';
import type { UnitOfWork } from './unit-of-work.js';

/**
 * The rules about administrators that the pipeline asks for: roles that a caller may grant, accounts that it may act
 * on, and objects that it may change.
 */
export interface AccessRules {
  /**
   * The rights that the management permissions of a resource server give the caller, with all its roles or with the
   * roles of its token.
   */
  delegationOf(ctx: Context, serverId: string, allRoles: boolean): Promise<Delegation>;
  /** Throws `forbidden` for roles, and groups with roles, that exceed the rights of the caller. */
  requireGrantable(ctx: Context, target: Target, permit: Permit, grants: Grants): Promise<void>;
  /** Throws `forbidden` for users who may do more than the caller. */
  requireBelow(ctx: Context, target: Target, permit: Permit, users: Users): Promise<void>;
  /**
   * Whether none of the other rules throws for a write on a target. Targets that are checked together share their
   * statements.
   */
  isEntitled<T extends Target, I>(
    ctx: Context,
    operation: Entitled<T, I, Context>,
    permit: Permit,
    target: T,
    input: I,
  ): Promise<boolean>;
  /**
   * Throws `conflict` if nobody is left who can administer the master realm. Concurrent writes with this check queue.
   */
  requireAdministrator(ctx: Context, target: Target): Promise<void>;
  /** Throws `conflict` if only these users can administer the master realm. */
  requireOtherAdministrator(ctx: Context, target: Target, users: readonly string[]): Promise<void>;
  /** Throws `forbidden` for objects that administration depends on, unless the caller has all rights in the realm. */
  requireUnrelated(ctx: Context, target: Target, permit: Permit, altered: Alters): Promise<void>;
}

/** Objects that live as long as the process: the one place where parts of the server find each other. */
export interface Services {
  readonly config: Config;
  readonly database: Database;
  readonly sealer: Sealer;
  readonly log: Logger;
  /** receives the results of deliveries, by the ID of the webhook */
  readonly webhookOutages: Outages;
  /** receives the results of emails, by the name of the realm */
  readonly mailOutages: Outages;
  readonly feed: ChangeFeed;
  readonly realms: RealmCache;
  readonly rights: RightsCache;
  readonly access: AccessRules;
  readonly keyring: Keyring;
  readonly sessions: SessionTouches;
  /** when users of directories are read again */
  readonly peopleRead: PeopleRead;
  /** gets documents by addresses that callers name */
  readonly fetchPublic: FetchPublic;
  /** aborts when the service begins to stop: background work has to end */
  readonly stopping: AbortSignal;
  /** milliseconds since 1970 */
  now(): number;
  newId(): string;
}

/** One request, through REST or GraphQL. */
export interface Context {
  readonly services: Services;
  readonly caller: Caller;
  readonly requestId: string;
  readonly ipAddress: string;
  /** scheme, host and base path of the server as the caller sees it, e.g. `https://id.example/auth` */
  readonly baseUrl: string;
  readonly permits: Map<string, Permit>;
  /** set while operations share one unit of work */
  readonly unit: UnitOfWork | undefined;
  /** the shared transaction, or else the last committed state */
  readonly db: Db;
  /** checks of existence that are still running while a read goes on, see `requirePresence` */
  readonly presence?: Promise<unknown>[] | undefined;
  /** loaders of this request, by name: they batch and remember within it */
  readonly loaders: Map<string, unknown>;
}

/** The same request inside a shared transaction. Values that were cached outside of it are not used there. */
export const within = (ctx: Context, unit: UnitOfWork): Context => ({
  ...ctx,
  unit,
  db: unit.tx,
  presence: undefined,
  permits: new Map(),
  loaders: new Map(),
});

/** A loader of this request, created on first use. */
export function loader<L>(ctx: Context, name: string, make: () => L): L {
  const known = ctx.loaders.get(name) as L | undefined;
  if (known) return known;
  const made = make();
  ctx.loaders.set(name, made);
  return made;
}
