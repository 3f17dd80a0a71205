import { z } from 'zod';
import type { Context } from './context.js';
import { isObject, textsOf } from './json.js';
import { type Write, write } from './operation.js';
import { invalid, type Refusal, refuseAll } from './refusal.js';
import { decode, type Input } from './shape.js';
import type { Target } from './target.js';

type Values = Readonly<Record<string, unknown>>;

/** A JSON merge patch, RFC 7396: fields that are left out stay, null clears a field. */
export const MergePatch = z.custom<Values>(isObject, 'A merge patch must be a JSON object');

const whole = Symbol('whole');

/** A map that replaces the current one; a merge patch would merge it by key. */
export const replacing = <M extends object>(map: M): M => Object.defineProperty({ ...map }, whole, { value: true });

const edits = Symbol('edits');

/** Entries to add to a list and to remove from it; a merge patch would replace the list. */
export interface EditedList {
  readonly [edits]: { add: readonly string[]; remove: readonly string[] };
}

/** A patch of a list that adds some entries and removes others. */
export const editedList = (changes: EditedList[typeof edits]): EditedList => ({ [edits]: changes });

function edited(current: unknown, { add, remove }: EditedList[typeof edits]): string[] {
  const kept = textsOf(current).filter((entry) => !remove.includes(entry));
  return [...new Set([...kept, ...add])];
}

const isEdited = (value: object): value is EditedList => edits in value;

const refusals = Symbol('refusals');

/**
 * A field of a patch with the refusals that REST or GraphQL has found in the input. They are reported with the refusals
 * of the operation.
 */
export const refusedPart = (found: readonly Refusal[]): object => ({ [refusals]: found });

const isRefused = (value: object): value is { [refusals]: readonly Refusal[] } => refusals in value;

/** The value after a merge patch, RFC 7396 section 2. */
function mergedValue(current: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(current) && !(whole in patch) ? Object.entries(current) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergedValue(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

interface Form<T, I = never> {
  /** the target in the representation of the replacing operation */
  current: (target: T) => object;
  /**
   * the fields that can be empty, with the empty value of the replacing operation; null in any other field is refused
   */
  empty: Values;
  /** the replacing operation keeps fields that are not given, so it gets only the fields of the patch */
  keepsRest?: boolean;
  /** values that the replacing operation requires even if it keeps the rest */
  insists?: Values;
  /** the target as its audit records show it, without secrets; `current` by default */
  snapshot?: (target: T) => object;
  /** maps that the replacing operation merges by key, with the value that removes a key; undefined if no value does */
  mergedMaps?: Values;
  /** refusals of fields that the replacing operation would ignore */
  ignored?: (target: T, input: I) => readonly Refusal[];
}

/** A map for an operation that merges it by key itself. */
function changedKeys(field: string, current: unknown, patch: Values, removed: unknown, faults: Refusal[]): unknown {
  const known = whole in patch && isObject(current) ? Object.keys(current).map((name) => [name, null] as const) : [];
  const given = Object.fromEntries([...known, ...Object.entries(patch)]);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (value === null && removed === undefined) faults.push(cannotBeNull(`${field}.${name}`));
      return [name, value ?? removed] as const;
    }),
  );
}

const cannotBeNull = (field: string) => invalid(`\`${field}\` must not be null`, field);

/** The faults that any patch can have: null in fields that cannot be empty, and refusals from REST or GraphQL. */
const faultsIn = (empty: Values, patch: Values): Refusal[] =>
  Object.entries(patch).flatMap(([name, value]) => {
    if (value === null) return Object.hasOwn(empty, name) ? [] : cannotBeNull(name);
    return isObject(value) && isRefused(value) ? value[refusals] : [];
  });

/** The input of the replacing operation for a patch. Throws `invalid` for null in fields that cannot be empty. */
function merged<T, I>(
  { current, empty, keepsRest, insists, mergedMaps = {} }: Form<T, I>,
  target: T,
  patch: Values,
): Values {
  const present = current(target) as Values;
  const faults = faultsIn(empty, patch);
  const changes = Object.entries(patch).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const given = value ?? empty[name];
    if (!isObject(given)) return [[name, given] as const];
    if (isRefused(given)) return [];
    if (isEdited(given)) return [[name, edited(present[name], given[edits])] as const];
    const map = value === null ? replacing(given) : given;
    const after = Object.hasOwn(mergedMaps, name)
      ? changedKeys(name, present[name], map, mergedMaps[name], faults)
      : mergedValue(present[name], map);
    return [[name, after] as const];
  });
  refuseAll(faults);
  return Object.fromEntries([...Object.entries(keepsRest ? (insists ?? {}) : present), ...changes]);
}

/**
 * Makes the operation that changes single fields of a resource from the operation that replaces it. REST `PATCH` and
 * the updates of GraphQL perform it. `inputOf` returns the input of the replacing operation for a patch. The patch is
 * merged with the state behind the lock. Permission, checks, conflicts, audit record, and touched keys come from the
 * replacing operation.
 */
export function patchOf<T extends Target, S extends z.ZodType, R, P>(
  update: Write<T, S, R, P>,
  form: Form<T, Input<S>>,
) {
  const inputOf = (target: T, patch: Values): Input<S> => {
    const input = decode(update.input as S, merged(form, target, patch)) as Input<S>;
    refuseAll(form.ignored?.(target, input) ?? []);
    return input;
  };
  const { prepare, release, queue, lock, refresh, conflict, refuses, effect, grants, actsOn, alters, isShort } = update;
  const { takesRights, keepsAdministration } = update;
  if (!refresh) throw new Error(`${update.name} has to read its target behind the lock to be patched`);
  const snapshot = form.snapshot ?? form.current;
  const operation = write<T, typeof MergePatch, R, P>({
    name: `${update.name.replace(/\.?update/i, '')}.patch`,
    summary: `${update.summary} The body is a JSON merge patch that is first merged into the stored object: omitted fields keep their values; null clears a nullable field.`,
    input: MergePatch,
    patches: update,
    allow: update.allow,
    ...(isShort && { isShort }),
    ...(grants && { grants: (target: T, patch: Values, ctx: Context) => grants(target, inputOf(target, patch), ctx) }),
    ...(actsOn && { actsOn: (target: T, patch: Values, ctx: Context) => actsOn(target, inputOf(target, patch), ctx) }),
    ...(alters && { alters: (target: T, patch: Values, ctx: Context) => alters(target, inputOf(target, patch), ctx) }),
    check: (permit, target, patch, ctx) => {
      const input = inputOf(target, patch);
      return update.check?.(permit, target, input, ctx);
    },
    ...(prepare && {
      prepare: (ctx: Context, target: T, patch: Values, asked) => prepare(ctx, target, inputOf(target, patch), asked),
    }),
    ...(release && { release }),
    run: (tx, target, patch, at) => update.run(tx, target, inputOf(target, patch), at),
    ...(queue && { queue }),
    ...(lock && { lock: (target: T, patch: Values) => lock(target, inputOf(target, patch)) }),
    refresh: (tx, target) => refresh(tx, target),
    snapshot,
    ...(refuses && { refuses }),
    ...(takesRights && {
      takesRights:
        takesRights === true ? takesRights : (target: T, patch: Values) => takesRights(target, inputOf(target, patch)),
    }),
    ...(keepsAdministration && {
      keepsAdministration: (ctx: Context, target: T, patch: Values) =>
        keepsAdministration(ctx, target, inputOf(target, patch)),
    }),
    ...(conflict && { conflict: (patch: Values, target: T) => conflict(inputOf(target, patch), target) }),
    event: (result, target, patch) => update.event(result, target, inputOf(target, patch)),
    touches: update.touches,
    ...(effect && { effect }),
  });
  const requirePatch = (patch: Values): void => refuseAll(faultsIn(form.empty, patch));
  return Object.assign(operation, { inputOf, snapshot, requirePatch });
}
