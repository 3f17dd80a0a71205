import type { z } from 'zod';
import type { Db, ModelName } from '../../database/db.js';
import type { Allow } from './allow.js';
import type { Context } from './context.js';
import type { Entitled } from './grants.js';
import type { Permit, VisibleKind } from './ports.js';
import type { RealmRecord } from './realm.js';
import type { Refusal } from './refusal.js';
import type { RefusalCode } from './refusal-codes.js';
import type { Input } from './shape.js';
import type { Spool } from './spool.js';
import type { Target } from './target.js';

interface Declared<T extends Target, S extends z.ZodType> extends Entitled<T, Input<S>, Context> {
  /** whether the input may be a file of another version: fields that this version does not know are reported, not refused */
  anyVersion?: boolean;
  /** whether lists of the input, an object without required members, may have any length: they are decoded piece by piece */
  hasLongLists?: boolean;
  /** `<resource>.<verb>`, unique; metrics, audit and the registry go by it */
  name: string;
  /** one sentence for the OpenAPI document and the GraphQL schema */
  summary: string;
  /** what the caller sends; absent where the target says it all */
  input?: S;
  allow: Allow<T>;
  /**
   * a batch that asks for permission and entitlement object by object in `run`, and refuses them by their places: its caller
   * needs the permission for one object at least
   */
  asksEach?: true;
  /** a further check that needs the input; throws a refusal */
  check?: (permit: Permit, target: T, input: Input<S>, ctx: Context) => void | Promise<void>;
}

/** A read with an answer of its own. */
export interface Read<T extends Target, S extends z.ZodType, R> extends Declared<T, S> {
  kind: 'read';
  run: (ctx: Context, target: T, input: Input<S>, permit: Permit) => Promise<R>;
}

export type Order = Record<string, 'asc' | 'desc'>[];

/** A read of many: filter and order are data, so that a page, a count and a connection share them. */
export interface Listing<T extends Target, S extends z.ZodType, W> extends Declared<T, S> {
  kind: 'list';
  model: ModelName;
  /** where callers without a permission to view all of a kind get only what management permissions let them see */
  visible?: VisibleKind;
  /** Prisma filter of what exists for callers, whatever they may see; empty where that is everything */
  shown?: (realm: RealmRecord) => object;
  /** Prisma filter of what there is, for callers who may see all of it */
  where: (target: T, input: Input<S>, permit: Permit, ctx: Context) => W;
  orderBy: Order;
}

/** Whether a filter lets everything through. */
export const isEmpty = (filter: object): boolean => Object.keys(filter).length === 0;

/** Whether a filter by IDs lets nothing through. */
export const isNone = ({ id }: { id?: { in: unknown } }): boolean => Array.isArray(id?.in) && id.in.length === 0;

/** What an audit record says of a write. */
export interface AuditRecord {
  operationType: 'CREATE' | 'UPDATE' | 'DELETE' | 'ACTION';
  resourceType: string;
  /** relative to the realm, as the contract writes it: `users/<id>` */
  resourcePath: string;
  /** id of the object that the path leads to, where the path has a name instead */
  resourceId?: string;
  /** ids of objects that it is a part of, where the path does not have them. Not stored. */
  partOf?: readonly string[];
  /** ids of objects that were deleted by it, with all that was in them, besides the one of its path. Not stored. */
  removes?: readonly string[];
  /** what was written, without secrets */
  representation?: unknown;
  /** what was there before, without secrets */
  before?: unknown;
  /** paths of secrets that were replaced, besides those that `before` masks and the input has new values for */
  replaces?: readonly (readonly string[])[];
}

/** A row, by its model and id. */
export interface RowId {
  model: ModelName;
  id: string;
}

/** What `prepare` is told besides the input. */
export interface Asked {
  dryRun: boolean;
  /** whether it must leave somebody who administers the master realm */
  keepsAdministrator?: boolean;
  /** the long list of the input, not decoded yet, where that was put aside */
  aside?: Spool;
}

// biome-ignore lint/suspicious/noExplicitAny: its users know the target by other means
export type AnyWrite = Write<any, any, any, any>;

/** A write. `run` works inside the transaction; slow work comes in `prepare`, effects on others after the commit. */
export interface Write<T extends Target, S extends z.ZodType, R, P = undefined> extends Declared<T, S> {
  kind: 'write';
  /** slow work ahead of the transaction: hashing, key generation */
  prepare?: (ctx: Context, target: T, input: Input<S>, asked?: Asked) => Promise<P>;
  /** gives back what `prepare` took besides memory, however the write went */
  release?: (prepared: P) => Promise<void>;
  run: (tx: Db, target: T, input: Input<S>, at: { ctx: Context; prepared: P }) => Promise<R>;
  /**
   * whether its transaction may be shared with those of others: it writes a few rows, waits for nothing but the database, and reads
   * what it decides by behind `lock` or a unique key
   */
  isShort?: boolean;
  /** a row further up that writers of a whole structure queue for, held before `lock` whatever its version */
  queue?: (target: T) => RowId | undefined;
  /** the row that concurrent writers queue for; its `version` is what `If-Match` and `expectedVersion` compare */
  lock?: (target: T, input: Input<S>) => RowId;
  /** whether the items of the input can state the versions that their objects must have */
  comparesVersions?: true;
  /**
   * Reads the target again behind the lock. `run`, `event` and `touches` get this one, so that nothing is filled in from what
   * was there before the lock was held. Throws `notFound`. With the input it may also read what that is compared with, so that all
   * goes in one message.
   */
  refresh?: (tx: Db, target: T, input?: Input<S>) => Promise<T>;
  /** the target as its audit records show it, without secrets; what differs after the write are its changes. Requires `refresh`. */
  snapshot?: (target: T) => object;
  /** the objects of a batch as `before` of its audit records shows them, by their ids: what differs from that are the changes */
  states?: (ctx: Context, target: T, input: Input<S>, ids: string[]) => Promise<ReadonlyMap<string, object>>;
  /** the operation that a merge patch hands the merged representation to; audit records have its name */
  patches?: AnyWrite;
  /**
   * whether somebody can lose administration roles by it, which may depend on the input. Callers who ask for that (see
   * `WriteOptions`) are refused where nobody is left who administers the master realm.
   */
  takesRights?: true | ((target: T, input: Input<S>) => boolean);
  /** whether every surface asks for that: for writes that the contract does not have */
  keepsAdministrator?: true;
  /** refuses, behind the lock and for the same callers, what takes something that nobody administers the master realm without */
  keepsAdministration?: (ctx: Context, target: T, input: Input<S>) => void | Promise<void>;
  /** whether it changes a realm by a file, or ends that: no other write may change what the file describes without a warning */
  isByFile?: true;
  /** codes of the refusals that the operation has besides those that any write can have */
  refuses?: readonly RefusalCode[];
  /** text of the conflict when a unique key is violated, or the refusal where the contract has its own body */
  conflict?: (input: Input<S>, target: T) => string | Refusal;
  /** the field of the input with the objects, where it writes many */
  items?: string;
  /** the audit record; a list where the write was many in one */
  event: (result: R, target: T, input: Input<S>) => AuditRecord | AuditRecord[] | undefined;
  /** keys of what changed: caches and subscriptions go by them */
  touches: (result: R, target: T) => string[];
  /** effects on the world outside, after the commit */
  effect?: (ctx: Context, result: R, target: T) => Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: the registry holds operations of every type
export type Operation = Read<any, any, any> | Listing<any, any, any> | AnyWrite;

const registry = new Map<string, Operation>();

function register<O extends Operation>(operation: O): O {
  if (registry.has(operation.name)) throw new Error(`There are two operations named ${operation.name}`);
  registry.set(operation.name, operation);
  return operation;
}

/** Every operation that there is, by name. */
export const operations = (): ReadonlyMap<string, Operation> => registry;

/** Declares an operation that returns one object. */
export const read = <T extends Target, S extends z.ZodType = z.ZodUndefined, R = unknown>(
  operation: Omit<Read<T, S, R>, 'kind'>,
): Read<T, S, R> => register({ kind: 'read', ...operation });

/** Declares an operation that returns a list. */
export const list = <T extends Target, S extends z.ZodType = z.ZodUndefined, W = unknown>(
  operation: Omit<Listing<T, S, W>, 'kind'>,
): Listing<T, S, W> => register({ kind: 'list', ...operation });

/** Declares an operation that changes data. */
export const write = <T extends Target, S extends z.ZodType = z.ZodUndefined, R = unknown, P = undefined>(
  operation: Omit<Write<T, S, R, P>, 'kind'>,
): Write<T, S, R, P> => register({ kind: 'write', ...operation });
