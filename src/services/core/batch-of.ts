import type { z } from 'zod';
import type { Db, ModelName } from '../../database/db.js';
import { lockRows } from '../../database/locks.js';
import { breaks, inTurns, type Pause } from '../../database/turns.js';
import type { Allow } from './allow.js';
import { type BatchMode, type BatchResult, checkedSize, repeated, requireVersion, sorted } from './batch.js';
import type { Context } from './context.js';
import { isAllowedForTarget } from './delegation.js';
import { type AuditRecord, type RowId, type Write, write } from './operation.js';
import type { Permission } from './permissions.js';
import { permitFor } from './permit.js';
import type { Permit } from './ports.js';
import { forbidden, notFound, Refusal } from './refusal.js';
import type { Input } from './shape.js';
import type { Target } from './target.js';

/** An item of a batch from the request: for the object with this ID, or within it if the batch creates objects. */
interface Sent<G> {
  id: string;
  given: G;
  expectedVersion?: number | undefined;
}

/** An item that may be written: its target was found and the caller may change it. */
export interface Item<T, I> {
  id: string;
  target: T;
  input: I;
}

/** The transaction and realm of a batch. */
export interface At {
  tx: Db;
  ctx: Context;
  realm: Target['realm'];
}

/**
 * The rule that decides whether a caller can see a target: a permission, and the object that management permissions can
 * apply to.
 */
interface Reading<T> {
  allow: Allow<T> | ((target: T) => Permission);
  about?: (target: T) => object;
}

interface Plural<T extends Target, G, I, R extends { id: string }, S extends z.ZodType, P> {
  name: string;
  summary: string;
  /** the write of one of them: the batch has its permission, entitlement, refusals, audit records and touched keys */
  one: Pick<
    // biome-ignore lint/suspicious/noExplicitAny: its input is that of the items, and what it prepares is not used
    Write<T, any, R, any>,
    'allow' | 'refuses' | 'takesRights' | 'event' | 'touches' | 'grants' | 'actsOn' | 'alters'
  >;
  /** the operation that reads one of the objects: callers who may not perform it get "not found" */
  get: Reading<T>;
  /** the model whose rows are locked; undefined if objects are created */
  model?: ModelName;
  /** the name of one object in messages */
  kind: string;
  /** the field of an item with the ID; default: `id` */
  field?: string;
  /** whether several items can name the same object, for example as the parent of new ones */
  repeats?: true;
  /** the field of the input with the items */
  list: string;
  input: S;
  items: (input: Input<S>) => readonly Sent<G>[];
  /** a target in the form of the single write's audit records, if the write changes single fields */
  snapshot?: (target: T) => object;
  /** the input of the single write for an item that the caller may change; throws the refusals of the item */
  inputOf: (target: T, given: G) => I;
  mode: (input: Input<S>) => BatchMode;
  /** the input check of the single write; throws a refusal */
  check?: (permit: Permit, target: T, input: I) => void;
  /** refuses an input that is too large as a whole */
  limit?: (input: Input<S>) => void;
  /** slow work before the transaction */
  prepare?: (at: Omit<At, 'tx'>, input: Input<S>) => Promise<P>;
  /**
   * finds the existing objects by their IDs, with a number of statements that does not depend on the number of objects
   */
  find: (at: At, ids: string[], input: Input<S>) => Promise<ReadonlyMap<string, T>>;
  /** the version of a target, if items can expect one */
  versionOf?: (target: T) => { id: string; version: number };
  queue?: (target: Target) => RowId;
  /** a refusal stands in place of each item that was not written */
  run: (at: At, items: readonly Item<T, I>[], prepared: P) => Promise<(R | Refusal)[]>;
  /** the conflict message for a violated unique key, where others write at the same time */
  conflict?: string;
}

/** Whether the caller may do something to a target. */
const may = async <T extends Target>(
  ctx: Context,
  permit: Permit,
  { allow, about = (all: T): object => all }: Reading<T>,
  target: T,
) => {
  const permission = typeof allow === 'function' ? allow(target) : allow;
  if (permit.can(permission)) return true;
  return permit.delegation !== undefined && isAllowedForTarget(ctx.db, permit.delegation, permission, about(target));
};

/** Refuses an item before it is written, by the rules of the single write. */
async function admitted<T extends Target, G, I, R extends { id: string }, S extends z.ZodType, P>(
  plural: Plural<T, G, I, R, S, P>,
  { ctx }: At,
  permit: Permit,
  targets: ReadonlyMap<string, T>,
  sent: readonly Sent<G>[],
  pause: Pause,
): Promise<(Item<T, I> | Refusal)[]> {
  const { one, get, kind, model, field = 'id' } = plural;
  const ids = plural.repeats ? [] : sent.map(({ id }) => id);
  const twice = repeated(ids, kind);
  const missing = () => notFound(`${kind.charAt(0).toUpperCase()}${kind.slice(1)} not found`, field);
  const found = await Promise.all(
    sent.map(async ({ id }): Promise<T | Refusal> => {
      const target = targets.get(id);
      if (!target || !(await may(ctx, permit, get, target))) return missing();
      return (await may(ctx, permit, one, target)) ? target : forbidden();
    }),
  );
  const items = await inTurns(
    [...sent.entries()],
    ([at, { id, given }]): Item<T, I> | Refusal => {
      const target = found[at] as T | Refusal;
      if (target instanceof Refusal) return target;
      return twice[at] ?? attempt(() => ({ id, target, input: plural.inputOf(target, given) }));
    },
    pause,
  );
  const { isEntitled } = ctx.services.access;
  const entitled = await Promise.all(
    items.map((item) => item instanceof Refusal || isEntitled(ctx, one, permit, item.target, item.input)),
  );
  const checked = (item: Item<T, I>, at: number) =>
    attempt(() => {
      plural.check?.(permit, item.target, item.input);
      const versioned = plural.versionOf?.(item.target);
      if (versioned && model) {
        requireVersion(ctx, model, versioned, sent[at]?.expectedVersion, 'expectedVersion');
      }
      return item;
    });
  return inTurns(
    [...items.entries()],
    ([at, item]) => (item instanceof Refusal ? item : entitled[at] ? checked(item, at) : forbidden()),
    pause,
  );
}

const accepted = <O>(outcomes: readonly (O | Refusal)[]): O[] =>
  outcomes.flatMap((outcome) => (outcome instanceof Refusal ? [] : [outcome]));

/** The result of a function, or the refusal that it throws. */
export function attempt<O>(work: () => O): O | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Performs the accepted items together. Refusals are kept, and all results keep their places. */
export async function performAccepted<I, O>(
  items: readonly (I | Refusal)[],
  work: (items: readonly I[]) => Promise<readonly (O | Refusal)[]>,
): Promise<(O | Refusal)[]> {
  const given = accepted(items);
  const done = given.length > 0 ? [...(await work(given))] : [];
  return items.map((item) => (item instanceof Refusal ? item : (done.shift() as O | Refusal)));
}

/** The result of a batch, with the keys that it touches. */
export interface PluralResult extends BatchResult {
  touched: string[];
}

/**
 * Makes the write of many objects from the write of one. It has the same permissions, refusals, and audit records; each
 * object is checked, and refused at its place. It runs in one transaction with a number of statements that does not
 * depend on the number of objects.
 */
export function batchOf<T extends Target, G, I, R extends { id: string }, S extends z.ZodType, P = undefined>(
  plural: Plural<T, G, I, R, S, P>,
) {
  const { one, name, summary, list, input: shape, queue, conflict, snapshot, prepare } = plural;
  return write<Target, S, PluralResult, P>({
    name,
    summary,
    input: shape,
    // declares the permissions; only the targets of the items are checked
    allow: one.allow as Allow<Target>,
    asksEach: true,
    refuses: [...(plural.repeats ? [] : (['REPEATED'] as const)), ...(one.refuses ?? [])],
    // entitlements that depend on the items are checked for all of them together
    ...(one.takesRights && { takesRights: true as const }),
    check: (_permit, _target, input) => {
      checkedSize(plural.items(input), list);
      plural.limit?.(input);
    },
    ...(prepare && { prepare: (ctx: Context, { realm }: Target, input: Input<S>) => prepare({ ctx, realm }, input) }),
    ...(queue && { queue }),
    ...(plural.versionOf && { comparesVersions: true as const }),
    items: list,
    ...(conflict !== undefined && { conflict: () => conflict }),
    run: async (tx, { realm }, input, { ctx, prepared }): Promise<PluralResult> => {
      const at = { tx, ctx, realm };
      const sent = plural.items(input);
      const ids = [...new Set(sent.map(({ id }) => id))];
      if (plural.model) await lockRows(tx, plural.model, ids);
      const targets = await plural.find(at, ids, input);
      const pause = breaks();
      const items = await admitted(plural, at, await permitFor(ctx, realm), targets, sent, pause);
      const outcomes = await performAccepted(items, (given) => plural.run(at, given, prepared));
      const touched = new Set<string>();
      const auditsOf = (result: R, index: number): AuditRecord[] => {
        const { target, input: given } = items[index] as Item<T, I>;
        for (const key of one.touches(result, target)) touched.add(key);
        return [one.event(result, target, given) ?? []].flat();
      };
      const audits = await inTurns(
        [...outcomes.entries()],
        ([index, outcome]) => (outcome instanceof Refusal ? [] : auditsOf(outcome, index)),
        pause,
      );
      const result = sorted(outcomes, plural.mode(input), (_done, index) => audits[index] ?? [], list);
      return { ...result, touched: [...touched] };
    },
    ...(snapshot && {
      states: async (ctx: Context, { realm }: Target, input: Input<S>, ids: string[]) => {
        const targets = await plural.find({ tx: ctx.db, ctx, realm }, ids, input);
        return new Map([...targets].map(([id, target]) => [id, snapshot(target)]));
      },
    }),
    event: ({ done }) => done.flatMap(({ audits }) => audits),
    touches: ({ touched }) => touched,
  });
}
