import type { z } from 'zod';
import type { Db, ModelName } from '../../database/db.js';
import { lockRows } from '../../database/locks.js';
import { type Allow, permissionOf } from './allow.js';
import { type BatchMode, type BatchResult, checkedSize, repeated, requireVersion, sorted } from './batch.js';
import type { Context } from './context.js';
import { isAllowedForTarget } from './delegation.js';
import type { EachEntitled } from './grants.js';
import { isWhole } from './held-rights.js';
import { type AuditRecord, type RowId, type Write, write } from './operation.js';
import { permitFor } from './permit.js';
import type { Permit } from './ports.js';
import { forbidden, notFound, Refusal } from './refusal.js';
import type { Input } from './shape.js';
import type { Target } from './target.js';

/** An item of a batch, as it was sent. */
interface Sent<G> {
  id: string;
  given: G;
  expectedVersion?: number | undefined;
}

/** An item that may be written: what it is about was found and the caller may change it. */
export interface Item<T, I> {
  id: string;
  target: T;
  input: I;
}

/** Where a batch writes. */
export interface At {
  tx: Db;
  ctx: Context;
  realm: Target['realm'];
}

interface Plural<T extends Target, G, I, R extends { id: string }, S extends z.ZodType> {
  name: string;
  summary: string;
  /** the write of one of them: the batch has its permission, refusals, audit records and touched keys */
  // biome-ignore lint/suspicious/noExplicitAny: its input and what it prepares are not used
  one: Pick<Write<T, any, R, any>, 'allow' | 'refuses' | 'event' | 'touches'>;
  /** the operation that reads one of them: for those who may not perform it, the object is not there */
  get: { allow: Allow<T> };
  model: ModelName;
  /** what one of them is called in messages */
  kind: string;
  /** the field of the input with the items */
  list: string;
  input: S;
  items: (input: Input<S>) => readonly Sent<G>[];
  /** what the write of one gets for an item that the caller may change; throws what is wrong with it */
  inputOf: (target: T, given: G) => I;
  mode: (input: Input<S>) => BatchMode;
  /** those of the objects that are there, by their ids: any number in the same number of statements */
  find: (at: At, ids: string[], input: Input<S>) => Promise<ReadonlyMap<string, T>>;
  /** the version of a target, where items can expect one */
  versionOf?: (target: T) => { id: string; version: number };
  /** what the write of one of them states as `grants`, `actsOn` and `alters`, for many */
  entitled?: (tx: Db, items: readonly Item<T, I>[]) => EachEntitled;
  queue?: (target: Target) => RowId;
  /** a refusal in place of what was not done */
  run: (at: At, items: readonly Item<T, I>[]) => Promise<(R | Refusal)[]>;
  /** what a violated unique key means, where others write at the same time */
  conflict?: string;
}

/** Whether the caller may do something to a target. */
const may = async <T extends Target>(ctx: Context, permit: Permit, operation: { allow: Allow<T> }, target: T) => {
  const permission = permissionOf(operation, target);
  if (permit.can(permission)) return true;
  return permit.delegation !== undefined && isAllowedForTarget(ctx.db, permit.delegation, permission, target);
};

/** Why an item is refused before it is written, by the rules of the write of one. */
async function admitted<T extends Target, G, I, R extends { id: string }, S extends z.ZodType>(
  plural: Plural<T, G, I, R, S>,
  { ctx, realm }: At,
  permit: Permit,
  targets: ReadonlyMap<string, T>,
  sent: readonly Sent<G>[],
): Promise<(Item<T, I> | Refusal)[]> {
  const { one, get, kind, model } = plural;
  const twice = repeated(
    sent.map(({ id }) => id),
    kind,
  );
  const items = await Promise.all(
    sent.map(async ({ id, given }, at): Promise<Item<T, I> | Refusal> => {
      const target = targets.get(id);
      if (!target || !(await may(ctx, permit, get, target))) return notFound(`${model} not found`, 'id');
      if (!(await may(ctx, permit, one, target))) return forbidden();
      return twice[at] ?? attempt(() => ({ id, target, input: plural.inputOf(target, given) }));
    }),
  );
  const entitled = plural.entitled?.(ctx.db, accepted(items)) ?? {};
  const beyond = isWhole(realm, permit.rights)
    ? new Set<string>()
    : await ctx.services.access.forbiddenAmong(ctx, { realm }, permit, entitled);
  return items.map((item, at) => {
    if (item instanceof Refusal) return item;
    if (beyond.has(item.id)) return forbidden();
    return attempt(() => {
      const versioned = plural.versionOf?.(item.target);
      if (versioned) requireVersion(ctx, model, versioned, sent[at]?.expectedVersion);
      return item;
    });
  });
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

/** Performs what was accepted, all at once: the others keep their refusals, and all their places. */
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
 * The write of many objects, made of the write of one: it has the same permissions, refusals and audit records, asked for each
 * object and refused at its place, in one transaction and a number of statements that does not depend on how many they are.
 */
export function batchOf<T extends Target, G, I, R extends { id: string }, S extends z.ZodType>(
  plural: Plural<T, G, I, R, S>,
) {
  const { one, name, summary, list, input: shape, queue, conflict } = plural;
  return write<Target, S, PluralResult>({
    name,
    summary,
    input: shape,
    // it says which permissions there are, and is asked about the targets of the items alone
    allow: one.allow as Allow<Target>,
    asksEach: true,
    refuses: ['REPEATED', ...(one.refuses ?? [])],
    check: (_permit, _target, input) => checkedSize(plural.items(input), list),
    ...(queue && { queue }),
    ...(conflict !== undefined && { conflict: () => conflict }),
    run: async (tx, { realm }, input, { ctx }): Promise<PluralResult> => {
      const at = { tx, ctx, realm };
      const sent = plural.items(input);
      const ids = [...new Set(sent.map(({ id }) => id))];
      await lockRows(tx, plural.model, ids);
      const targets = await plural.find(at, ids, input);
      const items = await admitted(plural, at, await permitFor(ctx, realm), targets, sent);
      const outcomes = await performAccepted(items, (given) => plural.run(at, given));
      const touched = new Set<string>();
      const byId = new Map(accepted(items).map((item) => [item.id, item]));
      const audits = (result: R): AuditRecord[] => {
        const { target, input: given } = byId.get(result.id) as Item<T, I>;
        for (const key of one.touches(result, target)) touched.add(key);
        return [one.event(result, target, given) ?? []].flat();
      };
      const result = sorted(outcomes, plural.mode(input), audits, list);
      return { ...result, touched: [...touched] };
    },
    event: ({ done }) => done.flatMap(({ audits }) => audits),
    touches: ({ touched }) => touched,
  });
}
