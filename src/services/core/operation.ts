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
  /**
   * whether the input may be a file of another version: fields that this version does not support are reported, not
   * refused
   */
  anyVersion?: boolean;
  /** whether lists of the input, an object without required members, may have any length: they are decoded piece by piece */
  hasLongLists?: boolean;
  /** `<resource>.<verb>`, unique; metrics, audit and the registry go by it */
  name: string;
  /** one sentence for the OpenAPI document and the GraphQL schema */
  summary: string;
  /** the input of the caller; absent if the target is enough */
  input?: S;
  allow: Allow<T>;
  /**
   * a batch that checks permission and entitlement of each object in `run`, and refuses objects by their places; its
   * caller needs the permission for at least one object
   */
  asksEach?: true;
  /** a further check that needs the input; throws a refusal */
  check?: (permit: Permit, target: T, input: Input<S>, ctx: Context) => void | Promise<void>;
}

/** A read with a separate result. */
export interface Read<T extends Target, S extends z.ZodType, R> extends Declared<T, S> {
  kind: 'read';
  run: (ctx: Context, target: T, input: Input<S>, permit: Permit) => Promise<R>;
}

export type Order = Record<string, 'asc' | 'desc'>[];

/** A read of many: filter and order are data, so that a page, a count and a connection share them. */
export interface Listing<T extends Target, S extends z.ZodType, W> extends Declared<T, S> {
  kind: 'list';
  model: ModelName;
  /**
   * for callers without the permission to view all objects of the kind: the kind for which management permissions
   * decide
   */
  visible?: VisibleKind;
  /** Prisma filter of the objects that the surfaces show to any caller; empty if these are all */
  shown?: (realm: RealmRecord) => object;
  /** Prisma filter of all objects of the list, for callers who may see all of them */
  where: (target: T, input: Input<S>, permit: Permit, ctx: Context) => W;
  orderBy: Order;
}

/** Whether a filter matches everything. */
export const isEmpty = (filter: object): boolean => Object.keys(filter).length === 0;

/** Whether a filter by IDs matches nothing. */
export const isNone = ({ id }: { id?: { in: unknown } }): boolean => Array.isArray(id?.in) && id.in.length === 0;

/** The content of an audit record of a write. */
export interface AuditRecord {
  operationType: 'CREATE' | 'UPDATE' | 'DELETE' | 'ACTION';
  resourceType: string;
  /** relative to the realm, as the contract writes it: `users/<id>` */
  resourcePath: string;
  /** ID of the object that the path leads to, if the path has a name instead */
  resourceId?: string;
  /** IDs of objects that contain it, if the path does not have them. Not stored. */
  partOf?: readonly string[];
  /** IDs of objects that were deleted with it and their contents, besides the object of its path. Not stored. */
  removes?: readonly string[];
  /** the written object, without secrets */
  representation?: unknown;
  /** the object before the write, without secrets */
  before?: unknown;
  /** paths of replaced secrets, besides the secrets that `before` masks and the input replaces */
  replaces?: readonly (readonly string[])[];
}

/** A row, by its model and ID. */
export interface RowId {
  model: ModelName;
  id: string;
}

/** Options of `prepare` besides the input. */
export interface Asked {
  dryRun: boolean;
  /** whether somebody must be left who can administer the master realm */
  keepsAdministrator?: boolean;
  /** the long list of the input, not decoded yet, if it was written to a spool */
  aside?: Spool;
}

// biome-ignore lint/suspicious/noExplicitAny: its users know the target by other means
export type AnyWrite = Write<any, any, any, any>;

/**
 * A write. `run` works inside the transaction. Slow work is done in `prepare`, and effects on other systems after the
 * commit.
 */
export interface Write<T extends Target, S extends z.ZodType, R, P = undefined> extends Declared<T, S> {
  kind: 'write';
  /** slow work before the transaction: hashing, key generation */
  prepare?: (ctx: Context, target: T, input: Input<S>, asked?: Asked) => Promise<P>;
  /** releases resources of `prepare` other than memory, after success and failure */
  release?: (prepared: P) => Promise<void>;
  run: (tx: Db, target: T, input: Input<S>, at: { ctx: Context; prepared: P }) => Promise<R>;
  /**
   * whether its transaction may be shared with others: it writes a few rows, waits only for the database, and bases its
   * decisions on reads behind `lock` or a unique key
   */
  isShort?: boolean;
  /** a row of the parent structure for which its writers queue; locked before `lock`, for any version */
  queue?: (target: T) => RowId | undefined;
  /** the row for which concurrent writers queue; `If-Match` and `expectedVersion` are compared with its `version` */
  lock?: (target: T, input: Input<S>) => RowId;
  /** whether the items of the input can state the versions that their objects must have */
  comparesVersions?: true;
  /**
   * Reads the target again behind the lock. `run`, `event`, and `touches` get this target, so that no value is from
   * before the lock. Throws `notFound`. It may also read the rows that the input is compared with, so that all reads go
   * in one message.
   */
  refresh?: (tx: Db, target: T, input?: Input<S>) => Promise<T>;
  /**
   * the target as its audit records show it, without secrets; its differences after the write are the changes. Requires
   * `refresh`.
   */
  snapshot?: (target: T) => object;
  /**
   * the objects of a batch as `before` of its audit records shows them, by their IDs; their differences after the write
   * are the changes
   */
  states?: (ctx: Context, target: T, input: Input<S>, ids: string[]) => Promise<ReadonlyMap<string, object>>;
  /** the operation that a merge patch hands the merged representation to; audit records have its name */
  patches?: AnyWrite;
  /**
   * whether users can lose administration roles by it, which may depend on the input. If the caller requires it (see
   * `WriteOptions`), the write is refused if nobody is left who can administer the master realm.
   */
  takesRights?: true | ((target: T, input: Input<S>) => boolean);
  /** whether REST and GraphQL both require that: for writes that the contract does not have */
  keepsAdministrator?: true;
  /**
   * refuses, behind the lock and for the same callers, to remove an object that the administration of the master realm
   * needs
   */
  keepsAdministration?: (ctx: Context, target: T, input: Input<S>) => void | Promise<void>;
  /** whether it applies a file to a realm, or ends that: any other write to described objects gets a warning */
  isByFile?: true;
  /** codes of the refusals of this operation, besides the codes that any write can have */
  refuses?: readonly RefusalCode[];
  /** text of the conflict if a unique key is violated, or the refusal if the contract has its own body */
  conflict?: (input: Input<S>, target: T) => string | Refusal;
  /** the field of the input with the objects, if it writes many */
  items?: string;
  /** the audit record; a list if one write covers many objects */
  event: (result: R, target: T, input: Input<S>) => AuditRecord | AuditRecord[] | undefined;
  /** keys of the changed objects, for caches and subscriptions */
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

/** All operations by name. */
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
