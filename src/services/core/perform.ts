import type { z } from 'zod';
import { shareRow } from '../../database/locks.js';
import { breaks } from '../../database/turns.js';
import { admit, type Locate, type Sent } from './admit.js';
import { type AdminEvent, record } from './audit.js';
import { objectOfRecord } from './audited-object.js';
import { changesBetween, changesIn, type ObjectChange } from './changes.js';
import { type Context, within } from './context.js';
import { databaseRefusal } from './database-refusal.js';
import { requireEntitled } from './entitlement.js';
import { isWhole } from './held-rights.js';
import { claim, fingerprint, type Remembered, recall, remember } from './idempotency.js';
import { noteSettingsWithoutEffect } from './ignored-fields.js';
import { type Managed, managedTouched } from './managed.js';
import { observed } from './observed-operation.js';
import { type AuditRecord, isEmpty, type Listing, type Read, type Write } from './operation.js';
import { permitFor, wholePermit } from './permit.js';
import type { Permit } from './ports.js';
import { markReplaced, replacedSecrets } from './replaced-secrets.js';
import type { Input } from './shape.js';
import type { Spool } from './spool.js';
import { type Target, targetKey } from './target.js';
import { afterLock, lockTarget, unversioned } from './target-lock.js';
import { inUnitOfWork, type UnitOfWork } from './unit-of-work.js';

export interface WriteOptions {
  /** refuse with `stale` unless the object still has this version */
  expectedVersion?: number;
  idempotencyKey?: string;
  /** roll back, and return the result that the write would have */
  dryRun?: boolean;
  /** refuse a write after which nobody could administer the master realm; the REST contract allows it */
  keepsAdministrator?: boolean;
  /** whether the outcome has the changes of each field */
  showChanges?: boolean;
  /** the input of the caller, if the operation's input is derived from it: the idempotency key refers to it */
  sent?: unknown;
}

export interface Outcome<R> {
  result: R;
  /** the audit records of the write, in their order */
  events: readonly AdminEvent[];
  /** the outcome of each field, if requested; undefined for a repeated answer */
  changes?: readonly ObjectChange[];
  /** the file that describes the changed object, if it was changed manually */
  managed?: Managed;
  /** whether this is the answer to an earlier request with the same idempotency key */
  replayed: boolean;
}

/** Performs a read. */
export async function perform<T extends Target, S extends z.ZodType, R>(
  ctx: Context,
  operation: Read<T, S, R>,
  locate: Locate<T>,
  raw?: unknown,
): Promise<R> {
  return observed(operation.name, async () => {
    const { target, permit, input } = await admit(ctx, operation, locate, raw);
    return operation.run(ctx, target, input, permit);
  });
}

/** Returns the filter of a listing for this caller. REST and GraphQL fetch their page of it in their own form. */
export async function performList<T extends Target, S extends z.ZodType, W>(
  ctx: Context,
  operation: Listing<T, S, W>,
  locate: Locate<T>,
  raw?: unknown,
): Promise<{ where: { AND: [W, ...object[]] }; target: T; permit: Permit }> {
  const { target, permit, input } = await observed(operation.name, () => admit(ctx, operation, locate, raw));
  const seen = operation.visible ? permit.visible(operation.visible) : {};
  const where = operation.where(target, input, permit, ctx);
  const shown = operation.shown?.(target.realm) ?? {};
  return { where: { AND: [where, seen, ...(isEmpty(shown) ? [] : [shown])] }, target, permit };
}

/**
 * Performs a write in one transaction with its audit record and change row, or inside the transaction that the request
 * shares. After a conflict between writers `run` is repeated, so it must derive its writes from reads inside the
 * transaction.
 */
export async function performWrite<T extends Target, S extends z.ZodType, R, P>(
  ctx: Context,
  operation: Write<T, S, R, P>,
  locate: Locate<T>,
  raw?: Sent<T>,
  options: WriteOptions = {},
): Promise<Outcome<R>> {
  return observed(operation.name, async () => {
    const pause = breaks();
    await pause();
    const admitted = await admit(ctx, operation, locate, raw);
    if (operation.input) noteSettingsWithoutEffect(ctx, operation.input, admitted.input);
    try {
      return await performAdmitted(ctx, operation, admitted, options, pause);
    } finally {
      await admitted.aside?.close();
    }
  });
}

async function performAdmitted<T extends Target, S extends z.ZodType, R, P>(
  ctx: Context,
  operation: Write<T, S, R, P>,
  { target, permit, input, aside }: { target: T; permit: Permit; input: Input<S>; aside?: Spool },
  options: WriteOptions,
  pause: ReturnType<typeof breaks>,
): Promise<Outcome<R>> {
  await pause();
  const sent = aside ? [input, aside.digest()] : (options.sent ?? input);
  const print = options.idempotencyKey
    ? fingerprint(ctx, options.idempotencyKey, operation.name, targetKey(target), sent)
    : undefined;
  if (print) {
    const earlier = await recall<R>(ctx.db, ctx, print);
    if (earlier) return replay(ctx, earlier);
  }
  const isCareful = operation.keepsAdministrator ?? options.keepsAdministrator ?? false;
  const keepsAdministrator = isCareful && isWhole(target.realm, permit.rights);
  const prepared = (await operation.prepare?.(ctx, target, input, {
    dryRun: options.dryRun ?? false,
    keepsAdministrator,
    ...(aside && { aside }),
  })) as P;

  await pause();

  const recordedAs = operation.patches?.name ?? operation.name;
  const isDoubtful = (isEntitled(operation) || operation.asksEach) && !isWhole(target.realm, permit.rights);
  const work = async (unit: UnitOfWork): Promise<Outcome<R>> => {
    const inside = within(ctx, unit);
    if (print) {
      const earlier = await claim<R>(unit.tx, inside, print, operation.name);
      if (earlier) return replay(inside, earlier);
    }
    const queue = operation.queue?.(target);
    if (queue) await lockTarget(ctx, unit, queue);
    // writers of names and hierarchies queue for the realm, so that a name still refers to the object that was checked
    if (isDoubtful) await shareRow(unit.tx, { model: 'Realm', id: target.realm.id });
    const lock = operation.lock?.(target, input);
    if (lock) await lockTarget(ctx, unit, lock, options.expectedVersion);
    else if (options.expectedVersion !== undefined) throw unversioned();
    const { fresh, result } = await afterLock(unit, async () => {
      const known = wholePermit(ctx, target.realm, permit);
      const fresh = operation.refresh || isDoubtful ? await refreshed(inside, operation, target, input, known) : target;
      if (isCareful) await operation.keepsAdministration?.(inside, fresh, input);
      return { fresh, result: await operation.run(unit.tx, fresh, input, { ctx: inside, prepared }) };
    });
    // others cannot revoke rights of administrators
    if (keepsAdministrator && takesRights(operation, fresh, input)) {
      await ctx.services.access.requireAdministrator(inside, target);
    }
    const touches = operation.touches(result, fresh);
    const audit = [operation.event(result, fresh, input) ?? []].flat().map((one): AuditRecord => {
      const replaces = replacedSecrets(one, input);
      return replaces.length === 0 ? one : { ...one, before: markReplaced(one.before, replaces), replaces };
    });
    const managed = operation.isByFile ? undefined : await managedTouched(inside, fresh.realm, audit);
    const events = await record(unit, inside, { realm: target.realm, operation: recordedAs, audit, touches, input });
    if (print) await remember(unit.tx, inside, print, { result, eventIds: events.map(({ id }) => id) });
    // await deferred writes here, so that an error is attributed to this operation and not to the next one in the
    // transaction
    if (ctx.unit) await unit.tx.later.settle();
    unit.afterCommit(() => operation.effect?.(ctx, result, fresh));
    const changes = options.showChanges && (await changesOf(inside, operation, fresh, input, audit));
    return { result, events, replayed: false, ...(changes && { changes }), ...(managed && { managed }) };
  };

  try {
    const shared = operation.isShort === true && !print;
    return ctx.unit ? await work(ctx.unit) : await inUnitOfWork(ctx.services, work, { ...options, shared });
  } catch (error) {
    throw databaseRefusal(error, () => operation.conflict?.(input, target), operation.items);
  } finally {
    await operation.release?.(prepared);
  }
}

const isEntitled = ({ grants, actsOn, alters }: Pick<Read<never, never, unknown>, 'grants' | 'actsOn' | 'alters'>) =>
  Boolean(grants ?? actsOn ?? alters);

const takesRights = <T extends Target, S extends z.ZodType>(
  { takesRights: declared }: Pick<Write<T, S, unknown, unknown>, 'takesRights'>,
  target: T,
  input: Input<S>,
): boolean => (typeof declared === 'function' ? declared(target, input) : declared === true);

/** Reads the target behind the lock, and checks it again if it may have changed, with the known permit or a new one. */
async function refreshed<T extends Target, S extends z.ZodType>(
  inside: Context,
  operation: Pick<Write<T, S, unknown, unknown>, 'refresh' | 'check' | 'grants' | 'actsOn' | 'alters'>,
  target: T,
  input: Input<S>,
  known: Permit | undefined,
): Promise<T> {
  const check = operation.refresh && operation.check;
  const isAsked = check !== undefined || isEntitled(operation);
  const [read, permit] = await Promise.all([
    operation.refresh?.(inside.db, target, input),
    isAsked ? (known ?? permitFor(inside, target.realm)) : undefined,
  ]);
  const fresh = read ?? target;
  if (!permit) return fresh;
  await requireEntitled(inside, operation, permit, fresh, input);
  await check?.(permit, fresh, input, inside);
  return fresh;
}

async function replay<R>(ctx: Context, { result, eventIds }: Remembered<R>): Promise<Outcome<R>> {
  const found = eventIds.length === 0 ? [] : await ctx.db.adminEvent.findMany({ where: { id: { in: eventIds } } });
  const byId = new Map(found.map((event) => [event.id, event as AdminEvent]));
  return { result, replayed: true, events: eventIds.flatMap((id) => byId.get(id) ?? []) };
}

/**
 * The changes of a write by object, from its audit records. For a patched object, or each object of a batch, these are
 * all differences from the state before.
 */
async function changesOf<T extends Target, S extends z.ZodType, R, P>(
  ctx: Context,
  { refresh, snapshot, states }: Write<T, S, R, P>,
  before: T,
  input: Input<S>,
  audit: readonly AuditRecord[],
): Promise<ObjectChange[]> {
  const objects = audit.map((one) => objectOfRecord(before.realm.id, one));
  if (refresh && snapshot) {
    const known = markReplaced(snapshot(before), audit[0]?.replaces ?? []);
    const changes = changesBetween(known, snapshot(await refresh(ctx.db, before, input)));
    return changes.map((change) => ({ ...change, object: objects[0] }));
  }
  const ids = objects.flatMap(({ id }) => id ?? []);
  const after = states && ids.length > 0 ? await states(ctx, before, input, ids) : undefined;
  return audit.flatMap((one, at) => {
    const object = objects[at];
    const state = after?.get(object?.id ?? '');
    const changes = state ? changesBetween(one.before, state) : changesIn(one);
    return changes.map((change) => ({ ...change, object }));
  });
}
